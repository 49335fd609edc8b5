package measure

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// extremes reads the tails of the draws that are kept, and whether the first of them came from afar.
type extremes[F sampler.Float] struct {
	kept   *kept[F]
	found  [2]extreme // for views and results, and for points of the curves
	x, all []float64  // scratch
}

// extreme is what was found at a draw of the window.
type extreme struct {
	draws     uint64
	tails     []metrics.Estimate // of each coordinate; Absent until it is asked for
	transient []metrics.Status   // OK, Drifting, or Absent until it is asked for
}

func (e *extremes[F]) forget() { e.found = [2]extreme{} }

// mostTailed is how many draws of all chains Pareto's k is of at most. It is then good to 0.05 (1 + k).
const mostTailed = 1 << 14

// at is what is kept for a moment. While the lane runs, and at points of the curves, it is kept until the draws have
// grown by a quarter: it takes a millisecond a coordinate. It is nil where no draws are kept.
func (e *extremes[F]) at() *extreme {
	if e.kept.First.Keeper == nil {
		return nil
	}
	f, draws, rough := &e.found[0], e.kept.Window.Draws, e.kept.now.Moving || e.kept.now.Point
	if e.kept.now.Point {
		f = &e.found[1]
	}
	if f.draws == 0 || draws < f.draws || draws > f.draws+f.draws/4 || !rough && draws != f.draws {
		n := len(e.kept.Tracked)
		*f = extreme{draws, make([]metrics.Estimate, n), make([]metrics.Status, n)}
	}
	return f
}

// Tails is Pareto's k of all chains' draws that lie 2τ or more apart, as independent ones do.
func (e *extremes[F]) Tails(i int) (k metrics.Estimate) {
	f := e.at()
	if f == nil || f.tails[i].Status != metrics.Absent {
		if f != nil {
			k = f.tails[i]
		}
		return k
	}
	act := e.kept.pool.ACT(i)
	if f.tails[i] = act; act.OK() {
		e.all = e.all[:0]
		for _, k := range e.kept.keepers {
			apart := math.Ceil(max(2*act.Value/float64(k.Every()), float64(k.Len()*len(e.kept.keepers))/mostTailed, 1))
			e.all = k.Newest(e.all, i, k.Len(), int(apart))
		}
		f.tails[i] = metrics.ParetoK(e.all)
	}
	return f.tails[i]
}

// transient reports whether the start of a chain with so many effective draws was far out, see [metrics.Transient].
func (e *extremes[F]) transient(i int, ess float64) bool {
	f := e.at()
	if f == nil {
		return false
	}
	if f.transient[i] == metrics.Absent {
		f.transient[i] = metrics.OK
		for _, k := range e.kept.keepers {
			if e.x, _ = k.Append(e.x[:0], i, 0); metrics.Transient(e.x, ess) {
				f.transient[i] = metrics.Drifting
			}
		}
	}
	return f.transient[i] == metrics.Drifting
}
