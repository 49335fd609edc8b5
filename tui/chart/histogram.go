package chart

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// HistSeries is the histogram of one lane: the density, or any height that is
// comparable between lanes and with Truth, of equal bins over the chart's range.
type HistSeries struct {
	density []float64
	style   plane.Style // of the bars
	glyph   rune        // tops of the second lane without colour
}

// LaneHist is a histogram in the colours and marks of a lane.
func LaneHist(l *theme.LaneLook, density []float64) HistSeries {
	return HistSeries{density, l.Style, l.Glyph}
}

// PaleHist is LaneHist of a lane of another session, for Behind.
func PaleHist(l *theme.LaneLook, density []float64) HistSeries {
	return HistSeries{density, l.Soft, l.Glyph}
}

// Histogram overlays the histograms of one or two lanes and an exact density. The first lane is filled columns. Where
// colour is available the second is filled as well and the overlap has a colour of its own; without colour it is its
// glyph at the height of each column. The truth is a dotted curve on top. The bars fit the height, and so does the
// truth up to twice theirs; a higher truth runs out of the chart.
type Histogram struct {
	Range  // of x, that the bins share
	Lanes  []HistSeries
	Behind []HistSeries            // drawn as curves
	Truth  func(x float64) float64 // nil for none
	Axis   bool                    // labels of x beneath, where there is room
	Empty  string                  // said without data; "" means "no data yet"
	// Side lays it on its side, for the right edge of a plane: x runs upwards and the
	// bars grow to the right. Only the first lane is drawn, and no axis.
	Side bool
	// Bare has the truth drawn where there are no data too.
	Bare bool
	// Canvas is what the truth is drawn on, for its storage; nil is a canvas of its own.
	Canvas *Braille

	// Cross is a place on x, marked where Crossed says so.
	Cross   float64
	Crossed bool
}

// A histPlot is a histogram that is being drawn: n columns of bars, each of size
// cells; rows from above where it lies on its side.
type histPlot struct {
	*Histogram
	plane.Region // of the bars
	th           theme.Theme
	lanes        []HistSeries
	n, size      int
	shown        Range // of x, somewhat longer than the bins where it is labelled
	blocks       [9]rune
	top          float64 // the value of a full bar
}

// Draw draws the histogram inside g and returns where the data are.
func (c *Histogram) Draw(g plane.Region, th theme.Theme) (at Place) {
	if g.Empty() {
		return at
	}
	p := &histPlot{Histogram: c, Region: g, th: th, lanes: c.Lanes[:min(len(c.Lanes), 2)], shown: c.Range,
		blocks: th.Glyphs.VBlock}
	if !c.Set() || !anyPositive(p.lanes) && !(c.Bare && c.Truth != nil) {
		sayEmpty(g, th, c.Empty)
		return at
	}
	if c.Axis && g.H() >= 4 && g.W() >= 12 && !c.Side {
		rows := 1
		if g.H() >= 8 {
			rows = 2
		}
		foot, rest := g.Bounds().CutBottom(rows)
		p.Region = g.Sub(rest)
		a := FitX(c.Range, false, foot.W)
		a.LabelX(g.Sub(foot), th)
		p.shown = a.Range
	}
	p.n, p.size = p.Size()
	if c.Side {
		p.n, p.size, p.lanes, p.blocks = p.size, p.n, p.lanes[:1], th.Glyphs.HBlock
	}
	if p.fit(); !(p.top > 0) {
		return at
	}
	for i := range p.n {
		p.drawBars(i)
	}
	for i := range c.Behind {
		p.drawCurve(func(x float64) float64 {
			bin := (x - p.Lo) / p.Len() * float64(len(c.Behind[i].density))
			return densityAt(c.Behind[i].density, bin-0.5, bin+0.5)
		}, c.Behind[i].style)
	}
	if c.Truth != nil {
		p.drawCurve(c.Truth, th.Curve)
	}
	p.drawCross()
	return Place{Plot: p.Rect(), Range: p.shown, OK: true}
}

// fit finds the value of a full bar.
func (p *histPlot) fit() {
	exact := 0.0
	for i := range p.n {
		for _, l := range p.lanes {
			if v := p.density(l, i); finite(v) {
				p.top = max(p.top, v)
			}
		}
		if p.Truth != nil {
			if v := p.Truth(p.value(float64(i) + 0.5)); finite(v) {
				exact = max(exact, v)
			}
		}
	}
	if p.top == 0 {
		p.top = exact
		return
	}
	p.top = max(p.top, min(exact, 2*p.top))
}

// value is x at t columns from the first one's edge.
func (p *histPlot) value(t float64) float64 {
	x := t / float64(p.n) * p.shown.Len()
	if p.Side {
		return p.shown.Hi - x
	}
	return p.shown.Lo + x
}

// density is a lane's mean density over column i.
func (p *histPlot) density(l HistSeries, i int) float64 {
	if p.Side {
		i = p.n - 1 - i
	}
	n := float64(len(l.density))
	bin := func(i int) float64 {
		return (p.shown.Lo - p.Lo + float64(i)/float64(p.n)*p.shown.Len()) / p.Len() * n
	}
	return densityAt(l.density, bin(i), bin(i+1))
}

