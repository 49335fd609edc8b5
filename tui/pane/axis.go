package pane

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
)

// An Axis is the meaning of a chart's horizontal or vertical axis. Charts with the same
// axis are zoomed together and show the cross at the same place.
type Axis uint8

// The axes.
const (
	NoAxis     Axis = iota
	Progress        // of curves: steps, epochs, gradients or seconds
	Lag             // of the autocorrelation
	CoordX          // the watched coordinates
	CoordY          //
	ThetaAxis       // the weights of a layer
	GainAxis        // log₁₀ of their preconditioner
	ShiftAxis       // the amount of a shift of the inputs
	GridAxis        // the cells of a grid, from 0
	Confidence      // of a prediction
	Accuracy        // of predictions with that confidence
	DivergedX       // the bent axes of a lane that has diverged
	DivergedY       //
	numAxes
)

// Zoom is the part of each axis that is shown; the zero Range is all of it.
type Zoom [numAxes]Range

// Cross is a place on one or two axes, NoAxis for none.
type Cross struct {
	AxisX, AxisY Axis
	X, Y         float64
}

// On is the place on an axis, if the cross has one.
func (c *Cross) On(a Axis) (float64, bool) {
	switch {
	case a == NoAxis:
	case c.AxisX == a:
		return c.X, true
	case c.AxisY == a:
		return c.Y, true
	}
	return 0, false
}

// Shown is the visible part of an axis whose whole range is all.
func (f *Frame) Shown(a Axis, all Range) Range {
	if z := f.Zoom[a]; z.Set() {
		return z
	}
	return all
}

// Window is the visible part of a plane of two axes whose whole window is all.
func (f *Frame) Window(axisX, axisY Axis, all chart.Window) chart.Window {
	x, y := f.Shown(axisX, Range{all.X0, all.X1}), f.Shown(axisY, Range{all.Y0, all.Y1})
	return chart.Window{X0: x.Lo, X1: x.Hi, Y0: y.Lo, Y1: y.Hi}
}

// crossStep is the place of the cross on the curves, moved to the nearest point of the
// focused lane's history; false without a cross or a history.
func (f *Frame) crossStep() (float64, bool) {
	x, ok := f.Cross.On(Progress)
	v := f.Focused()
	if !ok || v == nil {
		return 0, false
	}
	i := f.nearest(v.History, x)
	if i < 0 {
		return 0, false
	}
	return f.At(&v.History[i]), true
}

// nearest is the index of the point nearest to x on the frame's axis, -1 without
// points.
func (f *Frame) nearest(h []engine.Point, x float64) int {
	best, at := math.Inf(1), -1
	for i := range h {
		if d := math.Abs(f.At(&h[i]) - x); d < best {
			best, at = d, i
		}
	}
	return at
}

// Move moves the cross in a pane by dx and dy places and keeps it on the plot. A place
// is a point of the focused lane's history on curves, a lag on autocorrelations, and
// elsewhere a column or a row. Without a cross it begins at the newest point, or in the
// middle.
func Move(f Frame, p Shown, dx, dy int) Cross {
	at := &p.Plot
	if at.Rect.Empty() {
		return Cross{}
	}
	c := Cross{AxisX: at.AxisX, AxisY: at.AxisY}
	x, had := f.Cross.On(at.AxisX)
	if had && !(x >= at.X.Lo && x <= at.X.Hi) {
		had = false
	}
	if !had {
		x = at.X.Lo/2 + at.X.Hi/2
	}
	switch at.AxisX {
	case Progress:
		c.X = f.moveProgress(at, x, dx, had)
	case Lag, GridAxis:
		c.X = math.Round(x) + float64(dx)
	default:
		c.X = x + float64(dx)*(at.X.Hi-at.X.Lo)/float64(at.Rect.W)
	}
	c.X = min(max(c.X, at.X.Lo), at.X.Hi)
	if at.AxisY == NoAxis {
		return c
	}
	y, had := f.Cross.On(at.AxisY)
	if !had || !(y >= at.Y.Lo && y <= at.Y.Hi) {
		y = at.Y.Lo/2 + at.Y.Hi/2
	}
	c.Y = min(max(y+float64(dy)*(at.Y.Hi-at.Y.Lo)/float64(at.Rect.H), at.Y.Lo), at.Y.Hi)
	return c
}

// moveProgress moves along the focused lane's points within the plot.
func (f *Frame) moveProgress(at *Plot, x float64, by int, had bool) float64 {
	v := f.Focused()
	if v == nil {
		return x
	}
	h := v.History
	i := f.nearest(h, x)
	if !had {
		i = f.nearest(h, at.X.Hi)
	} else {
		i += by
	}
	if i = min(max(i, 0), len(h)-1); i < 0 {
		return x
	}
	if x := f.At(&h[i]); x == x {
		return x
	}
	return x
}
