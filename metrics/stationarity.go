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

// stationarity says whether the means of coordinate i over parts of the chain differ by more than
// chance. It is OK, or Drifting if a z is beyond ±4, that of the outset beyond ±6: the chain came from
// afar or is still on its way, and its numbers are not those of a stationary distribution. Else it says
// why there is no check: TooShort, Constant or NotFinite.
//
// The z are those of the first half, of the first tenth and of the first 256th, the outset, against the
// last half. Parts are parts by weight: with step sizes for weights, parts of the process's own time.
// Each z is about standard normal for a stationary chain.
//
// With x̄_a, x̄_b the weighted means of two parts of weights W_a, W_b, and v_b the variance of x̄_b by
// its spectral density at frequency 0 (see [Chains.MCSEOf]),
//
//	z = (x̄_a - x̄_b) / √(v_b + v_b W_b/W_a).
//
// That of the first tenth is Geweke's diagnostic (1992, Bayesian Statistics 4:169, with 0.1 and 0.5 of the chain).
// Geweke takes each part's own spectral density, and coda a fit to each. Here that of the last half serves for both,
// since a start that drifts has a large one and would excuse itself. The outset's is the same for a start that is
// forgotten soon, but far enough out to spoil the variance: 30 standard deviations double it in a chain of 450 τ.
//
// A chain that has not left the first of several modes passes; what differs in spread alone passes as well.
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
