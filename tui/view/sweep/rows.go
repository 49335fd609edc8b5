package sweep

import (
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study/scan"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A plan is where the parts of a pane's rows stand, alike in all panes of a view.
type plan struct {
	label int // columns of the lanes' names
	x     int // of the first cell
	heat  heatPlan
	value int // column of the numbers, the pane's width where they stand on the edge
}

// The columns of a pane's parts, narrow and wide.
const (
	wide        = 100
	besideWidth = 70 // below which numbers stand on the edge
	leastLabel  = 6
	narrowLabel = 10
	wideLabel   = 15
	leastValue  = 11 // 0.075±0.008
	narrowValue = 16
	wideValue   = 18
	rampCells   = 8
	leastCells  = 8
)

func planFor(w, cells int) (p plan) {
	label, value := narrowLabel, narrowValue
	switch {
	case w >= wide:
		label, value = wideLabel, wideValue
	case w < besideWidth:
		label, value = leastLabel, 0
	}
	if w-label-value-3 < leastCells {
		label, value = 3, 0
	}
	p.label, p.x = label, label+1
	p.heat = heatPlan{N: cells, W: max(w-p.x-value-2, 0)}
	if edge := (heatPlan{N: cells, W: max(w-p.x-2, 0)}); 2*edge.Width() > 3*p.heat.Width() {
		p.heat = edge // a chart half as wide again is worth its numbers on the edge
	}
	if p.value = p.x + p.heat.Width() + 2; w-p.value-1 < leastValue {
		p.value = w
	}
	return p
}

// DoCell is the binding of a cell, by the name of its pane and the place that was hit.
const DoCell = "sweep.cell"

// A heatPane is a quantity's pane that is being drawn.
type heatPane struct {
	*view
	plan
	f      *pane.Frame
	d      *Data
	of     quantity.ID
	scale  heatScale
	cursor int
}

// drawPane draws a quantity: for each lane a row of cells and the number of the cell
// under the cursor, and the axis. rows is the height that the pane has among the others.
// With another height it stands alone.
func (v *view) drawPane(g plane.Region, f *pane.Frame, d *Data, q quantity.ID, look rowStyle, axis bool, rows int) {
	p := &heatPane{view: v, f: f, d: d, of: q, scale: v.known.scale[q], cursor: v.at(f, d)}
	name := quantity.All[q].Name
	title := name
	if p.scale.log {
		title += pane.InLog
	}
	lanes := d.lanes()
	in := g.Pad(1, 1, 1, 1)
	p.plan = planFor(in.W(), len(d.Values))
	charted := in.H()-len(lanes)-1 >= leastChart && in.W() >= pane.PaneW-2
	var lines *chart.Lines
	room := 0 // of the chart
	if charted {
		lines = p.chart()
		if p.share() > 1 {
			title = strings.Replace(title, name, name+" in %", 1)
		}
		title = pane.BesideLegend(title, g.W()-pane.TitleEdge(lines.Series))
		look, axis = rowStyle{thick: 1}, true
		if in.H() >= 8*len(lanes) {
			look.thick = 2
		}
		room = in.H() - look.rows(len(lanes)) - 1
	} else if g.H() != rows {
		axis, look = true, rowStyle{thick: 1}
		for _, l := range [...]rowStyle{{2, 0}, {2, 1}, {3, 1}, {4, 1}, {6, 1}} {
			if l.rows(len(lanes))+axisRows <= in.H() {
				look = l
			}
		}
	}
	in = g.Box(f.Theme, plane.Box{Title: title})
	if charted {
		pane.Legend(g, f, title, lines.Series)
		lines.Draw(in.Sub(plane.Rect{W: p.x + p.heat.Width(), H: room}), f.Theme)
	} else {
		p.drawRamp(g)
	}
	cells := in.Pad(room, 0, 0, 0)
	for i := range lanes {
		p.drawRow(cells.Sub(plane.Rect{Y: i * (look.thick + look.gap), W: in.W(), H: look.thick}), &lanes[i],
			&v.known.best[i])
	}
	rows = min(look.rows(len(lanes)), cells.H())
	strips := in.Sub(plane.Rect{X: p.x, W: p.heat.Width(), H: room + rows})
	f.SetPlot(g, pane.Plot{Rect: strips.Rect(), AxisX: pane.GridAxis,
		X: pane.Range{Lo: -0.5, Hi: float64(len(d.Values)) - 0.5}})
	strips.Zone(plane.Zone{ID: "cells:" + name, Click: plane.Call(DoCell, name)})
	if axis {
		p.drawAxis(cells.Sub(plane.Rect{Y: rows, W: in.W(), H: in.H() - room - rows}))
	}
	if p.value >= in.W() {
		p.drawNumbers(g)
	}
}

// drawRamp draws the ends of the scale and the ramp between them on the upper edge.
func (p *heatPane) drawRamp(g plane.Region) {
	q, s := &quantity.All[p.of], &p.scale
	if !s.known() || g.H() < 2 {
		return
	}
	lo, hi := wording.Number(q.Form, s.Lo, pane.NumberWidth), wording.Number(q.Form, s.Hi, pane.NumberWidth)
	if s.less {
		lo = "≤ " + lo
	}
	if s.more {
		hi = "≥ " + hi
	}
	lo, hi = g.Spell(lo), g.Spell(hi)
	w := plane.Width(lo) + plane.Width(hi) + rampCells + 4
	if !(s.Hi > s.Lo) {
		w = plane.Width(lo) + 2
	}
	if w+plane.Width(q.Name)+14 > g.W() {
		return
	}
	at := g.Sub(plane.Rect{X: g.W() - w - 2, W: w, H: 1})
	at.Fill(' ', plane.Style{})
	x := at.Text(1, 0, lo, p.f.Theme.Dim)
	if s.Hi > s.Lo {
		drawRamp(at.Sub(plane.Rect{X: x + 1, W: rampCells, H: 1}), p.f.Theme)
		at.Text(x+rampCells+2, 0, hi, p.f.Theme.Dim)
	}
}

// drawRow draws a lane's cells, its name before them and the number under the cursor
// after them.
func (p *heatPane) drawRow(g plane.Region, l *LaneCells, best *scan.Best) {
	th := &p.f.Theme
	look := &th.Lane[pane.Slot(l.ID)]
	y := (g.H() - 1) / 2
	g.Set(1, y, look.Glyph, look.Style)
	if p.label >= narrowLabel {
		g.Text(3, y, pane.Letter(l.ID), look.Style)
		g.TextFit(5, y, p.label-5, *th, l.Title, look.Style)
	}
	strip := g.Sub(plane.Rect{X: p.x, W: p.heat.W, H: g.H()})
	say := func(why string) { strip.TextFit(0, y, strip.W(), *th, why, th.Faint) }
	switch {
	case !l.Has:
		say("has no such parameter")
		return
	case len(l.Cells) == 0:
		return
	}
	cells := make([]heatCell, len(p.d.Values))
	some := false
	for i := range cells {
		cells[i] = l.heat(p.of, i, &p.scale, best)
		some = some || cells[i].Mark != pendingCell
	}
	cell := l.cell(p.cursor)
	if !some && cell != nil && cell.Runs > 0 {
		say("not known for this method")
		return
	}
	drawHeat(strip, *th, cells, p.cursor)
	if room := g.W() - p.value - 1; p.value < g.W() && room > 0 {
		number := p.number(cell, room)
		number.Draw(g.Sub(plane.Rect{X: p.value, Y: y, W: room, H: 1}), 0, 0)
	}
}

// heat is the look of a lane's cell.
func (l *LaneCells) heat(q quantity.ID, i int, scale *heatScale, best *scan.Best) heatCell {
	c, out := l.cell(i), heatCell{Frac: math.NaN(), Mark: pendingCell}
	switch {
	case c == nil || c.Runs == 0:
	case c.Of[q].N == 0 && c.Of[q].Untrusted > 0:
		out.Mark = untrustedCell
	case c.Of[q].N > 0:
		out.Frac, out.Mark = scale.frac(c.Of[q].Mean), plainCell
		switch {
		case math.IsNaN(out.Frac):
			out.Mark = failedCell
		case c.Of[q].Untrusted > 0:
			out.Mark = untrustedCell
		case best.Has(q, i):
			out.Mark = bestCell
		}
	case c.Diverged > 0:
		out.Mark = failedCell
	}
	return out
}

// number writes a cell's quantity, or why it has none.
func (p *heatPane) number(c *Cell, room int) (out pane.Part) {
	th := &p.f.Theme
	if c == nil || c.Runs == 0 {
		out.Withheld(p.f, metrics.Absent)
		return out
	}
	out.Style = th.Text
	// more appends a text if there is room for it.
	more := func(text string) {
		if plane.Width(out.Text+text) <= room {
			out.Text += text
		}
	}
	switch q, v := &quantity.All[p.of], &c.Of[p.of]; {
	case v.N > 0:
		about := ""
		if c.Diverged > 0 {
			out.Style = th.Warn
		} else if v.Untrusted > 0 {
			out.Style, about = th.Dim, "≈ "
		}
		out.Text = about + wording.Number(q.Form, v.Mean, pane.NumberWidth)
		if v.SE > 0 && p.of != quantity.CovBias {
			text := about + wording.WithError(q.Form, v.Mean, v.SE, room-plane.Width(about))
			if plane.Width(text) > room {
				text = "≈ " + wording.Number(q.Form, v.Mean, pane.NumberWidth)
			}
			out.Text = text
		}
		if c.Diverged > 0 {
			more(" " + string(th.Glyphs.Cross) + strconv.Itoa(c.Diverged))
		}
	case c.Diverged > 0:
		out.Style, out.Text = th.Bad, "diverged"
		more(" @" + plane.Count(c.DivergedAt))
	default:
		out.Withheld(p.f, v.Why)
	}
	return out
}

// drawAxis draws the lanes' present values, and below them values of the axis and the
// value under the cursor.
func (p *heatPane) drawAxis(g plane.Region) {
	th, values := &p.f.Theme, p.d.Values
	w, h := g.Size()
	if h < 1 || p.heat.Width() < 1 {
		return
	}
	if h >= axisRows {
		g.TextFit(1, 0, p.label-1, *th, "live", th.Dim)
		g.Row(0).Term(wording.Live)
		p.drawLive(g)
	}
	row := g.Row(min(h, axisRows) - 1)
	row.TextFit(1, 0, p.label-1, *th, pane.SymbolOf(th, &p.d.Param), th.Dim)
	text := ValueText(p.d, p.cursor)
	cx, cw := p.labelAt(p.cursor, text, w), plane.Width(text)
	row.Text(cx, 0, text, th.Accent.With(theme.Bold))
	stride := p.stride()
	base := min(max(p.d.Base, 0), len(values)-1)
	for end, i := 0, base%stride; i < len(values); i += stride {
		text := ValueText(p.d, i)
		x, n := p.labelAt(i, text, w), plane.Width(text)
		if x < end || x+n+1 > cx && x < cx+cw+1 || i == p.cursor {
			continue
		}
		row.Text(x, 0, text, th.Dim)
		end = x + n + 1
	}
}

// middle is the column of the middle of a cell.
func (p *plan) middle(cell int) int {
	from, to := p.heat.Columns(cell)
	return p.x + (from+to-1)/2
}

// labelAt is where a label stands under a cell, within w columns.
func (p *plan) labelAt(cell int, text string, w int) int {
	n := plane.Width(text)
	return max(min(p.middle(cell)-(n-1)/2, w-n-1), 0)
}

// stride is how many cells apart labels stand.
func (p *plan) stride() int {
	const room = 9
	for _, n := range [...]int{1, 2, 5, 10, 20, 50, 100, 200, 500} {
		from, _ := p.heat.Columns(0)
		if to, _ := p.heat.Columns(min(n, max(p.heat.N-1, 0))); to-from >= room {
			return n
		}
	}
	return max(p.heat.N, 1)
}

// drawLive draws each lane's glyph over its present value, at the edge if the value is
// beyond the grid. Lanes with one value stand beside each other.
func (p *heatPane) drawLive(g plane.Region) {
	var taken []int
	for _, v := range p.f.EachLane() {
		x, ok := v.Setting.Values[p.d.Param.Key]
		if !ok || !slices.ContainsFunc(p.d.Lanes, func(l LaneCells) bool { return l.ID == v.ID && l.Has }) {
			continue
		}
		at, within := p.d.At(x)
		col := p.middle(at)
		if !within && !math.IsNaN(x) {
			if n := len(p.d.Values) - 1; at >= n && n > 0 {
				col = p.x + p.heat.Width()
			} else {
				col = p.x - 1
			}
		}
		for slices.Contains(taken, col) {
			col++
		}
		taken = append(taken, col)
		look := p.f.LaneStyle(v)
		g.Set(col, 0, look.Glyph, look.Style)
	}
}

// ValueText writes a value of the grid's parameter as the axis does.
func ValueText(d *Data, i int) string {
	if i < 0 || i >= len(d.Values) {
		return strconv.Itoa(i)
	}
	return pane.ParamText(d.Param, d.Values[i], 0)
}
