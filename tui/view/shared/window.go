package shared

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
)

// drawsWindow is the window on a target of unknown extent: that of all lanes' newest
// draws. It stands still until draws leave it or until it is far too large.
type drawsWindow struct {
	problem *targets.Problem
	watch   [2]int
	win     chart.Window
}

// farTooLarge is how much longer than needed a side may be.
const farTooLarge = 3

// robustSample is the number of draws from which a trail's quantiles are taken.
const robustSample = 256

// Middle is the range of an even sample of the finite draws of a trail without one of so many at each end. The range of
// a single value has some length, and that of none is zero.
func Middle(xs []float64, of int) pane.Range {
	take := min(len(xs), robustSample)
	sorted := make([]float64, 0, take)
	for i := range take {
		if x := xs[i*len(xs)/take]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			sorted = append(sorted, x)
		}
	}
	slices.Sort(sorted)
	n := len(sorted)
	if n == 0 {
		return pane.Range{}
	}
	r := pane.Range{Lo: sorted[n/of], Hi: sorted[n-1-n/of]}
	if r.Lo == r.Hi {
		d := max(math.Abs(r.Lo)*0.1, 1e-3)
		r.Lo, r.Hi = r.Lo-d, r.Hi+d
	}
	return r
}

// Of returns the window for the frame's draws; it is not Valid without any.
func (d *drawsWindow) Of(f *pane.Frame) chart.Window {
	lanes := f.Lanes()
	var watch [2]int
	if len(lanes) > 0 {
		watch = lanes[0].Watch
	}
	if p := f.Problem(); d.problem != p || d.watch != watch {
		d.problem, d.watch, d.win = p, watch, chart.Window{}
	}
	var need chart.Window
	for i := range lanes {
		if v := &lanes[i]; v.Diverged == nil || len(lanes) == 1 {
			need = need.Union(Extent(v))
		}
	}
	if !need.Valid() {
		return d.win
	}
	w := &d.win
	if !w.Valid() || outside(need.X, w.X) || outside(need.Y, w.Y) || tooLarge(w.X, need.X) || tooLarge(w.Y, need.Y) {
		d.win = need.Grow(0.2)
	}
	return d.win
}

// Extent is the range of a lane's draws without the outermost hundredth at each end, so
// that one far draw does not shrink all others to a dot. Before the first draw it is the
// range of the burn-in, or a window around the present state.
func Extent(v *engine.LaneView) chart.Window {
	xs, ys := Trail(v, 0), Trail(v, 1)
	if len(xs) == 0 { // the burn-in
		xs, ys = v.Passage[0], v.Passage[1]
	}
	x, y := Middle(xs, 100), Middle(ys, 100)
	if x != (pane.Range{}) && y != (pane.Range{}) {
		return chart.Window{X: x, Y: y}
	}
	here := func(k int) pane.Range { return pane.Range{Lo: v.Now[k], Hi: v.Now[k]}.Open() }
	return chart.Window{X: here(0), Y: here(1)}.Grow(2)
}

func outside(a, b pane.Range) bool { return a.Lo < b.Lo || a.Hi > b.Hi }

// tooLarge reports whether a side is much longer than needed.
func tooLarge(a, need pane.Range) bool { return a.Len() > farTooLarge*need.Len() }
