package sweep

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// The columns before the cells, of the labels of Y and of the lanes' glyphs, and the room for a number on the edge.
const labels, wideValue = 7, 18

// DoCell is the binding of a cell, by the name of its pane and the place that was hit.
const DoCell = "sweep.cell"

// A gridPane is a quantity's pane that is being drawn. All of its N cells are alike wide, or several have a column.
type gridPane struct {
	*view
	f      *pane.Frame
	d      *Data
	of     quantity.ID
	cursor int
	n, w   int // cells, and the columns that they take
	ends   chart.Range
	log    bool
	cut    bool // some values are above the scale
}

// from is the first column of a cell, middle that of its middle, and at the cell in a column.
func (p *gridPane) from(i int) int   { return (i*p.w + p.n - 1) / p.n }
func (p *gridPane) middle(i int) int { return (p.from(i) + max(p.from(i+1)-1, p.from(i))) / 2 }
func (p *gridPane) at(x int) int     { return CellAt(x, p.w, p.n) }

// CellAt is the cell in column x of w columns that have n cells.
func CellAt(x, w, n int) int { return min(max(x*n/max(w, 1), 0), n-1) }

// The least ratio of the ends of a log scale, and the largest ratio of any. Near the
// limit of stability errors grow without bound, and would leave nothing of the scale for the rest.
const logFrom, mostRatio = 4, 1000

// drawPane draws a quantity: a chart where there is room, a row of cells for each lane, the axis, and on the lower edge
// the numbers of the cell under the cursor.
func (v *view) drawPane(g plane.Region, f *pane.Frame, d *Data, q quantity.ID) {
	p := &gridPane{view: v, f: f, d: d, of: q, cursor: v.at(f, d), n: len(d.Values), ends: chart.NoValues()}
	in := g.Pad(1, 1, 1, 1)
	if p.w = max(in.W()-labels-2, 1); p.n < p.w {
		p.w -= p.w % p.n
	}
	for i := range d.Lanes {
		for _, x := range series(&d.Lanes[i], q, 1).Y {
			p.ends.Add(x)
		}
	}
	if p.log = p.ends.Lo > 0 && p.ends.Hi/p.ends.Lo >= logFrom; p.log && p.ends.Hi > p.ends.Lo*mostRatio {
		p.ends.Hi, p.cut = p.ends.Lo*mostRatio, true
	}
	thick, share, title := 1, 1.0, quantity.All[q].Name
	if in.H() >= 8*len(d.Lanes) {
		thick = 2
	}
	if quantity.All[q].Form == quantity.Share {
		share, title = 100, title+" in %"
	}
	if p.log {
		title += pane.InLog
	}
	lines := p.chart(share)
	title = pane.BesideLegend(title, g.W()-pane.TitleEdge(lines.Series))
	in = g.Box(f.Theme, plane.Box{Title: title})
	pane.Legend(g, f, title, lines.Series)
	g.Term(wording.Of(&quantity.All[q]))
	room := in.H() - thick*len(d.Lanes) - 1
	if room < leastChart-1 {
		room = 0
	}
	lines.Draw(in.Sub(plane.Rect{W: labels + p.w, H: room}), f.Theme)
	for i := range d.Lanes {
		p.drawRow(in.Sub(plane.Rect{Y: room + i*thick, W: labels + p.w, H: thick}), i)
	}
	strips := in.Sub(plane.Rect{X: labels, W: p.w, H: room + thick*len(d.Lanes)})
	f.SetPlot(g, pane.Plot{Rect: strips.Rect(), AxisX: pane.GridAxis, X: p.columns()})
	strips.Zone(plane.Zone{ID: "cells:" + quantity.All[q].Name, Click: plane.Call(DoCell, quantity.All[q].Name)})
	p.drawAxis(in.Row(room + thick*len(d.Lanes)))
	p.drawNumbers(g)
}

// columns is the range of the cells' places.
func (p *gridPane) columns() pane.Range { return pane.Range{Lo: -0.5, Hi: float64(p.n) - 0.5} }

