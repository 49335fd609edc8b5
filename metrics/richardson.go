package metrics

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// Richardson extrapolates moments of a chain to step size 0, by chains at half and at a quarter of the
// step that are coupled to it. With m₁, m₂ and m₄ a moment at ε, ε/2 and ε/4, and an expansion m(ε) =
// m₀ + aε + bε² + O(ε³) (Talay and Tubaro 1990, Stochastic Analysis and Applications 8:483; for
// stochastic gradients Vollmer, Zygalakis and Teh 2016, JMLR 17:159),
//
//	m₀ = (8m₄ - 6m₂ + m₁)/3,   bias = m₁ - m₀ = (2m₁ + 6m₂ - 8m₄)/3.
//
// What the extrapolation leaves out is taken to be no more than its distance from that of the two finest levels,
// 2m₄ - m₂, which is c/3 with c = (m₁ - m₂) - 2(m₂ - m₄). The variance of the estimate is by batches of the three
// chains' moments together, so that noise they share cancels. Its standard error and c/3 are added in squares.
//
// An expansion in ε has successive differences in a ratio of about two. Where c stands out of its noise and the ratio
// is not within 1.4 and 2.9, or where the variance would be negative at step size 0, the estimate is Irregular.
type Richardson struct {
	dim   int
	draws uint64
	shift []float64 // of each coordinate: about where its draws are
	bat   batches   // of x and x² of each level and coordinate, less the shift
	row   []float64
}

// levelsOf are ε, ε/2 and ε/4.
const levelsOf = 3

const (
	leastRatio, mostRatio = 1.4, 2.9 // of successive differences
	standsOut             = 3        // in standard errors
)

// NewRichardson returns one of dim coordinates without draws.
func NewRichardson(dim int) *Richardson {
	n := 2 * levelsOf * dim
	return &Richardson{dim: dim, shift: make([]float64, dim), bat: newBatches(n, batchCount), row: make([]float64, n)}
}

// Add takes a draw of each chain at the same time, of weight w. It keeps none and does not allocate.
func (r *Richardson) Add(w float64, x [levelsOf][]float64) {
	if r.draws == 0 {
		copy(r.shift, x[0])
	}
	r.draws++
	at := 0
	for _, level := range x {
		for i, v := range level[:r.dim] {
			d := v - r.shift[i]
			r.row[at], r.row[at+1] = d, d*d
			at += 2
		}
	}
	r.bat.addOne(w, r.row)
}

// Reset forgets the draws.
func (r *Richardson) Reset() {
	r.draws = 0
	r.bat.reset()
}

// Clone copies r.
func (r *Richardson) Clone() *Richardson {
	c := NewRichardson(r.dim)
	c.Set(r)
	return c
}

// Set makes r a copy of another of as many coordinates.
func (r *Richardson) Set(from *Richardson) {
	r.draws = from.draws
	copy(r.shift, from.shift)
	r.bat.set(&from.bat)
}

// Bytes is about what r takes.
func (r *Richardson) Bytes() int { return 8 * (len(r.bat.sum) + len(r.bat.w)) }

// Bias returns the bias that the step size causes, of the mean of coordinate i and of its variance
// relative to the unbiased one, v₁/v₀ - 1. Both are TooShort until the number of batches is LongEnough
// for their τ, and NotFinite if a draw was not.
func (r *Richardson) Bias(i int) (mean, variance Estimate) {
	var s, q [levelsOf]span
	m, v, ok := r.moments(i, &s, &q)
	if !ok {
		none := Withheld(TooShort, r.draws)
		return none, none
	}
	mean = r.extrapolate(m, &s)
	limit := (float64(8*v[2]) - float64(6*v[1]) + v[0]) / 3
	variance = r.extrapolate(v, &q)
	if !variance.OK() {
		return mean, variance
	}
	if !(limit > 0) {
		return mean, Withheld(Irregular, r.draws)
	}
	// v₁/v₀ - 1 = bias/v₀, and v₀ = v₁ - bias is known no better than the bias: an error e of that is one of e·v₁/v₀².
	return mean, Known(v[0]/limit-1, variance.Error*v[0]/(limit*limit), r.draws)
}

