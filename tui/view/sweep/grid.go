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
const (
	labels    = 7
	wideValue = 18
)

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
func (p *gridPane) at(x int) int     { return x * p.n / p.w }

// The least ratio of the ends of a log scale, and the largest ratio of any. Near the
// limit of stability errors grow without bound, and would leave nothing of the scale for the rest.
const (
	logFrom   = 4
	mostRatio = 1000
)

// drawPane draws a quantity: a chart where there is room, a row of cells for each lane, the axis, and on the lower edge
// the numbers of the cell under the cursor.
func (v *view) drawPane(g plane.Region, f *pane.Frame, d *Data, q quantity.ID) {
	p := &gridPane{view: v, f: f, d: d, of: q, cursor: v.at(f, d), n: len(d.Values), ends: chart.NoValues()}
	title := quantity.All[q].Name
	lanes := d.Lanes
	in := g.Pad(1, 1, 1, 1)
	if p.w = max(in.W()-labels-2, 1); p.n < p.w {
		p.w -= p.w % p.n
	}
	for i := range lanes {
		for _, x := range series(&lanes[i], q, 1).Y {
			p.ends.Add(x)
		}
	}
	if p.log = p.ends.Lo > 0 && p.ends.Hi/p.ends.Lo >= logFrom; p.log && p.ends.Hi > p.ends.Lo*mostRatio {
		p.ends.Hi, p.cut = p.ends.Lo*mostRatio, true
	}
	thick, share := 1, 1.0
	if in.H() >= 8*len(lanes) {
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
	room := in.H() - thick*len(lanes) - 1
	if room >= leastChart-1 {
		lines.Draw(in.Sub(plane.Rect{W: labels + p.w, H: room}), f.Theme)
	} else {
		room = 0
	}
	for i := range lanes {
		p.drawRow(in.Sub(plane.Rect{Y: room + i*thick, W: labels + p.w, H: thick}), i)
	}
	strips := in.Sub(plane.Rect{X: labels, W: p.w, H: room + thick*len(lanes)})
	f.SetPlot(g, pane.Plot{Rect: strips.Rect(), AxisX: pane.GridAxis, X: pane.Range{Lo: -0.5, Hi: float64(p.n) - 0.5}})
	strips.Zone(plane.Zone{ID: "cells:" + quantity.All[q].Name, Click: plane.Call(DoCell, quantity.All[q].Name)})
	p.drawAxis(in.Row(room + thick*len(lanes)))
	p.drawNumbers(g)
}

// chart is the quantity against the parameter, a line a lane over the means of the seeds with bars of ± 2 standard
// errors, in the columns of the cells. The bias of the lanes that have an exact one is dotted in the chart of the
// error. A cell that diverged, and one that cannot be trusted, breaks the line.
func (p *gridPane) chart(share float64) *chart.Lines {
	th := &p.f.Theme
	known, short := p.d.has(p.of)
	c := &chart.Lines{
		X:      chart.Scale{Fix: true, Own: true, Range: pane.Range{Lo: -0.5, Hi: float64(p.n) - 0.5}},
		Y:      chart.Scale{Log: p.log, Fix: p.cut, Range: pane.Range{Lo: share * p.ends.Lo, Hi: share * p.ends.Hi}},
		YWidth: labels - 1, Cross: float64(p.cursor), Crossed: true, Empty: "no value yet",
	}
	if short && !known {
		c.Empty = "cannot be trusted"
	}
	for _, l := range p.d.Lanes {
		look := &th.Lane[pane.Slot(l.ID)]
		s := series(&l, p.of, share)
		s.Name, s.Style, s.Glyph, s.Line = pane.Letter(l.ID)+" "+l.Title, look.Style, look.Glyph, look.Line
		c.Series = append(c.Series, s)
	}
	for _, l := range p.d.Lanes {
		if s := series(&l, quantity.CovBias, 1); p.of == quantity.CovError && len(s.X) > 1 {
			for k, bias := range s.Y { // what is far below the errors says nothing of them
				if !(bias >= p.ends.Lo/2) {
					s.Y[k] = math.NaN()
				}
			}
			s.Style, s.Line, s.Low, s.High = th.Truth, 2, nil, nil
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
	th, l := &p.f.Theme, &p.d.Lanes[lane]
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
		r, style := p.look(l, i, &p.verdict.Best[lane])
		switch mid := x == p.middle(i); {
		case r == best(*th) && mid:
		case i == p.cursor && mid:
			r, style = th.Glyphs.Vertical, th.Accent
		case r == best(*th) && p.n < p.w: // one is enough
			r, style = p.shade(cell(l, i).Of[p.of].Mean)
		}
		for y := range g.H() {
			strip.Set(x, y, r, style)
		}
		p.seen[r] = true
	}
}

// look is what stands for a lane's cell.
func (p *gridPane) look(l *scan.Lane, i int, of *scan.Best) (r rune, style plane.Style) {
	th := &p.f.Theme
	switch c := cell(l, i); {
	case c == nil:
		return pending(*th), th.Faint
	case c.Of[p.of].Untrusted > 0:
		return hatch(*th), th.Dim
	case c.Of[p.of].N > 0 && of.Has(p.of, i):
		return best(*th), th.Accent
	case c.Of[p.of].N > 0:
		return p.shade(c.Of[p.of].Mean)
	case c.Diverged > 0:
		return th.Glyphs.Cross, th.Bad
	}
	return ' ', th.Faint
}

// shade is that of a value on the scale.
func (p *gridPane) shade(x float64) (rune, plane.Style) {
	th := &p.f.Theme
	f := p.ends.Frac(x, p.log)
	if f = min(max(f, 0), 1); !(p.ends.Hi > p.ends.Lo) || math.IsNaN(f) {
		f = 0.5
	}
	if th.NoColor || th.ASCII {
		return th.Glyphs.Shade[int(4*f+0.5)], th.HeatAt(f)
	}
	return th.Glyphs.Shade[4], th.HeatAt(f)
}

// What stands for a cell that cannot be trusted, the best and one that has not run. In ASCII the theme's own marks are
// also shades.
func hatch(th theme.Theme) rune   { return th.Rune('╱', '/') }
func best(th theme.Theme) rune    { return th.Rune(th.Glyphs.OK, '*') }
func pending(th theme.Theme) rune { return th.Rune(th.Glyphs.Bullet, '-') }

// drawAxis writes values below their cells, and that under the cursor.
func (p *gridPane) drawAxis(row plane.Region) {
	const apart = 10 // columns from label to label
	th := &p.f.Theme
	row.TextFit(1, 0, labels-1, *th, p.symbol, th.Dim)
	place := func(i int) (text string, x, end int) {
		text = p.d.Text(i)
		n := plane.Width(text)
		x = max(min(labels+p.middle(i)-(n-1)/2, row.W()-n-1), 0)
		return text, x, x + n + 1
	}
	text, cursor, past := place(p.cursor)
	row.Text(cursor, 0, text, th.Accent.With(theme.Bold))
	stride := 1
	for stride < p.n && p.from(min(stride, p.n)) < apart {
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
	th := &p.f.Theme
	var l pane.Line
	lanes := p.d.Lanes
	l.Add(len(lanes), "at", th.Dim, th.Accent, p.d.Text(p.cursor))
	for i, lane := range lanes {
		if !lane.Has {
			continue
		}
		look := &th.Lane[pane.Slot(lane.ID)]
		part := p.number(cell(&lane, p.cursor), min((g.W()-4)/len(lanes)-2*between, wideValue))
		part.Label, part.LabelStyle, part.Rank = string(look.Glyph), look.Style, i
		l.Parts = append(l.Parts, &part)
	}
	pane.OnFoot(g, p.f, &l)
}

// number writes a cell's quantity, or why it has none.
func (p *gridPane) number(c *scan.Cell, room int) (out pane.Part) {
	th := &p.f.Theme
	if c == nil {
		out.Withheld(p.f, metrics.Absent)
		return out
	}
	q, v := &quantity.All[p.of], &c.Of[p.of]
	more := ""
	switch {
	case v.N > 0:
		out.Style, out.Text = th.Text, wording.Number(q.Form, v.Mean, pane.NumberWidth)
		if long := wording.WithError(q.Form, v.Mean, v.SE, room); v.SE > 0 && plane.Width(long) <= room {
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
