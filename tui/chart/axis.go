package chart

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// maxTicks bounds the ticks of one axis.
const maxTicks = 16

// axis maps values to a fraction of its length and knows its ticks.
type axis struct {
	Range
	log   bool
	step  float64 // between the ticks, 0 where they are not even
	ticks []float64
	// fitted says that the axis was fitted to cells, and per how many of them are from
	// tick to tick on a linear axis.
	fitted bool
	per    int
	// counted says that the ticks are counted from a base.
	counted bool
	base    float64
}

// newAxis builds an axis over a range with about want ticks; none on a log axis
// whose lower end is not positive.
func newAxis(r Range, log bool, want int) axis {
	lo, hi, a := r.Lo, r.Hi, axis{Range: r, log: log}
	want = min(want, maxTicks)
	if log && !(lo > 0) {
		return a
	}
	if log {
		a.set(logTicks(lo, hi, want), 0)
	}
	if n := len(a.ticks); !log || n < 2 || n < 3 && want > 4 && hi < 10*lo { // even steps say more
		a.even(want)
	}
	// A single tick says nothing of the scale.
	for more := 1; more <= 2 && len(a.ticks) < 2 && want+more <= maxTicks && hi-lo > 1e-12*max(-lo, hi); more++ {
		a.even(want + more)
	}
	return a
}

func (a *axis) set(t []float64, step float64) {
	a.ticks, a.step = t[:min(len(t), maxTicks)], step
}

// even takes about want ticks at even steps.
func (a *axis) even(want int) {
	t, step := ticks(a.Lo, a.Hi, want)
	if a.log && len(t) > 0 && !(t[0] > 0) { // a multiple of zero, by rounding
		t = t[1:]
	}
	a.set(t, step)
}

// frac is where v lies between the ends: 0 and 1 there, NaN where the axis does not
// have it.
func (a *axis) frac(v float64) float64 { return a.Frac(v, a.log) }

// LabelX draws a horizontal axis over a range with about want ticks along g, as labelX does.
func LabelX(g plane.Region, th theme.Theme, r Range, log bool, want int) {
	a := newAxis(r, log, want)
	a.labelX(g, th)
}

// LabelY draws a vertical axis over a range with about want ticks on g, as labelY does.
func LabelY(g plane.Region, th theme.Theme, r Range, log bool, want int) {
	a := newAxis(r, log, want)
	a.labelY(g, th)
}

// labelX draws ticks and labels of a horizontal axis along g, which is as wide
// as the plot: a line with ticks and labels beneath it, or in a single row the
// labels set into the line.
func (a *axis) labelX(g plane.Region, th theme.Theme) {
	w := g.W()
	if g.Empty() {
		return
	}
	g.HLine(0, 0, w, th.Glyphs.Horizontal, th.Faint)
	free := 0 // first column that no label has taken
	for _, v := range a.ticks {
		f := a.frac(v)
		if !(f >= 0 && f <= 1) {
			continue
		}
		col, label := min(int(f*float64(w)), w-1), a.label(v, a.step, 8)
		if g.H() > 1 {
			g.Set(col, 0, th.Glyphs.TickX, th.Faint)
		}
		if left, right := labelSpan(col, label, w); left >= free {
			tickX(g, th, left, label)
			free = right + 1
		}
	}
}

// labelSpan is the columns of an axis of width w on which the label of a tick stands.
func labelSpan(col int, label string, w int) (left, right int) {
	n := plane.Width(label)
	left = max(min(max(col-n/2, 0), w-n), 0)
	return left, left + n
}

// tickX writes a label of a horizontal axis below its line, or into it where there is a
// single row.
func tickX(g plane.Region, th theme.Theme, left int, label string) {
	right := left + plane.Width(label)
	if g.H() > 1 {
		g.TextRight(right, 1, label, th.Dim)
		return
	}
	g.Set(left-1, 0, ' ', plane.Style{})
	g.TextRight(right, 0, label, th.Dim)
	g.Set(right, 0, ' ', plane.Style{})
}

// labelY draws a vertical axis on g, whose rows tile the axis: labels right-aligned, then
// a line whose tick rows are marked.
func (a *axis) labelY(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	if g.Empty() {
		return
	}
	g.VLine(w-1, 0, h, th.Glyphs.Vertical, th.Faint)
	if !(a.Lo <= a.Hi) || a.log && !(a.Lo > 0) { // no value to label
		return
	}
	if a.fitted {
		a.rows(h, func(row int, v float64) { a.tickY(g, th, row, v, a.step) })
		return
	}
	a.settle(w - 1)
	if _, _, n := a.rows(h, nil); n < 2 && h >= 2 && !a.counted && !a.ended(w-1) {
		a.count()
	}
	first, last, labels := a.rows(h, func(row int, v float64) { a.tickY(g, th, row, v, a.step) })
	// With fewer than two labels the ends are labelled too, and so is an end far from
	// every label.
	if h < 2 || a.Hi == a.Lo || a.counted {
		return
	}
	far := func(rows int) bool { return labels < 2 && rows > 0 || rows > 2 && 5*rows >= 2*h }
	if far(last) {
		a.tickY(g, th, 0, a.Hi, 0)
	}
	if far(h-1-first) || labels == 0 {
		a.tickY(g, th, h-1, a.Lo, 0)
	}
}