// Quarter returns what the moments of coordinate i are above those at a quarter of the step: of the mean m₁ - m₄, and
// of the variance v₁/v₄ - 1. It rests on no expansion, and of a bias of first order it is ¾.
func (r *Richardson) Quarter(i int) (mean, variance Estimate) {
	var s, q [levelsOf]span
	m, v, ok := r.moments(i, &s, &q)
	of := func(x [levelsOf]float64, s *[levelsOf]span, unit, by float64) Estimate {
		_, long := r.errorOf(s, [levelsOf]float64{1}) // the difference drifts with a schedule, and its error has that
		se, _ := r.errorOf(s, [levelsOf]float64{1, 0, -by})
		switch {
		case !ok || !long:
			return Withheld(TooShort, r.draws)
		case !finite(x[0]) || !finite(x[2]) || !finite(se) || !(unit > 0):
			return Withheld(NotFinite, r.draws)
		}
		return Known((x[0]-x[2])/unit, se/unit, r.draws)
	}
	// An error of v₁/v₄ is one of (v₁ - v₄·v₁/v₄)/v₄.
	return of(m, &s, 1, 1), of(v, &q, v[2], v[0]/v[2])
}

// moments are the mean and variance of coordinate i at each level, with the batches of Σ w (x - shift) in s and those
// of Σ w (x - mean)² in q. They are false of fewer than two batches.
func (r *Richardson) moments(i int, s, q *[levelsOf]span) (m, v [levelsOf]float64, ok bool) {
	for k := range levelsOf {
		r.bat.span(&s[k], 2*(k*r.dim+i), nil, nil)
		r.bat.span(&q[k], 2*(k*r.dim+i)+1, nil, nil)
		if s[k].n < 2 {
			return m, v, false
		}
		m[k] = s[k].mean(0, s[k].n)
		for b := range s[k].n {
			q[k].sum[b] += float64(m[k]*m[k]*s[k].w[b]) - float64(2*m[k]*s[k].sum[b])
		}
		v[k] = q[k].mean(0, q[k].n)
	}
	return m, v, true
}

// extrapolate is the bias of a moment whose levels and batches are given.
func (r *Richardson) extrapolate(m [levelsOf]float64, s *[levelsOf]span) Estimate {
	bias := (float64(2*m[0]) + float64(6*m[1]) - float64(8*m[2])) / 3
	se, long := r.errorOf(s, [levelsOf]float64{2. / 3, 2, -8. / 3})
	first, second := m[0]-m[1], m[1]-m[2]
	c := first - 2*second
	seC, _ := r.errorOf(s, [levelsOf]float64{1, -3, 2})
	switch {
	case !finite(bias) || !finite(se):
		return Withheld(NotFinite, r.draws)
	case !long:
		return Withheld(TooShort, r.draws)
	case math.Abs(c) > standsOut*seC && !(first >= leastRatio*second && first <= mostRatio*second) &&
		!(first <= leastRatio*second && first >= mostRatio*second):
		return Withheld(Irregular, r.draws)
	}
	return Known(bias, libm.Hypot(se, c/3), r.draws)
}

// errorOf is the standard error of a combination of the levels' moments, and whether there are batches enough for it.
func (r *Richardson) errorOf(s *[levelsOf]span, of [levelsOf]float64) (se float64, long bool) {
	u := s[0]
	for b := range u.n {
		u.sum[b] = float64(of[0]*s[0].sum[b]) + float64(of[1]*s[1].sum[b]) + float64(of[2]*s[2].sum[b])
	}
	v, tau := u.variance(0, u.n)
	return math.Sqrt(v), LongEnough(uint64(u.n), tau)
}
