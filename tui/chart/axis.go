package chart

import (
	"math"
	"unicode/utf8"

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
		if len(t) < 2 { // less than a decade: even steps say more
			t, a.step = Ticks(a.ticks[:0], lo, hi, want)
			if len(t) > 0 && !(t[0] > 0) { // a multiple of zero, by rounding
				t = append(t[:0], t[1:]...)
			}
		}
	} else {
		t, a.step = Ticks(a.ticks[:0], lo, hi, want)
	}
	a.n = min(len(t), maxTicks)
	return a
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
func (a *axis) labelX(g Region, th theme.Theme) {
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
		var buf [numberCap]byte
		label := AppendTick(buf[:0], v, a.step, 8)
		n := utf8.RuneCount(label)
		left := max(min(max(col-n/2, 0), w-n), 0)
		if h > 1 {
			g.Set(col, 0, gl.TickX, th.Faint)
		}
		if left < free {
			continue
		}
		if h > 1 {
			g.runesRight(left+n, 1, label, th.Dim)
		} else {
			g.Set(left-1, 0, ' ', Style{})
			g.runesRight(left+n, 0, label, th.Dim)
			g.Set(left+n, 0, ' ', Style{})
		}
		free = left + n + 2
	}
}

// labelY draws a vertical axis on g: labels right-aligned, then a line whose
// tick rows are marked. rowOf gives the row of a fraction.
func (a *axis) labelY(g Region, th theme.Theme, rowOf func(f float64, rows int) int) {
	w, h := g.Size()
	if g.Empty() {
		return
	}
	g.VLine(w-1, 0, h, th.Glyphs.Vertical, th.Faint)
	last := h // labels go upwards; one a row, with a free row between if there is room
	for _, v := range a.ticks[:a.n] {
		f := a.frac(v)
		if !(f >= -1e-9 && f <= 1+1e-9) {
			continue
		}
		row := rowOf(f, h)
		if row >= last {
			continue
		}
		last = row
		g.Set(w-1, row, th.Glyphs.TickY, th.Faint)
		var buf [numberCap]byte
		g.runesRight(w-1, row, AppendTick(buf[:0], v, a.step, w-1), th.Dim)
	}
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
func (a Axes) split(g Region) (y, x, corner, plot Rect) {
	yw := a.YWidth
	if yw <= 0 {
		yw = 5
	}
	w, h := g.Size()
	if w < yw+12 || h < 4 {
		return Rect{}, Rect{}, Rect{}, g.Bounds()
	}
	xh := 1
	if h >= 14 {
		xh = 2
	}
	plot = Rect{yw + 1, 0, w - yw - 1, h - xh}
	return Rect{0, 0, yw + 1, plot.H}, Rect{plot.X, plot.H, plot.W, xh}, Rect{yw, plot.H, 1, 1}, plot
}

// Plot returns the part of g inside the axes, which depends on g's size alone.
// Size the canvas by it, choose the window, then call Draw.
func (a Axes) Plot(g Region) Region {
	_, _, _, plot := a.split(g)
	return g.Sub(plot)
}

// Draw labels the axes for a window and returns the plot inside them.
func (a Axes) Draw(g Region, th theme.Theme, win Window) Region {
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
