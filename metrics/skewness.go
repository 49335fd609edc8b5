package metrics

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

const (
	// skewedTimes is how many τ long a chain must be whose batches are skewed.
	skewedTimes = 800
	// skewMeans is how many batches have the skewness of their means taken.
	skewMeans = 64
	// skewedBeyond is the z that a standard normal exceeds on either side in 5% of cases.
	skewedBeyond = 1.96
)

// Skewed reports whether coordinate i needs more draws than LongEnough demands, because its chains show only a few
// excursions to one side. A τ that rests on a few excursions is often too low.
//
// It is so if the chains are shorter than 800 τ, by ess, the effective draws of all of them, and if their skewness is
// more than chance. The skewness is that of the means m_b of B = 64 batches,
//
//	g = Σ_b (m_b - m)³ / (B s³),
//
// with mean m and standard deviation s, averaged over the chains. It is more than chance if the greatest of
// d skewnesses of 64 normal values exceeds it in 5% of cases only (see normalSkewness), d being the number
// of coordinates. So 5% of the chains without any skewed coordinate give a false alarm at a given moment.
//
// Excursions to both sides go unseen. MALA on a t distribution with 5 degrees of freedom stays in the tails while its
// proposals are rejected. Up to 31% of its chains have an ESS above 1.7 times the true one when it is first shown, and
// 26% of its chains on the banana at 400 τ.
//
// The rule was calibrated on the banana, a bent density on which a chain that has not been far out looks settled. There
// an excursion skews some coordinates and not others, and what is slow in one has a small share in another. So all
// coordinates of a chain must be looked at before any is trusted. See TestESSOfWholeChains.
func (c Chains) Skewed(i, d int, ess float64) bool {
	if !(2*ess < skewedTimes*float64(len(c))) {
		return false
	}
	g := 0.0
	var s span
	for _, k := range c {
		k.span(&s, i)
		g += s.skewness(skewMeans)
	}
	return sidak(normalSkewness(math.Abs(g)/float64(len(c))), float64(d)) > skewedBeyond
}

// normalSkewness is the z that a standard normal exceeds about as often as the skewness of n = 64
// normal values exceeds g >= 0,
//
//	z = δ asinh(y/α),  y = g √((n+1)(n+3) / (6(n-2))),
//
// where δ and α give the right second and fourth moments (D'Agostino 1970, Biometrika 57:679).
func normalSkewness(g float64) float64 {
	const n = skewMeans
	const kurtosis = 3. * (n*n + 27*n - 70) * (n + 1) * (n + 3) / ((n - 2) * (n + 5) * (n + 7) * (n + 9))
	w := math.Sqrt(2*(kurtosis-1)) - 1 // W²
	y := g * math.Sqrt((n+1)*(n+3)/(6.*(n-2))) / math.Sqrt(2/(w-1))
	return libm.Log(y+math.Sqrt(float64(y*y)+1)) / math.Sqrt(libm.Log(w)/2)
}

// skewness is the skewness of the means of so many successive parts, or of the batches if there are fewer. It is 0 if
// the means do not vary.
func (s *span) skewness(parts int) float64 {
	parts = min(parts, s.n)
	var memory [skewMeans]float64
	means := memory[:parts]
	for k := range means {
		means[k] = s.mean(k*s.n/parts, (k+1)*s.n/parts)
	}
	mean, v := meanVar(means)
	if !(v > 0) {
		return 0
	}
	sum := 0.0
	for _, m := range means {
		u := (m - mean) / math.Sqrt(v)
		sum += float64(u * float64(u*u))
	}
	return sum / float64(parts)
}