// cell is the k-th cell of column i from its foot.
func (p *histPlot) cell(i, k int) (x, y int) {
	if p.Side {
		return k, i
	}
	return i, p.size - 1 - k
}

func (p *histPlot) drawBars(i int) {
	var level [2]int
	for k, l := range p.lanes {
		level[k] = eighthsOf(p.density(l, i), p.top, p.size)
	}
	first := p.lanes[0].style
	switch {
	case len(p.lanes) == 1:
		// Muted a little, so that the truth stands out.
		p.bar(i, level[0], plane.Style{FG: first.FG.Blend(p.th.Ground, 0.25)})
	case p.th.NoColor || p.th.ASCII:
		p.bar(i, level[0], first)
		if y := p.size - (level[1]+7)/8; level[1] > 0 && y >= 0 {
			p.Set(i, y, p.lanes[1].glyph, p.lanes[1].style)
		}
	default:
		overlay(p.Region, p.th, i, level, p.lanes)
	}
}

// bar draws so many eighths of a cell of column i.
func (p *histPlot) bar(i, eighths int, s plane.Style) {
	for k := 0; eighths > 0; k, eighths = k+1, eighths-8 {
		x, y := p.cell(i, k)
		p.Set(x, y, p.blocks[min(eighths, 8)], s)
	}
}

// overlay draws two columns of eighths over each other: the lower in the mixed colour, what the taller has more in its
// own. Where both end in one cell the cell shows the taller over nothing, an eighth of a row's error in the lower.
func overlay(g plane.Region, th theme.Theme, x int, level [2]int, lanes []HistSeries) {
	tall, low := 0, 1
	if level[1] > level[0] {
		tall, low = 1, 0
	}
	ground := th.Ground
	own := lanes[tall].style.FG.Blend(ground, 0.35)
	both := lanes[0].style.FG.Blend(lanes[1].style.FG, 0.5).Blend(ground, 0.1)
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

// drawCurve draws a density as a curve of braille dots over the bars,
// each cell on the colour of the bar beneath; one character a column in ASCII.
func (p *histPlot) drawCurve(of func(x float64) float64, style plane.Style) {
	th := &p.th
	if !th.Glyphs.Braille {
		for i := range p.n {
			if v := of(p.value(float64(i) + 0.5)); finite(v) && v >= 0 && v <= p.top {
				x, y := p.cell(i, min(int(v/p.top*float64(p.size)), p.size-1))
				p.Set(x, y, th.Glyphs.Curve, style)
			}
		}
		return
	}
	w, h := p.Size()
	canvas := p.Canvas
	if canvas == nil {
		canvas = new(Braille)
	}
	win, dots := Window{Range{0, float64(p.n)}, Range{0, p.top}}, 2 // dots a column
	if p.Side {
		win, dots = Window{Range{0, p.top}, Range{-float64(p.n), 0}}, 4
	}
	canvas.Reset(*th, w, h, win)
	pen := Pen{Style: style, Layer: LayerLine}
	last := math.NaN()
	for i := range dots*p.n + 1 {
		t := float64(i) / float64(dots)
		from := t - 1/float64(dots)
		v := of(p.value(t))
		switch {
		case !finite(v) || !finite(last):
		case p.Side:
			canvas.Line(last, -from, v, -t, pen)
		default:
			canvas.Line(from, last, t, v, pen)
		}
		last = v
	}
	for i, d := range canvas.cells {
		if d.bits != 0 {
			x, y := i%w, i/w
			p.Set(x, y, braille+rune(d.bits), p.overBar(x, y, d.style))
		}
	}
}

// overBar is the style of a dot of the curve on a cell: the bar's colour becomes the
// background where the bar fills half the cell or more.
func (p *histPlot) overBar(x, y int, curve plane.Style) plane.Style {
	bar := p.StyleAt(x, y)
	if curve.BG = bar.BG; slices.Contains(p.blocks[4:], p.At(x, y)) {
		if p.th.NoColor {
			return curve.With(theme.Reverse)
		}
		curve.BG = bar.FG
	}
	return curve
}

// drawCross draws a vertical line at Cross above the bars.
func (p *histPlot) drawCross() {
	f := p.shown.Frac(p.Cross, false)
	if !p.Crossed || !(f >= 0 && f <= 1) {
		return
	}
	p.CrossV(min(int(f*float64(p.W())), p.W()-1), p.th)
}

// densityAt is the mean density from one place to another, both in bins. NaN where the data have none.
func densityAt(d []float64, from, to float64) float64 {
	sum, cover := 0.0, 0.0
	for i := max(int(from), 0); i < len(d) && float64(i) < to; i++ {
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

// eighthsOf is a bar's height in eighths of a cell. What is positive shows at least one.
func eighthsOf(v, top float64, rows int) int {
	if !(v > 0) {
		return 0
	}
	return max(int(math.Round(min(v/top, 1)*float64(8*rows))), 1)
}

func anyPositive(lanes []HistSeries) bool {
	positive := func(v float64) bool { return v > 0 && finite(v) }
	return slices.ContainsFunc(lanes, func(l HistSeries) bool { return slices.ContainsFunc(l.density, positive) })
}
