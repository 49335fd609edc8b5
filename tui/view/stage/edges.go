package stage

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// edgeRoom is the division of a pane: the plane with its axes, the strip above the plot
// and the strip on its right. Without room both strips are empty.
type edgeRoom struct{ plane, top, side plane.Region }

// cutEdges divides a pane's region. plot is the plot without edges.
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

// edgeSize is the rows and columns of the edges of a plot of w×h cells.
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

// drawEdges draws the marginals along the upper and the right edge of a plot:
// histograms of the draws of up to two lanes above and of one on the right, on the
// plot's own axes, with the exact density as a line where it is known.
func (p *scene) drawEdges(room edgeRoom, plot plane.Region, f *pane.Frame, side *engine.LaneView, above ...*engine.LaneView) {
	win := p.canvas.Window()
	top := chart.Histogram{Range: win.X, Empty: " "}
	right := chart.Histogram{Range: win.Y, Empty: " ", Side: true}
	if p.plane {
		top.Truth, right.Truth = p.Density.Marginal(0).Line, p.Density.Marginal(1).Line
	}
	lane := func(v *engine.LaneView, bins int, xs []float64, r pane.Range) chart.HistSeries {
		return chart.LaneHist(f.Theme, f.LaneStyle(v).Line, shared.CountDensity(bins, xs, r))
	}
	for _, v := range above {
		top.Lanes = append(top.Lanes, lane(v, plot.W(), v.TrailX, win.X))
	}
	top.Draw(room.top.Sub(plane.Rect{W: plot.W(), H: room.top.H()}), f.Theme)
	right.Lanes = []chart.HistSeries{lane(side, plot.H(), side.TrailY, win.Y)}
	right.Draw(room.side.Sub(plane.Rect{W: room.side.W(), H: plot.H()}), f.Theme)
}
