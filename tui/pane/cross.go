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
	if c.X, c.OnX = f.Cross.On(axisX); c.OnX && c.X >= win.X0 && c.X <= win.X1 {
		c.Col = min(int((c.X-win.X0)/(win.X1-win.X0)*float64(w)), w-1)
		plot.CrossV(c.Col, f.Theme)
	} else {
		c.OnX = false
	}
	if c.Y, c.OnY = f.Cross.On(axisY); c.OnY && c.Y >= win.Y0 && c.Y <= win.Y1 {
		c.Row = min(int((win.Y1-c.Y)/(win.Y1-win.Y0)*float64(h)), h-1)
		plot.CrossH(c.Row, f.Theme)
	} else {
		c.OnY = false
	}
	return c
}
