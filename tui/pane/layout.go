package pane

import "github.com/psgld/psgld-tui/tui/plane"

// EmptyView says why there is nothing to draw, if that is so.
func EmptyView(g plane.Region, f *Frame) bool {
	if len(f.Lanes()) > 0 {
		return false
	}
	g.TextCenter(g.H()/2, "no lanes", f.Theme.Dim)
	return true
}

// The stage's measures, in cells.
const (
	WideStage  = 110 // from here on charts stand beside each other
	ChartRows  = 8   // the least height of a chart
	PaneRows   = 10  // the least height of a lane's pane
	SideStage  = 150 // from here on one lane has its charts beside it
	MinPaneCol = 20
)

// Stack and beside divide a rect evenly.
func Stack(parts []plane.Rect, r plane.Rect) {
	for i := range parts {
		y0, y1 := r.H*i/len(parts), r.H*(i+1)/len(parts)
		parts[i] = plane.Rect{X: r.X, Y: r.Y + y0, W: r.W, H: y1 - y0}
	}
}

func Beside(parts []plane.Rect, r plane.Rect) {
	for i := range parts {
		x0, x1 := r.W*i/len(parts), r.W*(i+1)/len(parts)
		parts[i] = plane.Rect{X: r.X + x0, Y: r.Y, W: x1 - x0, H: r.H}
	}
}

// TooSmall reports whether there is no room for more than one pane of a view.
func TooSmall(w, h int) bool {
	return h < PaneRows || w < 2*PaneW && h < PaneRows+ChartRows
}

// The sizes of the screen: from paneW×paneH on it has a pane, from fullW×fullH on
// panes stand beside each other.
const (
	PaneW, PaneH = 28, 11
	fullW, FullH = 120, 36
)
