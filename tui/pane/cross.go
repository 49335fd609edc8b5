package pane

import (
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A planeCross is the cross on a plot of two axes: its place on each axis that it has,
// and its cell of the plot.
type planeCross struct {
	X, Y     float64
	OnX, OnY bool
	Col, Row int
}

// Both reports whether the cross is a point of the plot.
func (c *planeCross) Both() bool { return c.OnX && c.OnY }

// DrawCross draws the cross on a plot with a window: a line for each axis on which it
// has a place.
func (f *Frame) DrawCross(plot plane.Region, win chart.Window, axisX, axisY Axis) (c planeCross) {
	if plot.Empty() || !win.Valid() {
		return c
	}
	w, h := plot.Size()
	c.X, c.OnX = f.Cross.On(axisX)
	if c.OnX = c.OnX && win.X.Contains(c.X); c.OnX {
		c.Col = min(int(win.X.Frac(c.X, false)*float64(w)), w-1)
		plot.CrossV(c.Col, f.Theme)
	}
	c.Y, c.OnY = f.Cross.On(axisY)
	if c.OnY = c.OnY && win.Y.Contains(c.Y); c.OnY {
		c.Row = min(int((win.Y.Hi-c.Y)/win.Y.Len()*float64(h)), h-1)
		plot.CrossH(c.Row, f.Theme)
	}
	return c
}
