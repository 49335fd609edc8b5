package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// maxTicks bounds the ticks of one axis.
const maxTicks = 16

// An Axis maps values to a fraction of its length and knows its ticks.
type Axis struct {
	Range
	Log   bool    // it is logarithmic; one of values so near to each other that it makes no difference is not
	step  float64 // between the ticks, 0 where they are not even
	ticks []float64
	// fitted says that the axis was fitted to cells, and per how many of them are from tick to tick on a linear axis.
	fitted bool
	per    int
	// counted says that the ticks are counted from a base.
	counted bool
	base    float64
	// A bent axis has its range in the units of its bend, and its ticks with the most important first.
	bend Bend
}

// FitX is an axis of a range, somewhat widened so that ticks stand evenly, on so many columns.
func FitX(r Range, log bool, cols int) Axis {
	return fitAxis(r, log, fitting{cells: cols, per: 10, width: 8})
}

// FitY is an axis of a range, somewhat widened so that ticks stand evenly, on so many rows with labels of a width.
func FitY(r Range, log bool, rows, width int) Axis {
	return fitAxis(r, log, fitting{cells: rows, per: min(max(rows/5, 2), 6), width: width, raised: true})
}

// endsOf is an axis of a range that round values do not divide. Its ends have labels, the upper
// one as a distance from the lower where a width has no room to tell them apart.
func endsOf(r Range, log bool, width int) Axis {
	a := Axis{Range: r, Log: log}
	if finite(r.Lo) && finite(r.Hi) && r.Hi > r.Lo && (!log || r.Lo > 0) {
		a.ticks = []float64{r.Lo, r.Hi}
		a.base, a.counted = r.Lo, !a.distinct(width, false)
	}
	return a
}

// frac is where v lies between the ends: 0 and 1 there, NaN where the axis does not have it.
func (a *Axis) frac(v float64) float64 { return a.Frac(a.bend.To(v), a.Log) }

// LabelX draws ticks and labels of a horizontal axis along g, which is as wide as the plot: a line with ticks and
// labels beneath it, or in a single row the labels set into the line. A bent axis has no tick without a label.
func (a *Axis) LabelX(g plane.Region, th theme.Theme) {
	w := g.W()
	g.HLine(0, 0, w, th.Glyphs.Horizontal, th.Faint)
	var taken [][2]int // the columns of labels, with one after them
	for _, v := range a.ticks {
		f := a.frac(v)
		if !(f >= 0 && f <= 1) {
			continue
		}
		col, label := min(int(f*float64(w)), w-1), a.label(v, a.step, 8)
		left, right := labelSpan(col, label, w)
		fits := !slices.ContainsFunc(taken, func(o [2]int) bool { return left < o[1] && o[0] <= right })
		if g.H() > 1 && (fits || !a.bend.Bent()) {
			g.Set(col, 0, th.Glyphs.TickX, th.Faint)
		}
		if fits {
			tickX(g, th, left, label)
			taken = append(taken, [2]int{left, right + 1})
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
// single row. Of the line's first and last cell half stays, so that its ends are seen.
func tickX(g plane.Region, th theme.Theme, left int, label string) {
	right := left + plane.Width(label)
	if g.H() > 1 {
		g.TextRight(right, 1, label, th.Dim)
		return
	}
	before, after := ' ', ' '
	if left == 1 && !th.ASCII {
		before = '╴'
	}
	if right == g.W()-1 && !th.ASCII {
		after = '╶'
	}
	g.Set(left-1, 0, before, th.Faint)
	g.TextRight(right, 0, label, th.Dim)
	g.Set(right, 0, after, th.Faint)
}

// LabelY draws a vertical axis on g, whose rows tile the axis: labels right-aligned, then
// a line whose tick rows are marked, one tick a row.
func (a *Axis) LabelY(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	g.VLine(w-1, 0, h, th.Glyphs.Vertical, th.Faint)
	var taken []int
	for _, v := range a.ticks {
		f := a.frac(v)
		row := h - 1 - min(max(int(f*float64(h)), 0), h-1)
		if f >= -1e-9 && f <= 1+1e-9 && !slices.Contains(taken, row) {
			taken = append(taken, row)
			g.Set(w-1, row, th.Glyphs.TickY, th.Faint)
			g.TextRight(w-1, row, a.label(v, a.step, w-1), th.Dim)
		}
	}
}

// distinct reports whether labels of a width differ from tick to tick and, if all is set, show all digits.
func (a *Axis) distinct(width int, all bool) bool {
	last := ""
	for i, v := range a.ticks {
		label := a.label(v, a.step, width)
		if i > 0 && v != a.ticks[i-1] && label == last {
			return false
		}
		if last = label; !all {
			continue
		}
		// A dropped zero before the point counts for nothing.
		full := plane.Tick(v, a.step, math.MaxInt)
		if len(full) > width && strings.Replace(full, "0.", ".", 1) != plane.Tick(v, a.step, width) {
			return false
		}
	}
	return true
}

// label is the label of a tick among others a step apart.
func (a *Axis) label(v, step float64, width int) string {
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
	return plane.Rect{W: plot.X, H: plot.H}, plane.Rect{X: plot.X, Y: plot.H, W: plot.W, H: xh},
		plane.Rect{X: axesWidth, Y: plot.H, W: 1, H: 1}, plot
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
	if _, _, _, plot := splitAxes(g); win.Valid() {
		drawAxes(g, th, x.axis(win.X, max(plot.W/24, 1)), y.axis(win.Y, max(plot.H/6, 1)))
	}
}

// drawAxes draws the axes of a plane of draws, if g has room for them.
func drawAxes(g plane.Region, th theme.Theme, x, y Axis) {
	if left, below, corner, _ := splitAxes(g); below.W > 0 {
		x.LabelX(g.Sub(below), th)
		y.LabelY(g.Sub(left), th)
		g.Sub(corner).Set(0, 0, th.Glyphs.AxisCorner, th.Faint)
	}
}
