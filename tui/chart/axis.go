package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// maxTicks bounds the ticks of one axis.
const maxTicks = 16

// axis maps values to a fraction of its length and knows its ticks.
type axis struct {
	lo, hi float64
	log    bool
	step   float64
	ticks  [maxTicks + 1]float64
	n      int
	// counted says that the ticks are counted from lo.
	counted bool
}

// newAxis builds an axis over [lo, hi] with about want ticks; none on a log axis
// whose lo is not positive.
func newAxis(lo, hi float64, log bool, want int) axis {
	a := axis{lo: lo, hi: hi, log: log}
	want = min(want, maxTicks)
	if log && !(lo > 0) {
		return a
	}
	var t []float64
	if log {
		t = LogTicks(a.ticks[:0], lo, hi, want)
		if len(t) < 2 || len(t) < 3 && want > 4 && hi < 10*lo { // even steps say more
			t, a.step = a.even(want)
		}
	} else {
		t, a.step = a.even(want)
	}
	// A single tick says nothing of the scale.
	for more := 1; more <= 2 && len(t) < 2 && want+more <= maxTicks && hi-lo > 1e-12*max(-lo, hi); more++ {
		t, a.step = a.even(want + more)
	}
	a.n = min(len(t), maxTicks)
	return a
}

// even are ticks at even steps.
func (a *axis) even(want int) (t []float64, step float64) {
	t, step = Ticks(a.ticks[:0], a.lo, a.hi, want)
	if a.log && len(t) > 0 && !(t[0] > 0) { // a multiple of zero, by rounding
		t = append(t[:0], t[1:]...)
	}
	return t, step
}

// frac is where v lies between lo and hi: 0 and 1 at the ends, NaN where the
// axis does not have it.
func (a *axis) frac(v float64) float64 {
	if a.log {
		if !(v > 0) {
			return math.NaN()
		}
		// A ratio's logarithm keeps ends apart that differ in their last digits.
		if r := a.hi / a.lo; !math.IsInf(r, 0) {
			return math.Log(v/a.lo) / math.Log(r)
		}
		l := math.Log(a.lo)
		return (math.Log(v) - l) / (math.Log(a.hi) - l)
	}
	return fracOf(v, a.lo, a.hi)
}

// fracOf is (v-lo)/(hi-lo), also where the difference of the ends overflows.
func fracOf(v, lo, hi float64) float64 {
	if d := hi - lo; !math.IsInf(d, 0) {
		return (v - lo) / d
	}
	return (v/2 - lo/2) / (hi/2 - lo/2)
}

// labelX draws ticks and labels of a horizontal axis along g, which is as wide
// as the plot: a line with ticks and labels beneath it, or in a single row the
// labels set into the line.
func (a *axis) labelX(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	if g.Empty() {
		return
	}
	gl := th.Glyphs
	g.HLine(0, 0, w, gl.Horizontal, th.Faint)
	free := 0 // first column that no label has taken
	for _, v := range a.ticks[:a.n] {
		f := a.frac(v)
		if !(f >= 0 && f <= 1) {
			continue
		}
		col := min(int(f*float64(w)), w-1)
		label := plane.Tick(v, a.step, 8)
		n := plane.Width(label)
		left := max(min(max(col-n/2, 0), w-n), 0)
		if h > 1 {
			g.Set(col, 0, gl.TickX, th.Faint)
		}
		if left < free {
			continue
		}
		if h > 1 {
			g.TextRight(left+n, 1, label, th.Dim)
		} else {
			g.Set(left-1, 0, ' ', plane.Style{})
			g.TextRight(left+n, 0, label, th.Dim)
			g.Set(left+n, 0, ' ', plane.Style{})
		}
		free = left + n + 2
	}
}

// labelY draws a vertical axis on g: labels right-aligned, then a line whose
// tick rows are marked. rowOf gives the row of a fraction.
func (a *axis) labelY(g plane.Region, th theme.Theme, rowOf func(f float64, rows int) int) {
	w, h := g.Size()
	if g.Empty() {
		return
	}
	g.VLine(w-1, 0, h, th.Glyphs.Vertical, th.Faint)
	if !(a.lo <= a.hi) || a.log && !(a.lo > 0) { // no value to label
		return
	}
	a.settle(w - 1)
	if _, _, n := a.rows(h, rowOf, nil); n < 2 && h >= 2 && !a.counted && !a.ended(w-1) {
		a.count()
	}
	first, last, labels := a.rows(h, rowOf, func(row int, v float64) { a.tickY(g, th, row, v, a.step) })
	// Where fewer than two say how far the axis goes, its ends do; and so does an end
	// that is far from all of them.
	if h < 2 || a.hi == a.lo || a.counted {
		return
	}
	far := func(rows int) bool { return labels < 2 && rows > 0 || rows > 2 && 5*rows >= 2*h }
	if far(last) {
		a.tickY(g, th, 0, a.hi, 0)
	}
	if far(h-1-first) || labels == 0 {
		a.tickY(g, th, h-1, a.lo, 0)
	}
}

