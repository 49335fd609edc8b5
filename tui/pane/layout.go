package pane

import "github.com/psgld/psgld-tui/tui/plane"

// Sizes in cells.
const (
	WideStage = 110 // the least width of a view with charts beside each other
	ChartRows = 8   // the least height of a chart
	PaneRows  = 10  // the least height of a lane's pane
	FullH     = 36  // the least height of a screen with room to spare

	PaneW, PaneH = 28, 11 // the least size of a screen with a pane
)

// Stack divides a rect evenly into n, one below the other.
func Stack(r plane.Rect, n int) []plane.Rect {
	parts := make([]plane.Rect, n)
	for i := range parts {
		y0, y1 := r.H*i/n, r.H*(i+1)/n
		parts[i] = plane.Rect{X: r.X, Y: r.Y + y0, W: r.W, H: y1 - y0}
	}
	return parts
}

// Beside divides a rect evenly into n, one beside the other.
func Beside(r plane.Rect, n int) []plane.Rect {
	parts := make([]plane.Rect, n)
	for i := range parts {
		x0, x1 := r.W*i/n, r.W*(i+1)/n
		parts[i] = plane.Rect{X: r.X + x0, Y: r.Y, W: x1 - x0, H: r.H}
	}
	return parts
}

// TooSmall reports whether there is no room for more than one pane of a view.
func TooSmall(w, h int) bool {
	return h < PaneRows || w < 2*PaneW && h < PaneRows+ChartRows
}
