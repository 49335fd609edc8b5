package stage

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// edgePlots are the marginals along the upper and the right edge of a plane:
// histograms of the draws, on the same axes, with the exact density as a line
// where it is known.
type edgePlots struct {
	top    chart.Histogram
	side   chart.SideHistogram
	series [2]chart.HistSeries
	bins   [3][edgeBins]float64
}

// edgeBins is the most bins of an edge; a bin is a column or a row.
const edgeBins = 256

// edgeRoom is a pane with room for the edges: the plane with its axes, the strip
// above the plot and the one on its right. Without room both are empty.
type edgeRoom struct{ plane, top, side plane.Region }

// cut divides a pane's region. plot is where the plot would be without edges.
func (e *edgePlots) cut(g plane.Region, f *pane.Frame, plot plane.Region) edgeRoom {
	rows, cols := edgeSize(plot.W(), plot.H())
	m := f.Kinds()
	if rows == 0 || m.Sampling+m.Variational == 0 {
		return edgeRoom{plane: g}
	}
	at := plot.Rect()
	left := at.X - g.Rect().X
	return edgeRoom{
		plane: g.Sub(plane.Rect{Y: rows, W: g.W() - cols, H: g.H() - rows}),
		top:   g.Sub(plane.Rect{X: left, W: at.W - cols, H: rows}),
		side:  g.Sub(plane.Rect{X: g.W() - cols, Y: rows, W: cols, H: g.H() - rows}),
	}
}

// edgeSize is how many rows and columns a plot of w×h cells has for its edges.
func edgeSize(w, h int) (rows, cols int) {
	switch {
	case w < 44 || h < 13:
		return 0, 0
	case w < 70 || h < 20:
		return 2, 5
	case w < 110 || h < 30:
		return 3, 7
	}
	return 4, 10
}

// draw draws both edges for one lane.
func (e *edgePlots) draw(room edgeRoom, plot plane.Region, win chart.Window, f *pane.Frame, v *engine.LaneView, exact [2]*shared.Marginal) {
	if room.top.Empty() || v.Kind == sampler.Optimising || len(v.TrailX) == 0 {
		return
	}
	e.begin(room, plot, win, exact)
	e.add(plot, win, f, v)
	e.finish(room, plot, win, f, v)
}

// begin readies the upper edge for lanes.
func (e *edgePlots) begin(room edgeRoom, plot plane.Region, win chart.Window, exact [2]*shared.Marginal) {
	e.top.Lo, e.top.Hi, e.top.Lanes = win.X0, win.X1, e.series[:0]
	e.side.Lo, e.side.Hi = win.Y0, win.Y1
	e.top.Empty = " "
	e.top.Truth, e.side.Truth = nil, nil
	if exact[0] != nil {
		e.top.Truth, e.side.Truth = exact[0].Line, exact[1].Line
	}
}

// add adds a lane to the upper edge, which has room for two.
func (e *edgePlots) add(plot plane.Region, win chart.Window, f *pane.Frame, v *engine.LaneView) {
	n := len(e.top.Lanes)
	if n == len(e.series) {
		return
	}
	bins := e.bins[n][:min(plot.W(), edgeBins)]
	shared.CountDensity(bins, v.TrailX, win.X0, win.X1)
	e.top.Lanes = append(e.top.Lanes, chart.LaneHist(f.Theme, int(f.LaneStyle(v).Line), bins))
}

// finish draws the upper edge, and the right one with one lane's draws.
func (e *edgePlots) finish(room edgeRoom, plot plane.Region, win chart.Window, f *pane.Frame, v *engine.LaneView) {
	e.top.Draw(room.top.Sub(plane.Rect{W: plot.W(), H: room.top.H()}), f.Theme)
	e.side.Density = e.bins[2][:min(plot.H(), edgeBins)]
	e.side.Style = f.LaneStyle(v).Style
	shared.CountDensity(e.side.Density, v.TrailY, win.Y0, win.Y1)
	e.side.Draw(room.side.Sub(plane.Rect{W: room.side.W(), H: plot.H()}), f.Theme)
}
