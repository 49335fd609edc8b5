// Package stage draws the view of the lanes' draws.
package stage

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// New returns view 1: each lane's draws over the density, with charts of the error and of the autocorrelation.
func New() pane.View {
	v := new(view)
	return pane.View{Name: "Stage", Panes: v.panes}
}

// view is computed once for several frames: the density and its contours. The panes share a canvas.
type view struct {
	shared.Plane
	canvas chart.Braille
	// In a frame, the statistics of a lane take rows in a width; the width is 0 until one is drawn.
	width, rows int
}

// The stage's measures, in cells.
const (
	sideStage  = 150 // the least width of one lane with its charts beside it
	minPaneCol = 20  // the least width of a lane's pane
	chartsLow  = 18  // the most rows of charts below the lanes
	chartCols  = 38  // the least width of one of more than three charts
	lowChart   = 7   // the least rows of a chart below the lanes of a narrow screen
)

// panes puts the lanes on top, in the grid with the largest planes, and the charts below: beside each other on a wide
// screen, else stacked as far as they fit. On a small screen a plane that is wide, such as the funnel's, would lose a
// third of its scale to a trace of four rows, which could not be read. One chart has the traces of up to two lanes
// then, before the curve of the error, whose newest value every lane's pane has in words.
func (v *view) panes(f *pane.Frame, w, h int) (all []pane.Pane) {
	n := len(f.Lanes())
	if overlaid(f) {
		n = 1
	}
	charts := v.charts(f)
	v.width = 0
	top := plane.Rect{W: w, H: h}
	var places []plane.Rect
	switch {
	case n == 1 && (w >= sideStage || overlaid(f) && w >= pane.WideStage) && h >= 2*pane.ChartRows:
		var side plane.Rect
		top, side = top.CutLeft(w * 11 / 20)
		places = pane.Stack(side, min(len(charts), side.H/pane.ChartRows))
	case w >= pane.WideStage && h >= pane.PaneRows+pane.ChartRows:
		var below plane.Rect
		below, top = top.CutBottom(min(max(h*36/100, pane.ChartRows), chartsLow))
		places = pane.Beside(below, min(len(charts), max(w/chartCols, 3)))
	case h >= pane.PaneRows+pane.ChartRows:
		rows := min(len(charts), (h-pane.PaneRows)/pane.ChartRows)
		var below plane.Rect
		below, top = top.CutBottom(max(rows*lowChart, min(h*7/20, rows*12)))
		places = pane.Stack(below, rows)
		if at := v.grid(f, top, n)[0]; len(f.Lanes()) <= 2 && !v.traced(f, at.W, at.H) {
			charts = slices.Insert(charts, 0, shared.Trace(0))
		}
	}
	for i, at := range v.grid(f, top, n) {
		s := v.scene(f)
		p := pane.Pane{
			Name: pane.LanePane(f.Snap.Lanes[i].ID), Lane: i,
			Draw: func(g plane.Region, f *pane.Frame) { s.drawLane(g, f, i) },
		}
		if overlaid(f) {
			p = pane.Of(overlayPane, s.drawOverlay)
		}
		all = append(all, p.In(at))
	}
	return append(all, pane.At(places, charts)...)
}

// Cells of a pane that are not plot: border and axis labels, and below the plot the axis and one row of statistics.
const (
	paneExtraCols = 8
	paneExtraRows = 4
)

// grid divides r evenly among n lanes, in the number of columns that gives the plane the
// largest scale. Of equals it takes the larger number.
func (v *view) grid(f *pane.Frame, r plane.Rect, n int) (panes []plane.Rect) {
	aspect := 2.0 // of a plane without a density
	if v.Density.Of(f.Problem()) {
		win := v.Density.Frame
		aspect = max(win.X.Len()/win.Y.Len(), 1)
	}
	cols, best := 1, math.Inf(-1)
	for c := 1; c <= n; c++ {
		if n%c != 0 || c > 1 && r.W/c < minPaneCol {
			continue
		}
		w, h := r.W/c-paneExtraCols, r.H*c/n-paneExtraRows
		if scale := min(float64(w)/aspect, 2*float64(h)); scale >= best {
			cols, best = c, scale
		}
	}
	for _, row := range pane.Stack(r, n/cols) {
		panes = append(panes, pane.Beside(row, cols)...)
	}
	return panes
}

// charts are the charts beside or below the lanes, the most important first: the error, with data the likelihood, and
// the autocorrelation. A model that tells neither has the length of its steps. Of one coordinate its path comes before
// them, and of more than two that of the first, with that of the density in the place of its curve.
func (v *view) charts(f *pane.Frame) (all []pane.Pane) {
	logPost := pane.Curve{ID: quantity.LogPost, Linear: true}.Pane()
	function := pane.Function(f.Problem())
	switch {
	case function != nil:
		logPost, all = shared.LogDensity(f), functionCharts(f, function)
	case f.Dim() > 2:
		logPost, all = shared.LogDensity(f), append(all, shared.Trace(0))
	case line(f):
		all = append(all, shared.Trace(0))
	}
	curve := func(id quantity.ID) pane.Pane { return pane.Curve{ID: id}.Pane() }
	erring := true
	switch {
	case function != nil:
	case f.Has(quantity.CovError):
		all = append(all, curve(quantity.CovError))
	case f.Predicts():
		all = append(all, curve(f.Scored(quantity.TestError, quantity.TrainError)))
	default:
		erring = false
	}
	switch {
	case f.Any(quantity.Density) && (f.HasData() || !erring):
		all = append(all, logPost)
	case f.Predicts():
		all = append(all, curve(f.Scored(quantity.NLL, quantity.TrainNLL)))
	case !erring && !f.Any(quantity.Stepped):
		if f.Has(quantity.MaxRHat) {
			all = append(all, curve(quantity.MaxRHat))
		}
	case !erring:
		all = append(all, curve(quantity.Drift))
	}
	if f.Focused().Kind == sampler.Sampling {
		return append(all, shared.ACF(f, shared.Slowest(f)))
	}
	return append(all, objective(f).Pane())
}

// objective replaces the autocorrelation of a lane that does not sample: the ELBO of a family, an optimiser's loss or,
// if the log posterior is shown already, the length of its steps.
func objective(f *pane.Frame) pane.Curve {
	switch {
	case f.Focused().Kind == sampler.Variational:
		return pane.Curve{ID: quantity.ELBO, Linear: true}
	case f.Has(quantity.Loss) && (f.HasData() || f.Has(quantity.CovError)):
		return pane.Curve{ID: quantity.Loss}
	}
	return pane.Curve{ID: quantity.Drift}
}
