package chart

import (
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// MaxSeries is the number of series that one chart draws.
const MaxSeries = 6

// Series is one curve. X may be nil, then the index is x; it need not be
// sorted. A y that is NaN or infinite makes a gap.
type Series struct {
	Name  string
	X, Y  []float64
	Style plane.Style
	Glyph rune // drawn at the end of the line and in the legend; 0 for none
	Line  int  // index into the theme's line glyphs, modulo their number
}

// LaneSeries is a series in the colours and marks of lane i.
func LaneSeries(th theme.Theme, i int, name string, xs, ys []float64) Series {
	l := th.LaneAt(i)
	return Series{Name: name, X: xs, Y: ys, Style: l.Style, Glyph: l.Glyph, Line: l.Line}
}

// Scale is how one axis of a line chart runs. The zero value is linear and
// fits the data. Fix sets Lo and Hi; values beyond are drawn at the edge on Y
// and left out on X. On a log axis values that are not positive are left out.
type Scale struct {
	Log    bool
	Fix    bool
	Lo, Hi float64
}

// VMark is a vertical line, such as the step at which a parameter was turned.
type VMark struct {
	X     float64
	Label string
}

// Reference is a horizontal line, such as an exact value.
type Reference struct {
	Y     float64
	Label string
}

// Lines is a line chart drawn by asciigraph. The exported fields are what to
// draw and are only read; the rest is scratch, so keep one Lines a pane and set
// its fields each frame. The zero value is an empty chart.
type Lines struct {
	Series     []Series // the first MaxSeries are drawn, later ones on top
	Top        int      // of these the one that is drawn last, counted from 1; 0 for the last
	X, Y       Scale
	Marks      []VMark
	References []Reference
	Legend     bool   // a row of names above the plot, where there is room
	YWidth     int    // columns for the labels of Y; 0 means 6
	Empty      string // said in place of a chart without data; "" means "no data yet"

	// Cross is a place on X, marked where Crossed says so.
	Cross   float64
	Crossed bool

	place Place
	grid  [][]float64 // rows from the bottom, one value a column edge
	order [MaxSeries]int
	over  [][]float64 // the grid in the order of drawing
	count []int32
	gap   []bool
}

// linesLayout is where the parts of a chart go.
type linesLayout struct {
	legend, labels, y, x, corner, plot plane.Rect
}

// Draw draws the chart inside g and never outside it, at any size and for any
// data.
func (c *Lines) Draw(g plane.Region, th theme.Theme) {
	c.place = Place{}
	if g.Empty() {
		return
	}
	series := c.Series[:min(len(c.Series), MaxSeries)]
	xs, points := c.extentX(series)
	if points < 2 || !(xs.hi > xs.lo) {
		c.drawEmpty(g, th, points)
		return
	}
	if g.W() < 8 || g.H() < 3 {
		c.drawTiny(g, series, xs, th)
		return
	}
	at := c.layout(g)
	xa := newAxis(xs.lo, xs.hi, c.X.Log, max(2, at.plot.W/9))
	c.resample(series, &xa, at.plot.W)
	ys := c.extentY()
	ya := newAxis(ys.lo, ys.hi, c.Y.Log, yTicks(at.plot.H))
	c.toRows(&ya, at.plot.H)
	plot := g.Sub(at.plot)
	drawn := c.plot(plot, th, series)
	c.place = Place{Plot: plot.Rect(), Lo: xs.lo, Hi: xs.hi, Log: c.X.Log, OK: drawn}

	c.drawReferences(plot, th, &ya)
	c.drawMarks(g.Sub(at.labels), plot, th, &xa)
	c.drawCross(plot, th, series, &xa)
	ya.labelY(g.Sub(at.y), th, rowRound)
	xa.labelX(g.Sub(at.x), th)
	if at.x.H > 0 {
		g.Sub(at.corner).Set(0, 0, th.Glyphs.AxisCorner, th.Faint)
	}
	if drawn {
		c.drawBeads(plot, series)
		c.drawEnds(plot, series)
	}
	if at.legend.H > 0 {
		Legend(g.Sub(at.legend), th, series)
	}
}

// yTicks is how many labels suit so many rows.
func yTicks(rows int) int {
	return min(max((rows+1)/2, 2), 8)
}

// layout gives the parts their rows and columns: the legend and the labels of
// marks go first when rows are scarce, then the second row of the X axis.
func (c *Lines) layout(g plane.Region) linesLayout {
	var at linesLayout
	rest := g.Bounds()
	if c.Legend && rest.H >= 7 {
		at.legend, rest = rest.CutTop(1)
	}
	labelled := false
	for _, m := range c.Marks {
		labelled = labelled || m.Label != ""
	}
	if labelled && rest.H >= 6 {
		at.labels, rest = rest.CutTop(1)
	}
	yw := c.YWidth
	if yw <= 0 {
		yw = 6
	}
	xh := 0
	switch {
	case rest.H >= 9:
		xh = 2
	case rest.H >= 4:
		xh = 1
	}
	if rest.W >= yw+12 {
		at.y, rest = rest.CutLeft(yw + 1)
		_, at.labels = at.labels.CutLeft(yw + 1)
	}
	at.x, rest = rest.CutBottom(xh)
	at.y.H = rest.H
	at.corner = plane.Rect{X: at.y.X + at.y.W - 1, Y: at.x.Y, W: min(at.y.W, 1), H: min(xh, 1)}
	at.plot = rest
	return at
}

// drawEmpty says why there is no curve.
func (c *Lines) drawEmpty(g plane.Region, th theme.Theme, points int) {
	text := c.Empty
	if text == "" {
		text = "no data yet"
	}
	if points > 0 {
		text = "one point so far"
	}
	text = plane.FitTitle(g.Spell(text), g.W())
	y := (g.H() - 1) / 2
	n := plane.Width(text)
	g.TextFit(max((g.W()-n)/2, 0), y, g.W(), th, text, th.Faint)
}

// drawTiny is a sparkline of the last series, for regions without room for axes.
func (c *Lines) drawTiny(g plane.Region, series []Series, xs span, th theme.Theme) {
	xa := newAxis(xs.lo, xs.hi, c.X.Log, 2)
	c.resample(series, &xa, g.W())
	ys := c.extentY()
	ya := newAxis(ys.lo, ys.hi, c.Y.Log, 2)
	c.toRows(&ya, 2)
	last := len(series) - 1
	Sparkline(g, th, c.grid[last][:g.W()], 0, 1, series[last].Style)
}

// drawReferences draws horizontal lines where the plot is blank, each with its
// label above or below the right end if that hides no curve.
func (c *Lines) drawReferences(plot plane.Region, th theme.Theme, ya *axis) {
	w, h := plot.Size()
	for _, r := range c.References {
		f := ya.frac(r.Y)
		if !(f >= 0 && f <= 1) {
			continue
		}
		row := rowRound(f, h)
		for x := range w {
			if plot.At(x, row) == 0 {
				plot.Set(x, row, th.Glyphs.Reference, th.Truth)
			}
		}
		label := plot.Spell(r.Label)
		n := plane.Width(label)
		if n == 0 || n+1 > w {
			continue
		}
		for _, y := range [...]int{row - 1, row + 1} {
			if y >= 0 && y < h && blank(plot, w-n-1, y, n+1) {
				plot.Text(w-n, y, label, th.Truth)
				break
			}
		}
	}
}

// blank reports whether n cells from (x, y) hold nothing.
func blank(g plane.Region, x, y, n int) bool {
	for i := range n {
		if g.At(x+i, y) != 0 {
			return false
		}
	}
	return true
}

// drawMarks draws the vertical lines where the plot is blank, and the labels in
// their own row or, without one, in the plot's top row. Where labels would
// overlap the later mark's stays.
func (c *Lines) drawMarks(labels, plot plane.Region, th theme.Theme, xa *axis) {
	w, h := plot.Size()
	if labels.Empty() {
		labels = plot.Row(0)
	}
	taken := w
	for i := len(c.Marks) - 1; i >= 0; i-- {
		m := c.Marks[i]
		f := xa.frac(m.X)
		if !(f >= 0 && f <= 1) {
			continue
		}
		col := min(int(f*float64(w)), w-1)
		for y := range h {
			if r := plot.At(col, y); r == 0 || r == th.Glyphs.Reference {
				plot.Set(col, y, th.Glyphs.Mark, th.Mark)
			}
		}
		if col < taken {
			labels.Set(col, 0, th.Glyphs.Mark, th.Mark)
		}
		label := labels.Spell(m.Label)
		n := plane.Width(label)
		switch {
		case n == 0:
		case col+1+n <= taken:
			labels.Text(col+1, 0, label, th.Mark)
		case taken == w && col-n >= 0:
			labels.Text(col-n, 0, label, th.Mark)
			col -= n
		}
		taken = min(taken, col-1)
	}
}
