package check

import (
	"cmp"
	"context"
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
// fault; V is that of the way so far. The facts are medians over steps: there is no chance in them.
func (s *setup) retrace(ctx context.Context, d Draws) (*Report, error) {
	r := &Report{Draws: d.Count(), Verdict: Consistent}
	size, left, err := s.remake(ctx, d)
	if err != nil {
		return nil, err
	}
	if len(left) < leastMoves {
		r.Verdict, r.Needed = TooFew, max(2*leastMoves, r.Draws+1)
		return r, nil
	}
	share, miss := metrics.Quantile(size, 0.5), metrics.Quantile(left, 0.5)
	r.Facts = []Fact{
		{Name: "one-step drift", Expected: 1, Found: share, SE: tolerance, Z: (share - 1) / tolerance, Fails: math.Abs(share-1) > tolerance},
		{Name: "part of a step that is not explained", Expected: 0, Found: miss, SE: tolerance, Z: miss / tolerance, Fails: miss > tolerance},
	}
	if miss <= tolerance {
		return r, nil
	}
	r.Verdict = Inconsistent
	type candidate struct {
		faults []Fault
		miss   float64
	}
	var all []candidate
	for _, h := range hypotheses(s) {
		_, left, err := h.setup.remake(ctx, d)
		if err != nil {
			return nil, err
		}
		if len(left) < leastMoves {
			continue
		}
		if m := metrics.Quantile(left, 0.5); m <= tolerance {
			all = append(all, candidate{h.faults, m})
		}
	}
	slices.SortStableFunc(all, func(a, b candidate) int { return cmp.Compare(a.miss, b.miss) })
	// Those that leave no more than rounding come to the same.
	var list []Fault
	for _, c := range all {
		for _, f := range c.faults {
			if !slices.Contains(list, f) {
				list = append(list, f)
			}
		}
	}
	if list != nil {
		r.Faults = [][]Fault{list}
	}
	return r, nil
}

// remake makes every draw from the draw before it. It returns, sorted and for each step that a file resolves, the share
// of the remade displacement that the draws have, and the length of what is left over that of the displacement. Of a
// method with a V the first half is left out, in which V is not known.
func (s *setup) remake(ctx context.Context, d Draws) (share, left []float64, err error) {
	_, forgets := s.own("alpha")
	_, moving := s.friction()
	if mu, ok := s.own("momentum"); ok && mu > 0 {
		moving = true
	}
	v := d.meanSquares(s.problem.F64)
	for k, c := range d.Chains {
		m := newMachine(s, s.problem.F64, 0, k, v)
		n := len(c) / d.Dim
		var shares, rest []float64
		for t := 1; t < n-1; t++ {
			if t%1024 == 0 && ctx.Err() != nil {
				return nil, nil, ctx.Err()
			}
			prev, x, next := c[(t-1)*d.Dim:][:d.Dim], c[t*d.Dim:][:d.Dim], c[(t+1)*d.Dim:][:d.Dim]
			if t == 1 || s.method.Metropolis {
				m.start(x)
			}
			copy(m.state.Theta, x)
			if moving && s.thin == 1 {
				for i := range x {
					m.state.Own[0][i] = x[i] - prev[i]
				}
			}
			for range s.thin {
				m.step()
			}
			var moved, size, made, along, miss float64
			for i, y := range m.state.Theta {
				a, b := next[i]-x[i], y-x[i]
				moved += float64(a * a)
				size += float64(x[i] * x[i])
				made += float64(b * b)
				along += float64(a * b)
				miss += float64((a - b) * (a - b))
			}
			if moved > resolved*resolved*size && made > 0 && miss-miss == 0 {
				shares, rest = append(shares, along/made), append(rest, math.Sqrt(miss/moved))
			}
		}
		if forgets {
			shares, rest = shares[len(shares)/2:], rest[len(rest)/2:]
		}
		share, left = append(share, shares...), append(left, rest...)
	}
	slices.Sort(share)
	slices.Sort(left)
	return share, left, nil
}
