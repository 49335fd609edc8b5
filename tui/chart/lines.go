package chart

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// MaxSeries is the number of series that one chart draws.
const MaxSeries = 8

// Series is one curve. X may be nil, then the index is x; it need not be
// sorted. A y that is NaN or infinite makes a gap.
type Series struct {
	Name  string
	X, Y  []float64
	Style plane.Style
	Glyph rune // drawn at the end of the line and in the legend; 0 for none
	Line  int  // index into the theme's dashes, modulo their number

	// Over says that the cells on its way have none of the other series' dots. Strip is its
	// strip from 0, in a chart of several.
	Over  bool
	Strip int

	// Low and High, where they are set, are the ends of an error bar at each point.
	Low, High []float64
}

// Scale is how one axis of a line chart runs. The zero value is linear and fits the data. Fix sets the range; values
// beyond are drawn at the edge on Y and left out on X. On a log axis values that are not positive are left out. An axis
// is fitted to cells, so that it is somewhat longer, unless its range is fixed and the caller labels it: Own, which X
// can be.
type Scale struct {
	Log bool
	Fix bool
	Own bool
	Range
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
	// Light draws it lightly, as an end of an interval, where the axis reaches it. Bias draws it as a bias.
	Light, Bias bool
}

// look is the style of the line, and of how many cells one has it.
func (r *Reference) look(th *theme.Theme) (style plane.Style, every int) {
	switch {
	case r.Light:
		return th.Dim, 2
	case r.Bias:
		return th.Bias, 1
	}
	return th.Truth, 1
}

// Lines is a line chart drawn by asciigraph. The zero value is an empty chart.
type Lines struct {
	// Strips is the number of strips, one below the other on one scale; 0 and 1 are one.
	Strips     int
	Series     []Series // the first MaxSeries are drawn, later ones on top
	Top        int      // the series that is drawn last, counted from 1; 0 for the last
	X, Y       Scale
	Marks      []VMark
	References []Reference
	YWidth     int    // columns for the labels of Y; 0 means usualWidth
	Empty      string // said in place of a chart without data; "" means "no data yet"

	// Cross is a place on X, marked where Crossed says so.
	Cross   float64
	Crossed bool
}

// usualWidth is the columns for the labels of Y.
const usualWidth = 6

// A linePlot is a line chart that is being drawn.
type linePlot struct {
	*Lines
	plane.Region // of the curves
	th           theme.Theme
	series       []Series
	sx, sy       int // dots a cell, 2×4, 1×1 or, of a sparkline, 1×8
	// a row a series, a value an edge of a column of dots: of Y, then rows of dots from the bottom
	grid  [][]float64
	order []int // the series in the order in which they are drawn
	x, y  Axis
}

// Draw draws the chart inside g and never outside it, at any size and for any data, and returns where the data are.
func (c *Lines) Draw(g plane.Region, th theme.Theme) (at Place) {
	p := &linePlot{Lines: c, Region: g, th: th, series: c.Series[:min(len(c.Series), MaxSeries)], sx: 1, sy: 1}
	if th.Glyphs.Braille {
		p.sx, p.sy = 2, 4
	}
	xs, points := p.extentX()
	if points < 2 || !(xs.Hi > xs.Lo) {
		text := c.Empty
		if points > 0 {
			text = "one point so far"
		}
		sayEmpty(g, th, text)
		return at
	}
	if g.W() < 8 || g.H() < 3 { // no room for axes: a sparkline of the last series
		p.sx, p.sy = 1, 8
		p.scale(xs)
		p.drawSparkline()
		return at
	}
	parts := c.layout(g)
	plots, labels := g.Sub(parts.plot), g.Sub(parts.labels)
	n := max(c.Strips, 1)
	strip := func(of plane.Region, i int) plane.Region {
		from, to := stripRows(i, n, plots.H())
		return of.Sub(plane.Rect{Y: from, W: of.W(), H: to - from})
	}
	p.Region = strip(plots, 0)
	p.scale(xs)
	drawn := false
	for i := range n {
		some := p.only(i)
		some.Region = strip(plots, i)
		drawn = some.draw(labels) || drawn
		p.y.LabelY(strip(g.Sub(parts.y), i), th)
		labels = plane.Region{}
	}
	p.x.LabelX(g.Sub(parts.x), th)
	if parts.x.H > 0 {
		g.Sub(parts.corner).Set(0, 0, th.Glyphs.AxisCorner, th.Faint)
	}
	return Place{Plot: plots.Rect(), Range: p.x.Range, Log: p.x.Log, OK: drawn}
}

