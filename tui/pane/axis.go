package pane

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
)

// An Axis is what runs along a chart. Charts with the same axis are zoomed
// together, and a place on it is a place in each of them.
type Axis uint8

// The axes.
const (
	NoAxis     Axis = iota
	Progress        // what curves are drawn against: steps, epochs, gradients, seconds
	Lag             // of the autocorrelation
	CoordX          // the watched coordinates
	CoordY          //
	ThetaAxis       // the weights of a layer
	GainAxis        // log₁₀ of their preconditioner
	ShiftAxis       // the amount of a shift of the inputs
	GridAxis        // the cells of a grid, from 0
	Confidence      // of a prediction
	Accuracy        // of the predictions of a confidence
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

// Shown is the part of an axis that is shown, of all of it.
func (f *Frame) Shown(a Axis, all Range) Range {
	if z := f.Zoom[a]; z.Set() {
		return z
	}
	return all
}

// Window is the part of a plane of two axes that is shown, of all of it.
func (f *Frame) Window(axisX, axisY Axis, all chart.Window) chart.Window {
	x, y := f.Shown(axisX, Range{all.X0, all.X1}), f.Shown(axisY, Range{all.Y0, all.Y1})
	return chart.Window{X0: x.Lo, X1: x.Hi, Y0: y.Lo, Y1: y.Hi}
}

// CrossStep is the place of a point of the focused lane's history that is nearest to
// the cross, and whether there is one.
func (f *Frame) CrossStep() (float64, bool) {
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

// nearest is the place of the point nearest to x on the frame's axis, -1 if
// there is none.
func (f *Frame) nearest(h []engine.Point, x float64) int {
	best, at := math.Inf(1), -1
	for i := range h {
		if d := math.Abs(f.At(&h[i]) - x); d < best {
			best, at = d, i
		}
	}
	return at
}

// Move moves the cross in a pane by places: from point to point of the focused
// lane along curves, from lag to lag, and by a column or a row elsewhere. It
// stays on the plot. Without a cross it begins at the newest point, or in the
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