// rows goes through the ticks upwards, one a row, and returns the first and the last
// of their rows and how many there are.
func (a *axis) rows(h int, draw func(row int, v float64)) (first, last, n int) {
	first, last = h, h
	for _, v := range a.ticks {
		f := a.frac(v)
		if !(f >= -1e-9 && f <= 1+1e-9) {
			continue
		}
		row := rowFloor(f, h)
		if row >= last {
			continue
		}
		if last = row; n == 0 {
			first = row
		}
		n++
		if draw != nil {
			draw(row, v)
		}
	}
	return first, last, n
}

// settle takes coarser ticks while labels of a width are not distinct or lack digits.
// If no ticks are distinct it counts from the lower end: the end is labelled with its
// value, each tick with its distance from there.
func (a *axis) settle(width int) {
	fine := *a
	for want := len(a.ticks) - 1; a.step > 0 && !a.distinct(width, true); want-- {
		if want < 2 {
			*a = fine
			break
		}
		a.even(want)
	}
	if !a.distinct(width, false) {
		a.count()
	}
}

// count counts the ticks from the lower end.
func (a *axis) count() {
	if !(a.Hi-a.Lo > 1e-12*max(-a.Lo, a.Hi)) || a.log && !(a.Lo > 0) {
		return
	}
	t, step := ticks(0, a.Len(), max(len(a.ticks), 3))
	for i := range t {
		t[i] += a.Lo
	}
	a.set(t, step)
	a.counted, a.base = true, a.Lo
}

// ended reports whether the labels of both ends and of the first tick are distinct.
func (a *axis) ended(width int) bool {
	if len(a.ticks) == 0 {
		return reads(a.Lo, 0, a.Hi, 0, width)
	}
	v := a.ticks[0]
	return reads(a.Lo, 0, a.Hi, 0, width) && reads(a.Lo, 0, v, a.step, width) && reads(v, a.step, a.Hi, 0, width)
}

// distinct reports whether labels of a width differ from tick to tick and, if all is
// set, show all digits.
func (a *axis) distinct(width int, all bool) bool {
	for i, v := range a.ticks {
		if i > 0 && v != a.ticks[i-1] && a.label(v, a.step, width) == a.label(a.ticks[i-1], a.step, width) {
			return false
		}
		// A dropped zero before the point counts for nothing.
		if full := plane.Tick(v, a.step, math.MaxInt); all && len(full) > width && strings.Replace(full, "0.", ".", 1) != plane.Tick(v, a.step, width) {
			return false
		}
	}
	return true
}

// reads reports whether two values, each with its step, are equal or have different
// labels of a width.
func reads(v, vStep, w, wStep float64, width int) bool {
	return v == w || plane.Tick(v, vStep, width) != plane.Tick(w, wStep, width)
}

// tickY marks a row of a vertical axis and writes its value.
func (a *axis) tickY(g plane.Region, th theme.Theme, row int, v, step float64) {
	w := g.W()
	g.Set(w-1, row, th.Glyphs.TickY, th.Faint)
	g.TextRight(w-1, row, a.label(v, step, w-1), th.Dim)
}

// label is the label of a tick among others a step apart.
func (a *axis) label(v, step float64, width int) string {
	switch {
	case a.counted && v > a.base:
		return "+" + plane.Tick(v-a.base, step, width-1)
	case a.counted:
		return longest(v, width)
	}
	return plane.Tick(v, step, width)
}

// longest writes v with as many digits as a width has room for.
func longest(v float64, width int) string {
	for digits := width; digits > 2; digits-- {
		if s := plane.Exact(v, digits); plane.Width(s) <= width {
			return s
		}
	}
	return plane.Number(v, width)
}

// rowFloor is the row in which a fraction of an axis lies that rows tile.
func rowFloor(f float64, rows int) int {
	return rows - 1 - min(max(int(f*float64(rows)), 0), rows-1)
}

// axesWidth is the columns of the labels of Y on the left of a plane.
const axesWidth = 5

// LeastPlot is the least columns of a plot with axes.
const LeastPlot = 11

// splitAxes divides a region; without room for axes all of it is the plot.
func splitAxes(g plane.Region) (y, x, corner, plot plane.Rect) {
	w, h := g.Size()
	if w < axesWidth+1+LeastPlot || h < 4 {
		return plane.Rect{}, plane.Rect{}, plane.Rect{}, g.Bounds()
	}
	xh := 1
	if h >= 14 {
		xh = 2
	}
	plot = plane.Rect{X: axesWidth + 1, W: w - axesWidth - 1, H: h - xh}
	return plane.Rect{W: plot.X, H: plot.H}, plane.Rect{X: plot.X, Y: plot.H, W: plot.W, H: xh}, plane.Rect{X: axesWidth, Y: plot.H, W: 1, H: 1}, plot
}

// Plot returns the part of g inside labelled axes, which depends on g's size alone:
// size the canvas by it, choose the window, then draw its axes.
func Plot(g plane.Region) plane.Region {
	_, _, _, plot := splitAxes(g)
	return g.Sub(plot)
}

// BentAxes labels the edges of a plane of draws, Y on the left and X below. The sides of
// the window are in the units of two bends. An axis that is not bent has no labels.
func BentAxes(g plane.Region, th theme.Theme, win Window, x, y Bend) {
	left, below, corner, _ := splitAxes(g)
	if !win.Valid() || below.W == 0 {
		return
	}
	x.labelX(g.Sub(below), th, win.X)
	y.labelY(g.Sub(left), th, win.Y)
	g.Sub(corner).Set(0, 0, th.Glyphs.AxisCorner, th.Faint)
}
