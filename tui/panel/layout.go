package panel

import "github.com/psgld/psgld-tui/tui/plane"

// emptyView says why there is nothing to draw, if that is so.
func emptyView(g plane.Region, f *Frame) bool {
	if len(f.lanes()) > 0 {
		return false
	}
	g.TextCenter(g.H()/2, "no lanes", f.Theme.Dim)
	return true
}

// The stage's measures, in cells.
const (
	wideStage  = 110 // from here on charts stand beside each other
	chartRows  = 8   // the least height of a chart
	paneRows   = 10  // the least height of a lane's pane
	sideStage  = 150 // from here on one lane has its charts beside it
	minPaneCol = 20
)

// stack and beside divide a rect evenly.
func stack(parts []plane.Rect, r plane.Rect) {
	for i := range parts {
		y0, y1 := r.H*i/len(parts), r.H*(i+1)/len(parts)
		parts[i] = plane.Rect{X: r.X, Y: r.Y + y0, W: r.W, H: y1 - y0}
	}
}

func beside(parts []plane.Rect, r plane.Rect) {
	for i := range parts {
		x0, x1 := r.W*i/len(parts), r.W*(i+1)/len(parts)
		parts[i] = plane.Rect{X: r.X + x0, Y: r.Y, W: x1 - x0, H: r.H}
	}
}

// tooSmall reports whether there is no room for more than one pane of a view.
func tooSmall(w, h int) bool {
	return h < paneRows || w < 2*paneW && h < paneRows+chartRows
}

// The sizes of the screen: from paneW×paneH on it has a pane, from fullW×fullH on
// panes stand beside each other.
const (
	paneW, paneH = 28, 11
	fullW, fullH = 120, 36
)