// only is the plot with the series of a strip, which are scaled. Labels of marks are on the first.
func (p *linePlot) only(strip int) *linePlot {
	if p.Strips < 2 {
		return p
	}
	c, some := *p.Lines, *p
	some.Lines, some.series, some.grid, c.Top = &c, nil, nil, 0
	for i := range p.series {
		if p.series[i].Strip == strip {
			some.series, some.grid = append(some.series, p.series[i]), append(some.grid, p.grid[i])
		}
	}
	if strip > 0 {
		c.Marks = slices.Clone(c.Marks)
		for i := range c.Marks {
			c.Marks[i].Label = ""
		}
	}
	return &some
}

// draw draws the series, which are scaled, and what stands among them. It reports whether any could be drawn.
func (p *linePlot) draw(labels plane.Region) (drawn bool) {
	drawn = p.drawCurves()
	p.drawBars()
	// What comes later is drawn where the plot is blank.
	p.labelReferences()
	p.drawCross()
	if drawn {
		p.drawBeads()
		p.drawEnds()
	}
	p.drawMarks(labels)
	p.drawReferences()
	return drawn
}

// scale puts the series on axes that are fitted to the plot, in units of dots.
func (p *linePlot) scale(xs Range) {
	w, h := p.Size()
	if p.x = (Axis{Range: xs, Log: p.X.Log}); !p.X.Own {
		p.x = FitX(xs, p.X.Log, w)
	}
	p.grid = make([][]float64, len(p.series))
	for i := range p.series {
		p.grid[i] = p.resample(&p.series[i])
	}
	p.y = FitY(p.extentY(), p.Y.Log, h, cmp.Or(p.YWidth, usualWidth))
	for _, row := range p.grid {
		for j, v := range row {
			row[j] = p.dotRow(v)
		}
	}
}

// dotRow is the row of dots on which a value lies, from the bottom, a whole number or NaN. What lies
// beyond the axis is put at its end.
func (p *linePlot) dotRow(y float64) float64 { return p.rowAt(p.y.frac(y)) }

// rowAt is dotRow for a fraction of the axis.
func (p *linePlot) rowAt(frac float64) float64 {
	rows := float64(p.H() * p.sy)
	return math.Round(min(max(frac*rows-0.5, 0), rows-1))
}

// fromTop is a row of dots counted from the top.
func (p *linePlot) fromTop(row float64) int { return p.H()*p.sy - 1 - int(row) }

// dotAt is the row of dots, from the top, on which series i is at an edge.
func (p *linePlot) dotAt(i, edge int) int { return p.fromTop(p.grid[i][edge]) }

// sayEmpty says in the middle of a chart why it has no data.
func sayEmpty(g plane.Region, th theme.Theme, text string) {
	text = plane.FitTitle(g.Spell(cmp.Or(text, "no data yet")), g.W())
	g.TextFit(max((g.W()-plane.Width(text))/2, 0), (g.H()-1)/2, g.W(), th, text, th.Faint)
}

// lineParts is where the parts of a chart go.
type lineParts struct {
	labels, y, x, corner, plot plane.Rect
}