// chart is the quantity against the parameter, a line a lane over the means of the seeds with bars of ± 2 standard
// errors, in the columns of the cells. The bias of the lanes that have an exact one is dotted in the chart of the
// error. A cell that diverged, and one that cannot be trusted, breaks the line.
func (p *gridPane) chart(share float64) *chart.Lines {
	th := &p.f.Theme
	known, short := p.d.has(p.of)
	c := &chart.Lines{
		X:      chart.Scale{Fix: true, Own: true, Range: p.columns()},
		Y:      chart.Scale{Log: p.log, Fix: p.cut, Range: pane.Range{Lo: share * p.ends.Lo, Hi: share * p.ends.Hi}},
		YWidth: labels - 1, Cross: float64(p.cursor), Crossed: true, Empty: "no value yet",
	}
	if short && !known {
		c.Empty = "cannot be trusted"
	}
	for i := range p.d.Lanes {
		l := &p.d.Lanes[i]
		look := &th.Lane[pane.Slot(l.ID)]
		s := series(l, p.of, share)
		s.Name, s.Style, s.Glyph, s.Line = pane.Letter(l.ID)+" "+l.Title, look.Style, look.Glyph, look.Line
		c.Series = append(c.Series, s)
	}
	for i := range p.d.Lanes {
		if s := series(&p.d.Lanes[i], quantity.CovBias, 1); p.of == quantity.CovError && len(s.X) > 1 {
			for k, bias := range s.Y { // what is far below the errors says nothing of them
				if !(bias >= p.ends.Lo/2) {
					s.Y[k] = math.NaN()
				}
			}
			s.Style, s.Line, s.Low, s.High = th.Bias, 2, nil, nil
			c.Series = append(c.Series, s)
		}
	}
	for _, v := range p.f.EachLane() {
		if x, ok := v.Setting.Values[p.d.Param.Key]; ok {
			c.Marks = append(c.Marks, chart.VMark{X: p.d.place(x)})
		}
	}
	return c
}

// series are a lane's means by cell, by a factor, with the ends of their bars. A cell that has not run is left out.
func series(l *scan.Lane, q quantity.ID, share float64) (s chart.Series) {
	for i := range l.Cells {
		c := cell(l, i)
		if c == nil {
			continue
		}
		v, mean, bar := &c.Of[q], math.NaN(), math.NaN()
		if v.N > 0 && v.Untrusted == 0 && c.Diverged == 0 {
			mean, bar = share*v.Mean, 2*share*v.SE
		}
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, mean)
		s.Low, s.High = append(s.Low, mean-bar), append(s.High, mean+bar)
	}
	return s
}

// drawRow draws a lane's cells behind its glyph: by the theme's heat ramp, and by shade without colour.
func (p *gridPane) drawRow(g plane.Region, lane int) {
	th, l, best := &p.f.Theme, &p.d.Lanes[lane], &p.verdict.Best[lane]
	look := &th.Lane[pane.Slot(l.ID)]
	g.Set(1, (g.H()-1)/2, look.Glyph, look.Style)
	g.Text(3, (g.H()-1)/2, pane.Letter(l.ID), look.Style)
	strip := g.Sub(plane.Rect{X: labels, W: p.w, H: g.H()})
	if !l.Has {
		strip.TextFit(0, 0, p.w, *th, "has no such parameter", th.Faint)
		return
	}
	for x := range p.w {
		i := p.at(x)
		mid := x == p.middle(i)
		r, style := ' ', th.Faint
		switch c := cell(l, i); {
		case c != nil && c.Of[p.of].Untrusted == 0 && best.Has(p.of, i) && (mid || p.n >= p.w): // one is enough
			r, style = bestMark(th), th.Accent
		case i == p.cursor && mid:
			r, style = th.Glyphs.Vertical, th.Accent
		case c == nil:
			r, style = pendingMark(th), th.Faint
		case c.Of[p.of].Untrusted > 0:
			r, style = hatchMark(th), th.Dim
		case c.Of[p.of].N > 0:
			r, style = p.shade(c.Of[p.of].Mean)
		case c.Diverged > 0:
			r, style = th.Glyphs.Cross, th.Bad
		}
		for y := range g.H() {
			strip.Set(x, y, r, style)
		}
		p.seen[r] = true
	}
}

