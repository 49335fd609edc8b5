package session

import (
	"math"

	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

const (
	// Draws of the window of which the sliced distance is, at most: while the lane runs, and
	// at its end.
	distantDraws, distantAtLast = 1 << 10, 1 << 14

	exactDraws = 1 << 12 // draws of the target that they are compared with
	directions = 8
)

// distances are those of the draws from the truth, and at which draw of the window they were found.
type distances struct {
	draws      uint64
	w2, sliced float64 // NaN where they are not known
}

// stale reports whether the draws have grown by a quarter.
func (d *distances) stale(draws uint64) bool {
	return d.draws == 0 || draws < d.draws || draws > d.draws+d.draws/4
}

// apart is the lane's distance from the truth, for views and results.
type apart struct {
	distances
	kept   uint64
	sliced *metrics.Sliced
	x      [][]float64 // scratch
}

// Distances are the Wasserstein-2 distance of the normal distributions with the moments of the window's draws and of the
// truth, and the sliced one of draws and truth themselves. The second is of at most distantDraws or, at the end,
// distantAtLast, evenly spread over the window, which count alike. Both take a fraction of a millisecond in the plane. They are kept for as long as no draw comes,
// and at points of the curves and in views of a running lane until the draws have grown by a quarter.
func (l *lane[F]) Distances() (w2, sliced float64) {
	d := &l.apart.distances
	switch {
	case l.fresh.on:
		if d = &l.pointApart; d.stale(l.draws) {
			*d = l.findDistances()
		}
	case l.apart.kept == l.kept && d.draws == l.draws:
	case !l.moving || d.stale(l.draws):
		*d, l.apart.kept = l.findDistances(), l.kept
	}
	return d.w2, d.sliced
}

func (l *lane[F]) findDistances() distances {
	d := distances{l.draws, math.NaN(), math.NaN()}
	if l.truth == nil || l.truth.Cov == nil || !l.truthHolds() || !l.pool.Cov(l.cov) {
		return d
	}
	mean := make([]float64, len(l.tracked))
	for i := range mean {
		mean[i] = l.pool.Mean(i)
	}
	d.w2 = metrics.GaussianW2(mean, l.cov, l.truth.Mean, l.truth.Cov)
	target, ok := l.prob.Impl().(targets.Exact)
	if !ok {
		return d
	}
	a := &l.apart
	if a.sliced == nil {
		a.sliced, a.x = metrics.NewSliced(targets.Sample(target, l.target.Dim(), exactDraws), directions, 1), make([][]float64, len(l.tracked))
	}
	most := distantDraws
	if l.compared.Whole {
		most = distantAtLast
	}
	for i := range a.x {
		a.x[i] = a.x[i][:0]
		for _, c := range l.chains {
			a.x[i], _ = c.keeper.Append(a.x[i], i, most/len(l.chains))
		}
	}
	d.sliced = a.sliced.Distance(a.x).Value
	return d
}
