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
)

// Skewed reports whether the chains need more draws of coordinate i than LongEnough demands, because they tell of excursions
// to one side that have been few: a τ that rests on few of them is often too low. That is so if the chains are shorter than
// 800 τ, by the ess effective draws that all of them have, and the skewness
//
//	g = Σ_b (m_b - m)³ / (B s³)
//
// of the means m_b of B = 64 batches, with mean m and standard deviation s, is beyond ±0.25 √(2 ln 20d) on the average of the
// chains. Of d sets of 64 normal values one is beyond that in 4 to 7% of cases up to d = 15, the number of coordinates that are
// looked at, and in 24% where d = 500.
//
// It does not see excursions to both sides by themselves: of MALA's chains on a t distribution with 5 degrees of freedom, which
// stay in the tails while proposals are rejected, up to 31% have an ESS above 1.7 times the true one when it is shown, and of
// those on the banana 26% at 400 τ.
//
// It was calibrated on the banana, a bent density where a chain that has not been far out looks settled. Excursions to both
// sides leave other coordinates unskewed, and what is slow in one coordinate has a small share in another. So all coordinates of
// a chain must be looked at before any is trusted: see TestESSOfWholeChains.
func (c Chains) Skewed(i, d int, ess float64) bool {
	if !(2*ess < skewedTimes*float64(len(c))) {
		return false
	}
	g := 0.0
	var s span
	for _, k := range c {
		k.bat.span(&s, i, k.cors[i:i+1], k.w[:k.fill])
		g += s.skewness(skewMeans)
	}
	return math.Abs(g)/float64(len(c)) > 0.25*math.Sqrt(2*libm.Log(float64(20*d)))
}

// skewness is that of the means of so many successive parts, or of the batches if these are fewer. It is 0 if they do not vary.
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