// layout gives the parts their rows and columns: the labels of marks go first when
// rows are scarce, then the second row of the X axis.
func (c *Lines) layout(g plane.Region) (at lineParts) {
	rest := g.Bounds()
	if rest.H >= 6 && slices.ContainsFunc(c.Marks, func(m VMark) bool { return m.Label != "" }) {
		at.labels, rest = rest.CutTop(1)
	}
	yw := cmp.Or(c.YWidth, usualWidth)
	xh := 0
	switch {
	case c.X.Own:
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

// labelReferences writes the label of each reference above or below its right end if that hides no curve.
func (p *linePlot) labelReferences() {
	w, h := p.Size()
	for _, r := range p.References {
		label := p.Spell(r.Label)
		n := plane.Width(label)
		if f := p.y.frac(r.Y); !(f >= 0 && f <= 1) || n == 0 || n+1 > w {
			continue
		}
		row := p.fromTop(p.dotRow(r.Y)) / p.sy
		for _, y := range [...]int{row - 1, row + 1} {
			if y >= 0 && y < h && blank(p.Region, w-n-1, y, n+1) {
				style, _ := r.look(&p.th)
				p.Text(w-n, y, label, style)
				break
			}
		}
	}
}

// drawReferences draws horizontal lines, of every other dot.
func (p *linePlot) drawReferences() {
	for _, r := range p.References {
		if f := p.y.frac(r.Y); !(f >= 0 && f <= 1) {
			continue
		}
		dot, glyph := p.fromTop(p.dotRow(r.Y)), p.th.Glyphs.Reference
		if p.sy > 1 {
			glyph = braille | rune(brailleBit[dot%p.sy<<1])
		}
		style, every := r.look(&p.th)
		for x := 0; x < p.W(); x += every {
			if p.At(x, dot/p.sy) == 0 {
				p.Set(x, dot/p.sy, glyph, style)
			}
		}
	}
}

// drawBars draws the error bars of the series that have them, in the cells of curves in the curves' colours.
func (p *linePlot) drawBars() {
	for _, i := range p.order {
		s := &p.series[i]
		for k := range min(s.Len(), len(s.Low), len(s.High)) {
			f, hi := p.x.frac(s.At(k)), p.y.frac(s.High[k])
			if !(f >= 0 && f <= 1 && hi >= 0) || !p.Y.has(s.Y[k]) {
				continue
			}
			top, bottom := p.fromTop(p.rowAt(hi)), p.fromTop(0)
			if p.Y.has(s.Low[k]) {
				bottom = p.fromTop(p.dotRow(s.Low[k]))
			}
			x := min(int(f*float64(p.W()*p.sx)), p.W()*p.sx-1)
			for y := top; y <= bottom; y++ {
				p.dot(x, y, s.Style)
			}
		}
	}
}

// dot lights a dot, in the style of the dots that its cell has.
func (p *linePlot) dot(x, y int, style plane.Style) {
	cx, cy, r := x/p.sx, y/p.sy, p.th.Glyphs.Vertical
	was := p.At(cx, cy)
	switch {
	case p.sy == 1 && was != 0:
		return
	case p.sy > 1:
		r = braille | rune(brailleBit[y%p.sy<<1|x%p.sx])
		if isBraille(was) {
			if r |= was; r == was {
				return
			}
			style = p.StyleAt(cx, cy)
		}
	}
	p.Set(cx, cy, r, style)
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

// drawMarks draws the vertical lines where the plot is blank, and the labels in their own row or, without one, in the
// plot. Where labels would overlap the later mark's stays.
func (p *linePlot) drawMarks(labels plane.Region) {
	w, h := p.Size()
	th := &p.th
	taken := w
	for _, m := range slices.Backward(p.Marks) {
		f := p.x.frac(m.X)
		if !(f >= 0 && f <= 1) {
			continue
		}
		col := min(int(f*float64(w)), w-1)
		for y := range h {
			if p.At(col, y) == 0 {
				p.Set(col, y, th.Glyphs.Mark, th.Mark)
			}
		}
		label := p.Spell(m.Label)
		if labels.Empty() {
			p.labelMark(col, label)
			continue
		}
		if col < taken {
			labels.Set(col, 0, th.Glyphs.Mark, th.Mark)
		}
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

// labelMark writes the label of the mark in a column in the top row of the plot or in
// the bottom one, beside the mark's line, if that hides nothing.
func (p *linePlot) labelMark(col int, label string) {
	w, h := p.Size()
	n := plane.Width(label)
	at, from := col+1, col+1 // one more column than the label stays blank
	if at+n > w {
		at, from = col-n, col-n-1
	}
	if n == 0 || at < 0 {
		return
	}
	for _, y := range [...]int{0, h - 1} {
		if p.At(col, y) == p.th.Glyphs.Mark && blank(p.Region, from, y, n+1) {
			p.Text(at, y, label, p.th.Mark)
			return
		}
	}
}

// drawCross draws a vertical line at Cross where the plot is blank, and where it meets a
// curve makes that bold and a dot wider, at the height of its value.
func (p *linePlot) drawCross() {
	f := p.x.frac(p.Cross)
	if !p.Crossed || !(f >= 0 && f <= 1) {
		return
	}
	w, h := p.Size()
	col := min(int(f*float64(w)), w-1)
	edge := min(int(math.Round(f*float64(w*p.sx))), w*p.sx)
	for _, i := range p.order {
		if math.IsNaN(p.grid[i][edge]) {
			continue
		}
		dot := p.dotAt(i, edge)
		for x := range p.sx {
			p.dot(col*p.sx+x, dot, p.series[i].Style)
		}
		y := dot / p.sy
		p.Set(col, y, p.At(col, y), p.StyleAt(col, y).With(theme.Bold))
	}
	for y := range h {
		if p.At(col, y) == 0 {
			p.Set(col, y, p.th.Glyphs.Vertical, p.th.Accent)
		}
	}
}

// drawEnds puts each series' glyph on the last point that it has, and beside those that are there already.
func (p *linePlot) drawEnds() {
	type cell struct{ x, y int }
	var taken []cell
	for _, i := range slices.Backward(p.order) { // the topmost first
		s, row := &p.series[i], p.grid[i]
		k := len(row) - 1
		for k >= 0 && math.IsNaN(row[k]) {
			k--
		}
		if s.Glyph == 0 || k < 0 {
			continue
		}
		at := cell{min(k/p.sx, p.W()-1), p.dotAt(i, k) / p.sy}
		for at.x > 0 && slices.Contains(taken, at) {
			at.x--
		}
		taken = append(taken, at)
		p.Set(at.x, at.y, s.Glyph, s.Style.With(theme.Bold))
	}
}

// beads is the number of columns from one bead of a hidden series to the next.
const beads = 12

// drawBeads puts the glyphs of series that others cover on the covering line, each
// in its own columns, so that each is seen.
func (p *linePlot) drawBeads() {
	for n, i := range p.order {
		s := &p.series[i]
		if s.Glyph == 0 {
			continue
		}
		for x := beads/2 + n*beads/(len(p.series)+1); x < p.W()-1; x += beads {
			if e := x * p.sx; p.hidden(n, e-1) && p.hidden(n, e) && p.hidden(n, e+1) {
				p.Set(x, p.dotAt(i, e)/p.sy, s.Glyph, s.Style)
			}
		}
	}
}

// hidden reports whether a line that is drawn later than the n-th covers it at an edge.
func (p *linePlot) hidden(n, edge int) bool {
	i := p.order[n]
	return !math.IsNaN(p.grid[i][edge]) && slices.ContainsFunc(p.order[n+1:], func(j int) bool {
		return !math.IsNaN(p.grid[j][edge]) && abs(p.dotAt(j, edge)-p.dotAt(i, edge)) < max(p.sy/2, 1)
	})
}
