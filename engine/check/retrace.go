package check

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/metrics"
)

const (
	// tolerance is the relative error of a step that rounding in a file may bring.
	tolerance = 0.02
	// resolved is the least relative size of a step that a file of six digits still shows.
	resolved = 1e-4
	// leastMoves is how many such steps tell.
	leastMoves = 20
)

// retrace checks draws whose steps draw nothing. Each is made anew from the draw before it, as published and with each
// fault. The facts are medians over steps: there is no chance in them. Faults that leave no more than rounding come to
// the same.
func (k *checker) retrace() (*Report, error) {
	r := &Report{Draws: k.draws.Count(), Verdict: Consistent}
	share, miss := k.remake(k.right)
	if math.IsNaN(miss) {
		if r.Verdict = TooFew; r.Draws < 2*leastMoves+k.right.skip() { // of more the last ones stand at an optimum
			r.Needed = 2*leastMoves + k.right.skip()
		}
		return r, k.err
	}
	r.Facts = []Fact{
		{Name: "one-step drift", Expected: 1, Found: share, SE: tolerance, Z: (share - 1) / tolerance,
			Fails: math.Abs(share-1) > tolerance},
		{Name: "part of a step that is not explained", Expected: 0, Found: miss, SE: tolerance, Z: miss / tolerance,
			Fails: miss > tolerance},
	}
	if miss > tolerance {
		r.Verdict = Inconsistent
		for _, h := range hypotheses(k.right) {
			if _, miss := k.remake(h.setup); miss <= tolerance {
				r.Faults = append(r.Faults, h.faults...)
			}
		}
	}
	return r, k.err
}

// remake makes every draw from the draw before it. It returns medians over the steps that a file resolves: the share
// of the remade displacement that the draws have, and the length of what is left over that of the displacement. They
// are NaN where there are too few.
func (k *checker) remake(s *setup) (share, miss float64) {
	m, d := k.path.march(s), k.draws.Dim
	if _, k.err = m.on(k.ctx, nil); k.err != nil {
		return math.NaN(), math.NaN()
	}
	var shares, rest []float64
	for c, rows := range m.rows {
		for t := 0; t < len(rows); t += d {
			var moved, size, made, along, left float64
			x := k.draws.Chains[c][max(1, s.skip())*d+t:]
			for i, y := range rows[t:][:d] {
				a := x[d+i] - x[i]
				b := a - y
				moved += float64(a * a)
				size += float64(x[i] * x[i])
				made += float64(b * b)
				along += float64(a * b)
				left += float64(y * y)
			}
			if moved > resolved*resolved*size && made > 0 && left-left == 0 {
				shares, rest = append(shares, along/made), append(rest, math.Sqrt(left/moved))
			}
		}
	}
	if len(rest) < leastMoves {
		return math.NaN(), math.NaN()
	}
	slices.Sort(shares)
	slices.Sort(rest)
	return metrics.Quantile(shares, 0.5), metrics.Quantile(rest, 0.5)
}
