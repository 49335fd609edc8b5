package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A room is the division of a pane: the plane with its axes, above it the marginal of the first coordinate, on its
// right the marginal of the second and its trace, of the plot's rows, below them the axis with their names, and above
// them the legend. A plane that is too wide for a trace on its right has that of the first coordinate below. What has
// no room is empty.
type room struct{ plane, top, side, trace, names, legend, below plane.Region }

// The columns of a marginal, of a trace and of a legend.
const (
	leastSide, mostSide = 5, 10
	leastTrace          = 12
	leastLegend         = 18
)

// slackOf is the part of a density's frame that may be cut off for a finer scale on h rows. It
// is blank but for the tails.
func slackOf(h int) float64 {
	switch {
	case h < 12:
		return 0.145
	case h < 20:
		return 0.08
	}
	return 0.03
}

// divide divides a pane's region. The plane has the room that its scale needs, then comes the marginal, then the trace.
// What is left widens the plane, until it is about as wide as it is high, then the trace.
func (p *scene) divide(g plane.Region, f *pane.Frame) (r room) {
	plot := chart.Plot(g)
	w, h := plot.Size()
	if w == g.W() || h < leastSideRows || f.Count(quantity.Optimising) == len(f.Lanes()) {
		return room{plane: g}
	}
	rows := topRows(w, h)
	h -= rows
	cols := min(w, h)
	if p.plane {
		cols = p.columns(f, w, h)
	}
	cols = min(max(cols, chart.LeastPlot), w)
	side := sideCols(w)
	rest := w - cols - 1 - side // beside the marginal
	trace, under := 0, 0
	if rest < 1+leastTrace {
		under = p.underRows(f, w, h)
		h -= under
		if under > 0 && p.plane {
			cols = min(max(p.columns(f, w, h), chart.LeastPlot), w)
			rest = w - cols - 1 - side
		}
	}
	switch {
	case rest < 0:
		cols, side = w, 0
	case rest < 1+leastTrace || under > 0:
		cols += rest
	default:
		// A little less than would make the plane square.
		cols += min(max(h*8/5-cols, 0), rest-1-leastTrace)
		trace = w - cols - 1 - side - 1
	}
	left, below := g.W()-w, g.H()-plot.H()
	r.plane = g.Sub(plane.Rect{Y: rows, W: left + cols, H: g.H() - rows - under})
	r.below = g.Sub(plane.Rect{X: left, Y: g.H() - under, W: cols, H: under})
	r.top = g.Sub(plane.Rect{X: left, W: cols, H: rows})
	x := left + cols + 1
	r.side = g.Sub(plane.Rect{X: x, Y: rows, W: side, H: h})
	r.names = g.Sub(plane.Rect{X: x, Y: rows + h, W: g.W() - x, H: below})
	if trace > 0 {
		r.trace = g.Sub(plane.Rect{X: x + side + 1, Y: rows, W: trace, H: h})
	}
	if n := g.W() - x; n >= leastLegend {
		r.legend = g.Sub(plane.Rect{X: x, W: n, H: rows})
	}
	return r
}

func sideCols(w int) int { return min(max(w/9, leastSide), mostSide) }

// traced reports whether a lane's pane of w×h cells has a trace beside its plane or below.
func (v *view) traced(f *pane.Frame, w, h int) bool {
	if !v.Density.Of(f.Problem()) {
		return true
	}
	p := v.scene(f)
	w, h = w-paneExtraCols, h-paneExtraRows
	h -= topRows(w, h)
	return w-p.columns(f, w, h)-1-sideCols(w) >= 1+leastTrace || p.underRows(f, w, h) > 0
}

// underRows is how many of h rows are for a trace below a plane that has w columns: what the
// plane leaves free, or else some of its rows, if there are enough.
func (p *scene) underRows(f *pane.Frame, w, h int) int {
	if h < 12 {
		return 0
	}
	rows := max(h/5, leastUnder)
	if p.plane {
		l := p.Density.Frame.True(f.Theme, w, h, slackOf(h))
		free := h - int(math.Ceil((1-slackOf(h))*p.Density.Frame.Y.Len()/l.Y.Len()*float64(h)))
		rows = min(max(rows, free), mostUnder)
	}
	return rows
}

// The rows of a trace below the plane.
const leastUnder, mostUnder = 3, 8

// leastSideRows is the least height of a plot with something beside it.
const leastSideRows = 4

// topRows is the rows of the marginal above a plot of w×h cells.
func topRows(w, h int) int {
	switch {
	case w < 28 || h < 14:
		return 0
	case h < 20:
		return 2
	case h < 30:
		return 3
	}
	return 4
}

// columns is how many of w columns the density's frame needs on h rows.
func (p *scene) columns(f *pane.Frame, w, h int) int {
	slack := slackOf(h)
	l := p.Density.Frame.True(f.Theme, w, h, slack)
	unit := l.X.Len() / float64(w)
	return min(int(math.Ceil((1-slack)*p.Density.Frame.X.Len()/unit-1e-9)), w)
}
