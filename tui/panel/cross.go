package panel

import (
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A planeCross is the cross on a plot of two axes: where it is, on which of them, and
// in which cell of the plot.
type planeCross struct {
	x, y     float64
	onX, onY bool
	col, row int
}

// both reports whether the cross is a point of the plot.
func (c *planeCross) both() bool { return c.onX && c.onY }

// cross draws a line across a plot for each of its axes on which the cross is, within
// the window that is shown.
func (f *Frame) cross(plot plane.Region, win chart.Window, axisX, axisY Axis) (c planeCross) {
	if plot.Empty() || !win.Valid() {
		return c
	}
	w, h := plot.Size()
	if c.x, c.onX = f.Cross.on(axisX); c.onX && c.x >= win.X0 && c.x <= win.X1 {
		c.col = min(int((c.x-win.X0)/(win.X1-win.X0)*float64(w)), w-1)
		plot.CrossV(c.col, f.Theme)
	} else {
		c.onX = false
	}
	if c.y, c.onY = f.Cross.on(axisY); c.onY && c.y >= win.Y0 && c.y <= win.Y1 {
		c.row = min(int((win.Y1-c.y)/(win.Y1-win.Y0)*float64(h)), h-1)
		plot.CrossH(c.row, f.Theme)
	} else {
		c.onY = false
	}
	return c
}
