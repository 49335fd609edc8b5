package stage

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// edgePlots are the marginals along the upper and the right edge of a plane:
// histograms of the draws, on the same axes, with the exact density as a line
// where it is known.
type edgePlots struct {
	room edgeRoom
	plot plane.Region
	win  chart.Window
	top  chart.Histogram
	side chart.SideHistogram
}

// edgeRoom is a pane with room for the edges: the plane with its axes, the strip
// above the plot and the one on its right. Without room both are empty.
type edgeRoom struct{ plane, top, side plane.Region }

// cutEdges divides a pane's region. plot is where the plot would be without edges.
func cutEdges(g plane.Region, f *pane.Frame, plot plane.Region) edgeRoom {
	rows, cols := edgeSize(plot.W(), plot.H())
	if rows == 0 || f.Count(quantity.Optimising) == len(f.Lanes()) {
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

// newEdges are the edges of a plot with a window, against the exact densities of both
// coordinates, nil where they are not known.
func newEdges(room edgeRoom, plot plane.Region, win chart.Window, exact [2]*shared.Marginal) *edgePlots {
	e := &edgePlots{
		room: room, plot: plot, win: win,
		top:  chart.Histogram{Lo: win.X0, Hi: win.X1, Empty: " "},
		side: chart.SideHistogram{Lo: win.Y0, Hi: win.Y1},
	}
	if exact[0] != nil {
		e.top.Truth, e.side.Truth = exact[0].Line, exact[1].Line
	}
	return e
}

// add adds a lane to the upper edge, which has room for two.
func (e *edgePlots) add(f *pane.Frame, v *engine.LaneView) {
	if len(e.top.Lanes) < 2 {
		bins := make([]float64, e.plot.W())
		shared.CountDensity(bins, v.TrailX, e.win.X0, e.win.X1)
		e.top.Lanes = append(e.top.Lanes, chart.LaneHist(f.Theme, f.LaneStyle(v).Line, bins))
	}
}

// draw draws the upper edge, and the right one with one lane's draws.
func (e *edgePlots) draw(f *pane.Frame, v *engine.LaneView) {
	e.top.Draw(e.room.top.Sub(plane.Rect{W: e.plot.W(), H: e.room.top.H()}), f.Theme)
	e.side.Density = make([]float64, e.plot.H())
	e.side.Style = f.LaneStyle(v).Style
	shared.CountDensity(e.side.Density, v.TrailY, e.win.Y0, e.win.Y1)
	e.side.Draw(e.room.side.Sub(plane.Rect{W: e.room.side.W(), H: e.plot.H()}), f.Theme)
}
