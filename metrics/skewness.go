package metrics

import (
	"math"

	"github.com/psgld/psgld-tui/nets/libm"
)

const (
	// skewedTimes is how many τ long a chain must be whose batches are skewed.
	skewedTimes = 800
	// skewMeans is how many batches have the skewness of their means taken.
	skewMeans = 64
	// skewedBeyond is the z that a standard normal exceeds on either side in 5% of cases.
	skewedBeyond = 1.96
)

// Skewed reports whether the chains need more draws of coordinate i than LongEnough demands, because they
// tell of excursions to one side that have been few: a τ that rests on few of them is often too low. That is
// so if the chains are shorter than 800 τ, by the ess effective draws that all of them have, and the skewness
//
//	g = Σ_b (m_b - m)³ / (B s³)
//
// of the means m_b of B = 64 batches, with mean m and standard deviation s, on the average of the chains is
// one that the greatest of d sets of 64 normal values exceeds in 5% of cases (see normalSkewness). Of a chain
// that is sound at a given moment, with d coordinates that are not skewed, that is the share of false alarms.
//
// It does not see excursions to both sides by themselves: of MALA's chains on a t distribution with 5
// degrees of freedom, which stay in the tails while proposals are rejected, up to 31% have an ESS above
// 1.7 times the true one when it is shown, and of those on the banana 26% at 400 τ.
//
// It was calibrated on the banana, a bent density where a chain that has not been far out looks settled.
// Excursions to both sides leave other coordinates unskewed, and what is slow in one coordinate has a small share
// in another. So all coordinates of a chain must be looked at before any is trusted: see TestESSOfWholeChains.
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

// skewness is that of the means of so many successive parts, or of the batches if these are fewer. It
// is 0 if they do not vary.
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
