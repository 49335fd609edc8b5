package metrics

import "math"

const (
	// driftBound is the |z| beyond which a chain counts as drifting, by its halves or its first tenth. Of stationary
	// chains 0.4% come out beyond one of the bounds: more than of normal z, since the variances are estimates.
	driftBound = 4
	// outsetBound is the |z| for the outset, which is a few draws of a distribution that need not be normal.
	outsetBound = 6
	outsetShare = 1.0 / 256
)

// stationarity compares the means of coordinate i over parts of the chain. It is Drifting if they differ by more than
// chance: the chain came from afar or is still on its way, and its numbers are not those of a stationary distribution.
// It is OK if they do not, and TooShort, Constant or NotFinite where there is no check.
//
// Three parts are compared with the last half: the first half, the first tenth, and the outset, which is
// the first 256th. Parts are by weight, so with step sizes for weights they are parts of the process's own
// time. Each z is about standard normal for a stationary chain. The bounds are ±4, and ±6 for the outset.
//
// Let x̄_a and x̄_b be the weighted means of a part and of the last half, with weights W_a and W_b, and
// v_b the variance of x̄_b by its spectral density at frequency 0 (see [Chains.MCSEOf]). Then
//
//	z = (x̄_a - x̄_b) / √(v_b + v_b W_b/W_a).
//
// The first tenth's z is Geweke's diagnostic (1992, Bayesian Statistics 4:169, with 0.1 and 0.5 of the chain). Geweke
// takes each part's own spectral density, and coda a fit to each. Here the last half's serves for both, since a start
// that drifts has a large one and would excuse itself. The outset sees a start that is soon forgotten, but so far out
// that it spoils the variance: 30 standard deviations double the variance of a chain of 450 τ.
//
// A chain that has not left the first of several modes passes. So does a chain whose parts differ in spread alone.
func (c *Chain) stationarity(i int) Status {
	if s := c.status(i); s != OK {
		return s
	}
	var s span
	c.span(&s, i)
	half, tenth, outset := s.cut(0.5), s.cut(0.1), max(s.cut(outsetShare), 1)
	if tenth == 0 || half == s.n {
		return TooShort
	}
	v, tau := s.variance(half, s.n)
	if !LongEnough(uint64(2*(s.n-half)), tau) {
		return TooShort
	}
	last := s.weightOf(half, s.n)
	status := OK
	for _, part := range [...]struct {
		to    int
		bound float64
	}{{half, driftBound}, {tenth, driftBound}, {outset, outsetBound}} {
		d := s.mean(0, part.to) - s.mean(half, s.n)
		switch z := d / math.Sqrt(v*(1+last/s.weightOf(0, part.to))); {
		case !finite(z):
			return NotFinite
		case math.Abs(z) > part.bound:
			status = Drifting
		}
	}
	return status
}

// cut returns how many batches make up a share of the weight, at most.
func (s *span) cut(share float64) int {
	w := 0.0
	for k, v := range s.w[:s.n] {
		if w += v; w > share*s.weight*(1+1e-9) {
			return k
		}
	}
	return s.n
}

// weightOf returns the weight of batches from to to-1.
func (s *span) weightOf(from, to int) float64 {
	w := 0.0
	for _, v := range s.w[from:to] {
		w += v
	}
	return w
}