// shade is that of a value on the scale: the lighter, the better.
func (p *gridPane) shade(x float64) (rune, plane.Style) {
	th, f := &p.f.Theme, min(max(p.ends.Frac(x, p.log), 0), 1)
	if quantity.All[p.of].Better == quantity.Lower {
		f = 1 - f
	}
	if !(p.ends.Hi > p.ends.Lo) || math.IsNaN(f) {
		f = 0.5
	}
	if th.NoColor || th.ASCII {
		return th.Glyphs.Shade[int(4*f+0.5)], th.HeatAt(f)
	}
	return th.Glyphs.Shade[4], th.HeatAt(f)
}

// What stands for a cell that cannot be trusted, the best and one that has not run. In ASCII the theme's own marks are
// also shades.
func hatchMark(th *theme.Theme) rune   { return th.Rune('╱', '/') }
func bestMark(th *theme.Theme) rune    { return th.Rune(th.Glyphs.OK, '*') }
func pendingMark(th *theme.Theme) rune { return th.Rune(th.Glyphs.Bullet, '-') }

// drawAxis writes values below their cells, and that under the cursor.
func (p *gridPane) drawAxis(row plane.Region) {
	const apart = 10 // columns from label to label
	th := &p.f.Theme
	row.TextFit(1, 0, labels-1, *th, p.symbol, th.Dim)
	place := func(i int) (text string, x, end int) {
		text = p.d.Text(i)
		x = max(min(labels+p.middle(i)-(plane.Width(text)-1)/2, row.W()-plane.Width(text)-1), 0)
		return text, x, x + plane.Width(text) + 1
	}
	text, cursor, past := place(p.cursor)
	row.Text(cursor, 0, text, th.Accent.With(theme.Bold))
	stride := 1
	for stride < p.n && p.from(stride) < apart {
		stride++
	}
	end := 0
	for i := min(max(p.d.Base, 0), p.n-1) % stride; i < p.n; i += stride {
		if text, x, to := place(i); x >= end && (to <= cursor || x >= past) {
			row.Text(x, 0, text, th.Dim)
			end = to
		}
	}
}

// drawNumbers writes the numbers of the cell under the cursor on the lower edge, and which
// cell that is where there is room.
func (p *gridPane) drawNumbers(g plane.Region) {
	const between = 2 // columns between numbers, and those of a lane's glyph
	th, n := &p.f.Theme, len(p.d.Lanes)
	var l pane.Line
	l.Add(n, "at", th.Dim, th.Accent, p.d.Text(p.cursor))
	for i := range p.d.Lanes {
		lane := &p.d.Lanes[i]
		if !lane.Has {
			continue
		}
		look := &th.Lane[pane.Slot(lane.ID)]
		part := p.number(cell(lane, p.cursor), min((g.W()-4)/n-2*between, wideValue))
		part.Label, part.LabelStyle, part.Rank = string(look.Glyph), look.Style, i
		l.Parts = append(l.Parts, part)
	}
	pane.OnFoot(g, p.f, &l)
}

// number writes a cell's quantity, or why it has none.
func (p *gridPane) number(c *scan.Cell, room int) *pane.Part {
	if c == nil {
		return new(pane.Part).Withheld(p.f, metrics.Absent)
	}
	th, form, v, more := &p.f.Theme, quantity.All[p.of].Form, &c.Of[p.of], ""
	out := &pane.Part{Style: th.Text}
	switch {
	case v.N > 0:
		out.Text = wording.Number(form, v.Mean, pane.NumberWidth)
		if long := wording.WithError(form, v.Mean, v.SE, room); v.SE > 0 && plane.Width(long) <= room {
			out.Text = long
		}
		if c.Diverged > 0 {
			out.Style, more = th.Warn, " "+string(th.Glyphs.Cross)+strconv.Itoa(c.Diverged)
		} else if v.Untrusted > 0 {
			out.Style = th.Dim
		}
	case c.Diverged > 0:
		out.Style, out.Text, more = th.Bad, "diverged", " @"+plane.Count(c.DivergedAt)
	default:
		out.Withheld(p.f, v.Why)
	}
	if plane.Width(out.Text+more) <= room {
		out.Text += more
	}
	return out
}
