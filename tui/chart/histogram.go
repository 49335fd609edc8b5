package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// HistSeries is the histogram of one lane: the density, or any height that is
// comparable between lanes and with Truth, of equal bins over the chart's range.
type HistSeries struct {
	Density []float64
	Style   plane.Style // of the bars
	Glyph   rune        // tops of the second lane without colour
}

// LaneHist is a histogram in the colours and marks of lane i.
func LaneHist(th theme.Theme, i int, density []float64) HistSeries {
	l := th.LaneAt(i)
	return HistSeries{Density: density, Style: l.Style, Glyph: l.Glyph}
}

// Histogram overlays the histograms of one or two lanes and an exact density.
// The first lane is filled columns. Where colour is available the second is
// filled as well and the overlap has a colour of its own; without colour it is
// its glyph at the height of each column. The truth is a dotted curve on top.
// Keep one Histogram a pane: it has scratch memory.
type Histogram struct {
	Lo, Hi float64 // the range of x that the bins share
	Lanes  []HistSeries
	Truth  func(x float64) float64 // nil for none
	Max    float64                 // the height of the chart; not positive fits the data
	Axis   bool                    // labels of x beneath, where there is room
	Empty  string                  // said without data; "" means "no data yet"

	// Cross is a place on x, marked where Crossed says so.
	Cross   float64
	Crossed bool

	place Place
	curve Braille // scratch for the truth
}

// Draw draws the histogram inside g.
func (c *Histogram) Draw(g plane.Region, th theme.Theme) {
	c.place = Place{}
	if g.Empty() {
		return
	}
	lanes := c.Lanes[:min(len(c.Lanes), 2)]
	if !(c.Hi > c.Lo) || !finite(c.Hi-c.Lo) || !anyPositive(lanes) {
		text := c.Empty
		if text == "" {
			text = "no data yet"
		}
		text = plane.FitTitle(g.Spell(text), g.W())
		g.TextFit(max((g.W()-plane.Width(text))/2, 0), (g.H()-1)/2, g.W(), th, text, th.Faint)
		return
	}
	plot := g
	if c.Axis && g.H() >= 4 && g.W() >= 12 {
		rows := 1
		if g.H() >= 8 {
			rows = 2
		}
		foot, rest := g.Bounds().CutBottom(rows)
		plot = g.Sub(rest)
		a := newAxis(c.Lo, c.Hi, false, max(2, foot.W/10))
		a.labelX(g.Sub(foot), th)
	}
	top := c.top(lanes, plot.W())
	if !(top > 0) {
		return
	}
	w, h := plot.Size()
	for x := range w {
		var level [2]int
		for i, l := range lanes {
			level[i] = eighthsOf(densityAt(l.Density, x, w), top, h)
		}
		switch {
		case len(lanes) == 1:
			column(plot, th, x, level[0], muted(lanes[0].Style, th))
		case th.NoColor || th.ASCII:
			column(plot, th, x, level[0], lanes[0].Style)
			if y := h - (level[1]+7)/8; level[1] > 0 && y >= 0 {
				plot.Set(x, y, lanes[1].Glyph, lanes[1].Style)
			}
		default:
			overlay(plot, th, x, level, lanes)
		}
	}
	if c.Truth != nil {
		c.drawTruth(plot, th, top)
	}
	c.place = Place{Plot: plot.Rect(), Lo: c.Lo, Hi: c.Hi, OK: true}
	c.drawCross(plot, th)
}

// muted mutes bars a little where the truth has to stand out on them.
func muted(s plane.Style, th theme.Theme) plane.Style {
	return plane.Style{FG: s.FG.Blend(th.Ground, 0.25)}
}

// overlay draws two columns of eighths over each other: the lower in the mixed
// colour, what the taller has more in its own. Where both end in one cell the
// cell shows the taller over nothing, an eighth of a row's error in the lower.
func overlay(g plane.Region, th theme.Theme, x int, level [2]int, lanes []HistSeries) {
	tall, low := 0, 1
	if level[1] > level[0] {
		tall, low = 1, 0
	}
	ground := th.Ground
	own := lanes[tall].Style.FG.Blend(ground, 0.35)
	both := lanes[0].Style.FG.Blend(lanes[1].Style.FG, 0.5).Blend(ground, 0.1)
	for y, base := g.H()-1, 0; y >= 0 && base < level[tall]; y, base = y-1, base+8 {
		t, l := min(level[tall]-base, 8), min(max(level[low]-base, 0), 8)
		switch {
		case l == 8:
			g.Set(x, y, th.Glyphs.VBlock[8], plane.Style{FG: both})
		case t == 8 && l > 0:
			g.Set(x, y, th.Glyphs.VBlock[l], plane.Style{FG: both, BG: own})
		case l > 0:
			g.Set(x, y, th.Glyphs.VBlock[t], plane.Style{FG: both})
		default:
			g.Set(x, y, th.Glyphs.VBlock[t], plane.Style{FG: own})
		}
	}
}