// rows goes through the ticks upwards, one a row, and returns the first and the last
// of their rows and how many there are.
func (a *axis) rows(h int, rowOf func(f float64, rows int) int, draw func(row int, v float64)) (first, last, n int) {
	first, last = h, h
	for _, v := range a.ticks[:a.n] {
		f := a.frac(v)
		if !(f >= -1e-9 && f <= 1+1e-9) {
			continue
		}
		row := rowOf(f, h)
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

// settle takes coarser ticks while labels of a width cannot tell the ticks apart, or
// not with all of their digits. Where no such ticks are left it counts from the
// lower end: that has its value, and the ticks how far above it they are.
func (a *axis) settle(width int) {
	fine := *a
	for want := a.n - 1; a.step > 0 && !a.told(width, true); want-- {
		if want < 2 {
			*a = fine
			break
		}
		t, step := a.even(want)
		a.n, a.step = min(len(t), maxTicks), step
	}
	if !a.told(width, false) {
		a.count()
	}
}

// count counts the ticks from the lower end.
func (a *axis) count() {
	if !(a.hi-a.lo > 1e-12*max(-a.lo, a.hi)) || a.log && !(a.lo > 0) {
		return
	}
	t, step := Ticks(a.ticks[:0], 0, a.hi-a.lo, max(a.n, 3))
	for i := range t {
		t[i] += a.lo
	}
	a.n, a.step, a.counted = min(len(t), maxTicks), step, true
}

// ended reports whether labels of a width tell the ends apart, and from the first
// tick.
func (a *axis) ended(width int) bool {
	v := a.ticks[0]
	return reads(a.lo, 0, a.hi, 0, width) &&
		(a.n == 0 || reads(a.lo, 0, v, a.step, width) && reads(v, a.step, a.hi, 0, width))
}

// told reports whether labels of a width tell the ticks apart, and, if that is asked,
// have all of their digits.
func (a *axis) told(width int, all bool) bool {
	for i, v := range a.ticks[:a.n] {
		if i > 0 && !reads(a.ticks[i-1], a.step, v, a.step, width) {
			return false
		}
		// The zero before the point is none that one misses.
		if all && len(plane.Tick(v, a.step, width))+1 < len(plane.Tick(v, a.step, math.MaxInt)) {
			return false
		}
	}
	return true
}

// reads reports whether two values, each with its step, read otherwise in labels of
// a width, if they are two.
func reads(v, vStep, w, wStep float64, width int) bool {
	return v == w || plane.Tick(v, vStep, width) != plane.Tick(w, wStep, width)
}

// tickY marks a row of a vertical axis and writes its value.
func (a *axis) tickY(g plane.Region, th theme.Theme, row int, v, step float64) {
	w := g.W()
	g.Set(w-1, row, th.Glyphs.TickY, th.Faint)
	label := plane.Tick(v, step, w-1)
	switch {
	case a.counted && v > a.lo:
		label = "+" + plane.Tick(v-a.lo, step, w-2)
	case a.counted:
		label = longest(v, w-1)
	}
	g.TextRight(w-1, row, label, th.Dim)
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

// rowFloor places a fraction in rows that tile the axis, as a plane of dots
// does; rowRound places it on rows whose middles span it, as a line chart does.
func rowFloor(f float64, rows int) int {
	return rows - 1 - min(max(int(f*float64(rows)), 0), rows-1)
}

func rowRound(f float64, rows int) int {
	return rows - 1 - min(max(int(math.Round(f*float64(rows-1))), 0), rows-1)
}

// Axes are labelled edges around a plane of draws: Y on the left, X below.
type Axes struct {
	YWidth int // columns for the labels of Y; 0 means 5
}

// split divides a region; without room for axes all of it is the plot.
func (a Axes) split(g plane.Region) (y, x, corner, plot plane.Rect) {
	yw := a.YWidth
	if yw <= 0 {
		yw = 5
	}
	w, h := g.Size()
	if w < yw+12 || h < 4 {
		return plane.Rect{}, plane.Rect{}, plane.Rect{}, g.Bounds()
	}
	xh := 1
	if h >= 14 {
		xh = 2
	}
	plot = plane.Rect{X: yw + 1, W: w - yw - 1, H: h - xh}
	return plane.Rect{W: yw + 1, H: plot.H}, plane.Rect{X: plot.X, Y: plot.H, W: plot.W, H: xh}, plane.Rect{X: yw, Y: plot.H, W: 1, H: 1}, plot
}

// Plot returns the part of g inside the axes, which depends on g's size alone.
// Size the canvas by it, choose the window, then call Draw.
func (a Axes) Plot(g plane.Region) plane.Region {
	_, _, _, plot := a.split(g)
	return g.Sub(plot)
}

// Draw labels the axes for a window and returns the plot inside them.
func (a Axes) Draw(g plane.Region, th theme.Theme, win Window) plane.Region {
	yr, xr, corner, plot := a.split(g)
	if win.Valid() && xr.W > 0 {
		ya := newAxis(win.Y0, win.Y1, false, max(2, plot.H/3))
		xa := newAxis(win.X0, win.X1, false, max(2, plot.W/8))
		ya.labelY(g.Sub(yr), th, rowFloor)
		xa.labelX(g.Sub(xr), th)
		g.Sub(corner).Set(0, 0, th.Glyphs.AxisCorner, th.Faint)
	}
	return g.Sub(plot)
}
