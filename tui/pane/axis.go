package pane

import (
	"math"
	"slices"
	"sort"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
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
	return chart.Window{X: f.Shown(axisX, all.X), Y: f.Shown(axisY, all.Y)}
}

// crossStep is the place of the cross on the curves, moved to the nearest point of the
// focused lane's history; false without a cross or a history.
func crossStep(f *Frame) (float64, bool) {
	x, ok := f.Cross.On(Progress)
	v := f.Focused()
	if !ok || v == nil {
		return 0, false
	}
	i := nearest(f, v.History, x)
	if i < 0 {
		return 0, false
	}
	return f.At(&v.History[i]), true
}

// nearest is the index of the point nearest to x on the frame's axis, -1 without points.
func nearest(f *Frame, h []engine.Point, x float64) int {
	return Nearest(len(h), x, func(i int) float64 { return f.At(&h[i]) })
}

// Nearest is the index of the place nearest to x among n, -1 if there is none.
func Nearest(n int, x float64, place func(i int) float64) int {
	best, at := math.Inf(1), -1
	for i := range n {
		if d := math.Abs(place(i) - x); d < best {
			best, at = d, i
		}
	}
	return at
}

// Move moves the cross in a pane by dx and dy places and keeps it on the plot. A place is a point of the focused lane's
// history on curves, a lag on autocorrelations, and elsewhere a column or a row. Without a cross it begins at the
// newest point, or in the middle.
func Move(f Frame, p Shown, dx, dy int) (c Cross) {
	at := &p.Plot
	if at.Rect.Empty() {
		return c
	}
	c.AxisX, c.AxisY = at.AxisX, at.AxisY
	x, had := f.Cross.within(at.AxisX, at.X)
	switch at.AxisX {
	case Progress:
		x = moveProgress(&f, at, x, dx, had)
	case Lag, GridAxis:
		x = math.Round(x) + float64(dx)
	default:
		x += float64(dx) * at.X.Len() / float64(at.Rect.W)
	}
	c.X = min(max(x, at.X.Lo), at.X.Hi)
	if at.AxisY != NoAxis {
		y, _ := f.Cross.within(at.AxisY, at.Y)
		c.Y = min(max(y+float64(dy)*at.Y.Len()/float64(at.Rect.H), at.Y.Lo), at.Y.Hi)
	}
	return c
}

// within is the place on an axis if the cross has one in r, else the middle of r.
func (c *Cross) within(a Axis, r Range) (x float64, ok bool) {
	if x, ok = c.On(a); ok && r.Contains(x) {
		return x, true
	}
	return r.Mid(), false
}

// moveProgress moves along the focused lane's points within the plot.
func moveProgress(f *Frame, at *Plot, x float64, by int, had bool) float64 {
	v := f.Focused()
	if v == nil || len(v.History) == 0 {
		return x
	}
	i := nearest(f, v.History, at.X.Hi)
	if had {
		i = nearest(f, v.History, x) + by
	}
	if to := f.At(&v.History[min(max(i, 0), len(v.History)-1)]); !math.IsNaN(to) {
		return to
	}
	return x
}

// A planeCross is the cross on a plot of two axes: its place on each axis that it has, and its cell of the plot.
type planeCross struct {
	X, Y     float64
	OnX, OnY bool
	Col, Row int
}

// Both reports whether the cross is a point of the plot.
func (c *planeCross) Both() bool { return c.OnX && c.OnY }

// DrawCross draws the cross on a plot with a window: a line for each axis on which it has a place.
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

// maxMarks bounds the marks on a chart. The newest stay.
const maxMarks = 24

// Marks are the snapshot's newest marks at their place on the axis, each with its text, "ε 0.1→0.3 @12,400". A change
// of linked lanes is one mark. If the lanes changed differently, its text lists the change of each.
func (f *Frame) Marks() (all []chart.VMark) {
	if f.Snap == nil {
		return nil
	}
	lanes, marks := f.Lanes(), f.Snap.Marks
	from := max(len(marks)-maxMarks*state.MaxLanes, 0)
	for i := from; i < len(marks); i++ {
		k := &marks[i]
		if slices.ContainsFunc(marks[from:i], func(o state.Mark) bool { return sameTurn(&o, k) }) {
			continue
		}
		turn := []state.Mark{*k}
		for j := i + 1; j < len(marks) && len(turn) < len(lanes); j++ {
			if sameTurn(&marks[j], k) && marks[j].Lane != turn[len(turn)-1].Lane {
				turn = append(turn, marks[j])
			}
		}
		if x := markX(f, k); !math.IsNaN(x) {
			all = append(all, chart.VMark{X: x, Label: markLabel(turn, len(turn) >= len(lanes))})
		}
	}
	return all[max(len(all)-maxMarks, 0):]
}

// sameTurn reports whether two marks are of one change: of the same setting at the same step.
func sameTurn(a, b *state.Mark) bool {
	return a.Step == b.Step && a.Change.Subject() == b.Change.Subject()
}

// markLabel is the text of one mark for the marks of a change, of all lanes or of some.
func markLabel(turn []state.Mark, all bool) string {
	differs := slices.ContainsFunc(turn, func(k state.Mark) bool {
		return wording.Change(k.Change) != wording.Change(turn[0].Change)
	})
	label := ""
	for j := range turn {
		if j > 0 && !differs {
			break
		}
		if j > 0 {
			label += ", "
		}
		if !all || differs {
			label += Letter(turn[j].Lane) + " "
		}
		label += plane.Exponents(wording.Change(turn[j].Change))
	}
	return label + " @" + plane.Count(turn[0].Step)
}

// markX is a mark's place on the frame's axis, NaN if its lane is not there.
func markX(f *Frame, k *state.Mark) float64 {
	switch f.AxisNow() {
	case ByStep:
		return float64(k.Step)
	case ByClock:
		return k.Seconds
	}
	for _, v := range f.EachLane() {
		if v.ID != k.Lane || len(v.History) == 0 {
			continue
		}
		h := v.History
		j := sort.Search(len(h), func(j int) bool { return h[j].Step >= k.Step })
		if j == len(h) {
			return f.At(&h[j-1])
		}
		if j == 0 || h[j].Step == h[j-1].Step {
			return f.At(&h[j])
		}
		t := float64(k.Step-h[j-1].Step) / float64(h[j].Step-h[j-1].Step)
		a, b := f.At(&h[j-1]), f.At(&h[j])
		return a + t*(b-a)
	}
	return math.NaN()
}
