package metrics

import "math"

const (
	// driftBound is the |z| beyond which a chain counts as drifting, by its halves or its first tenth. Of stationary chains
	// 0.4% come out beyond one of the bounds: more than of normal z, since the variances are estimates.
	driftBound = 4
	// outsetBound is the |z| for the outset, which is a few draws of a distribution that need not be normal.
	outsetBound = 6
	outsetShare = 1.0 / 256
)

// Stationarity says whether parts of a chain have means that differ by more than chance. Each z is about standard normal for
// a stationary chain, and has the Status of the check where there is none: TooShort, Constant or NotFinite.
type Stationarity struct {
	Halves Estimate // z of the first half against the last
	Start  Estimate // z of the first tenth against the last half
	Outset Estimate // z of the first 256th against the last half
	// Status is OK, or Drifting if a z is beyond ±4, that of the outset beyond ±6: the chain came from afar or is still on
	// its way, and its numbers are not those of a stationary distribution. Else it says why there is no check.
	Status Status
}

// Stationarity checks the mean of coordinate i over parts of the chain, which are parts by weight: with step sizes for
// weights, parts of the process's own time.
//
// With x̄_a, x̄_b the weighted means of two parts of weights W_a, W_b, and v_b the variance of x̄_b by its spectral density
// at frequency 0 (see MCSEOf),
//
//	z = (x̄_a - x̄_b) / √(v_b + v_b W_b/W_a).
//
// Start is Geweke's diagnostic (1992, Bayesian Statistics 4:169, with 0.1 and 0.5 of the chain). Geweke takes each part's own
// spectral density, and coda a fit to each. Here that of the last half serves for both, since a start that drifts has a
// large one and would excuse itself. Outset is the same for a start that is forgotten soon, but far enough out to spoil the
// variance: 30 standard deviations double it in a chain of 450 τ.
//
// A chain that has not left the first of several modes passes; what differs in spread alone passes as well.
func (c *Chain) Stationarity(i int) Stationarity {
	if s := c.status(i); s != OK {
		return noStationarity(s, c.draws)
	}
	var s span
	c.span(&s, i)
	half, tenth, outset := s.cut(0.5), s.cut(0.1), max(s.cut(outsetShare), 1)
	if tenth == 0 || half == s.n {
		return noStationarity(TooShort, c.draws)
	}
	v, tau := s.variance(half, s.n)
	if !LongEnough(uint64(2*(s.n-half)), tau) {
		return noStationarity(TooShort, c.draws)
	}
	last := s.weightOf(half, s.n)
	z := func(to int) Estimate {
		d := s.mean(0, to) - s.mean(half, s.n)
		return known(d/math.Sqrt(v*(1+last/s.weightOf(0, to))), c.draws)
	}
	beyond := func(e Estimate, bound float64) bool { return math.Abs(e.Value) > bound }
	r := Stationarity{Halves: z(half), Start: z(tenth), Outset: z(outset), Status: OK}
	switch {
	case !r.Halves.OK() || !r.Start.OK() || !r.Outset.OK():
		return noStationarity(NotFinite, c.draws)
	case beyond(r.Halves, driftBound) || beyond(r.Start, driftBound) || beyond(r.Outset, outsetBound):
		r.Status = Drifting
	}
	return r
}

func noStationarity(s Status, draws uint64) Stationarity {
	e := Withheld(s, draws)
	return Stationarity{Halves: e, Start: e, Outset: e, Status: s}
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