// top is the height of the chart: given, or fitted to the bars, and to the truth
// up to twice their height; a higher truth runs out of the chart.
func (c *Histogram) top(lanes []HistSeries, w int) float64 {
	if c.Max > 0 && finite(c.Max) {
		return c.Max
	}
	top, exact := 0.0, 0.0
	for x := range w {
		for _, l := range lanes {
			if v := densityAt(l.Density, x, w); finite(v) {
				top = max(top, v)
			}
		}
		if c.Truth != nil {
			if v := c.Truth(c.xAt(x, w, 0.5)); finite(v) {
				exact = max(exact, v)
			}
		}
	}
	return max(top, min(exact, 2*top))
}

// xAt is the data value at a fraction of column x.
func (c *Histogram) xAt(x, w int, frac float64) float64 {
	return c.Lo + (float64(x)+frac)/float64(w)*(c.Hi-c.Lo)
}

// drawTruth draws the exact density as a curve of braille dots over the bars,
// each cell on the colour of the bar beneath; one character a column in ASCII.
func (c *Histogram) drawTruth(g plane.Region, th theme.Theme, top float64) {
	w, h := g.Size()
	if !th.Glyphs.Braille {
		for x := range w {
			if v := c.Truth(c.xAt(x, w, 0.5)); finite(v) && v >= 0 && v <= top {
				g.Set(x, rowFloor(v/top, h), th.Glyphs.Curve, th.Truth)
			}
		}
		return
	}
	canvas := &c.curve
	canvas.Reset(th, w, h, Window{0, float64(w), 0, top})
	last := math.NaN()
	for i := range 2*w + 1 {
		v := c.Truth(c.xAt(0, w, float64(i)/2))
		if finite(v) && finite(last) {
			canvas.Line(float64(i-1)/2, last, float64(i)/2, v, Pen{Style: th.Truth, Layer: LayerLine})
		}
		last = v
	}
	for y := range h {
		for x := range w {
			d := &canvas.cells[y*w+x]
			if d.bits == 0 {
				continue
			}
			s := d.style
			if under := g.At(x, y); under != 0 {
				s = overBar(g.StyleAt(x, y), under, s, th)
			}
			g.Set(x, y, 0x2800+rune(d.bits), s)
		}
	}
}

// overBar is the style of a dot of the curve on a bar's cell: the bar's colour
// becomes the background where the bar fills half the cell or more.
func overBar(bar plane.Style, block rune, curve plane.Style, th theme.Theme) plane.Style {
	ground := bar.BG
	if block >= th.Glyphs.VBlock[4] && block <= th.Glyphs.VBlock[8] {
		ground = bar.FG
		if th.NoColor {
			return curve.With(theme.Reverse)
		}
	}
	curve.BG = ground
	return curve
}

// densityAt is the mean density over column x of w, weighting bins by how much
// of the column they cover. NaN where the data have none.
func densityAt(d []float64, x, w int) float64 {
	n := float64(len(d))
	from, to := float64(x)/float64(w)*n, float64(x+1)/float64(w)*n
	sum, cover := 0.0, 0.0
	for i := int(from); i < len(d) && float64(i) < to; i++ {
		part := min(to, float64(i+1)) - max(from, float64(i))
		if part > 0 && finite(d[i]) {
			sum += part * (d[i] / (to - from))
			cover += part
		}
	}
	if cover == 0 {
		return math.NaN()
	}
	return sum
}

// eighthsOf is a bar's height in eighths of a cell. What is positive shows at
// least one.
func eighthsOf(v, top float64, rows int) int {
	if !(v > 0) {
		return 0
	}
	return max(int(math.Round(min(v/top, 1)*float64(8*rows))), 1)
}

func anyPositive(lanes []HistSeries) bool {
	for _, l := range lanes {
		for _, v := range l.Density {
			if v > 0 && finite(v) {
				return true
			}
		}
	}
	return false
}
