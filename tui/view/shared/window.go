package shared

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
)

// DrawsWindow is the window on a target of unknown extent: that of all lanes' newest
// draws. It stands still until draws leave it or until it is far too large.
type DrawsWindow struct {
	problem *targets.Problem
	watch   [2]int
	win     chart.Window
}

// farTooLarge is how much longer than needed a side may be.
const farTooLarge = 3

// robustSample is the number of draws from which a trail's quantiles are taken.
const robustSample = 256

// Sample is an even sample of the finite draws of a trail, in order of size.
func Sample(xs []float64) (sorted []float64) {
	take := min(len(xs), robustSample)
	for i := range take {
		if x := xs[i*len(xs)/take]; !math.IsNaN(x) && !math.IsInf(x, 0) {
			sorted = append(sorted, x)
		}
	}
	slices.Sort(sorted)
	return sorted
}

// Of returns the window for the frame's draws; it is not Valid without any.
func (d *DrawsWindow) Of(f *pane.Frame) chart.Window {
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
	if !d.win.Valid() || outside(need, d.win) || tooLarge(d.win, need) {
		d.win = need.Grow(0.2)
	}
	return d.win
}

// Extent is the range of a lane's draws without the outermost hundredth at each end, so
// that one far draw does not shrink all others to a dot. Before the first draw it is the
// range of the burn-in, or a window around the present state.
func Extent(v *engine.LaneView) chart.Window {
	xs, ys := v.TrailX, v.TrailY
	if len(xs) == 0 { // the burn-in
		xs, ys = v.Passage[0], v.Passage[1]
	}
	x0, x1, n := quantiles(xs)
	y0, y1, m := quantiles(ys)
	if n == 0 || m == 0 {
		return chart.FitWindow(v.Now[:1], v.Now[1:]).Grow(2)
	}
	if !(x1 > x0) {
		x0, x1 = Widen(x0)
	}
	if !(y1 > y0) {
		y0, y1 = Widen(y0)
	}
	return chart.Window{X0: x0, X1: x1, Y0: y0, Y1: y1}
}

// quantiles returns the 1% and the 99% quantile of an even sample.
func quantiles(xs []float64) (lo, hi float64, n int) {
	s := Sample(xs)
	if n = len(s); n == 0 {
		return 0, 0, 0
	}
	return s[n/100], s[n-1-n/100], n
}

// Widen gives a single value a range.
func Widen(x float64) (lo, hi float64) {
	d := max(math.Abs(x)*0.1, 1e-3)
	return x - d, x + d
}

func outside(a, b chart.Window) bool {
	return a.X0 < b.X0 || a.X1 > b.X1 || a.Y0 < b.Y0 || a.Y1 > b.Y1
}

func tooLarge(a, need chart.Window) bool {
	return a.X1-a.X0 > farTooLarge*(need.X1-need.X0) || a.Y1-a.Y0 > farTooLarge*(need.Y1-need.Y0)
}
