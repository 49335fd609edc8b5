package panel

import (
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// sweepPlan is where the parts of a pane's rows stand, alike in all panes of a view.
type sweepPlan struct {
	label int // columns of the lanes' names
	x     int // of the first cell
	heat  chart.HeatPlan
	value int // column of the numbers
}

// The columns of a pane's parts, narrow and wide.
const (
	sweepWide       = 100
	sweepLabel      = 10
	sweepWideLabel  = 15
	sweepValue      = 11
	sweepWideValue  = 18
	sweepRampCells  = 8
	leastSweepCells = 8
)

func planSweep(w, cells int) (p sweepPlan) {
	label, value := sweepLabel, sweepValue
	if w >= sweepWide {
		label, value = sweepWideLabel, sweepWideValue
	}
	if w-label-value-3 < leastSweepCells {
		label, value = 3, 0
	}
	p.label, p.x = label, label+1
	p.heat = chart.HeatPlan{N: cells, W: max(w-p.x-value-2, 0)}
	p.value = p.x + p.heat.Width() + 2
	return p
}

// pane draws a quantity: a row of cells for each lane with the number of the cell
// under the cursor after it, and the axis.
func (v *Sweep) pane(g plane.Region, f *Frame, d *SweepData, q SweepQuantity, look sweepLook, axis bool) {
	title := q.name()
	at := g
	g, ok := f.pane(g, title, -1)
	if !ok {
		return
	}
	scale := v.known.scale[q]
	shown := title
	if scale.log {
		shown += inLog
	}
	in := g.Box(f.Theme, plane.Box{Title: shown})
	v.ramp(g, f, q, &scale)
	lanes := d.Lanes[:min(len(d.Lanes), engine.MaxLanes)]
	if at.Rect() != g.Rect() { // it has the whole view
		axis, look = true, sweepLook{thick: 1}
		for _, l := range [...]sweepLook{{2, 0}, {2, 1}, {3, 1}, {4, 1}, {6, 1}} {
			if l.rows(len(lanes))+sweepAxisRows <= in.H() {
				look = l
			}
		}
	}
	plan := planSweep(in.W(), len(d.Values))
	cursor := v.at(f, d)
	y := 0
	for i := range lanes {
		l := &lanes[i]
		row := in.Sub(plane.Rect{Y: y, W: in.W(), H: look.thick})
		v.row(row, f, d, l, q, &scale, &plan, cursor, &v.known.best[i])
		y += look.thick + look.gap
	}
	rows := min(look.rows(len(lanes)), in.H())
	strips := in.Sub(plane.Rect{X: plan.x, W: plan.heat.Width(), H: rows})
	f.plot(title, Plot{Rect: strips.Rect(), AxisX: GridAxis, X: Range{-0.5, float64(len(d.Values)) - 0.5}})
	if axis {
		sweepAxis(in.Sub(plane.Rect{Y: rows, W: in.W(), H: in.H() - rows}), f, d, &plan, cursor)
	}
}

// ramp draws the ends of the scale and the ramp between them on the upper edge.
func (v *Sweep) ramp(g plane.Region, f *Frame, q SweepQuantity, s *heatScale) {
	th := &f.Theme
	if !s.ok || g.H() < 2 {
		return
	}
	lo := part{style: th.Dim, text: sweepNumber(q, s.lo)}
	hi := part{style: th.Dim, text: sweepNumber(q, s.hi)}
	if s.less {
		lo.text = "≤ " + lo.text
	}
	if s.more {
		hi.text = "≥ " + hi.text
	}
	lo.text, hi.text = g.Spell(lo.text), g.Spell(hi.text)
	w := lo.width() + hi.width() + sweepRampCells + 4
	if !(s.hi > s.lo) {
		w = lo.width() + 2
	}
	if w+plane.Width(q.name())+14 > g.W() {
		return
	}
	at := g.Sub(plane.Rect{X: g.W() - w - 2, W: w, H: 1})
	at.Fill(' ', plane.Style{})
	x := lo.draw(at, 1, 0)
	if s.hi > s.lo {
		chart.HeatRamp(at.Sub(plane.Rect{X: x + 1, W: sweepRampCells, H: 1}), f.Theme)
		hi.draw(at, x+sweepRampCells+2, 0)
	}
}

// row draws a lane's cells, its name before them and the number under the cursor
// after them.
func (v *Sweep) row(g plane.Region, f *Frame, d *SweepData, l *SweepLane, q SweepQuantity, scale *heatScale, plan *sweepPlan, cursor int, best *sweepBest) {
	th := &f.Theme
	look := &th.Lane[slot(l.ID)]
	y := (g.H() - 1) / 2
	g.Set(1, y, look.Glyph, look.Style)
	if plan.label >= sweepLabel {
		g.Text(3, y, letter(l.ID), look.Style)
		g.TextFit(5, y, plan.label-5, f.Theme, l.Title, look.Style)
	}
	strip := g.Sub(plane.Rect{X: plan.x, W: plan.heat.W, H: g.H()})
	if !l.Has {
		why := strip.Row(y)
		why.TextFit(0, 0, why.W(), f.Theme, "has no such parameter", th.Faint)
		return
	}
	if len(l.Cells) == 0 {
		return
	}
	v.cells = v.cells[:0]
	some := false
	for i := range d.Values {
		c := l.heat(q, i, scale, best)
		some = some || c.Mark != chart.HeatNone
		v.cells = append(v.cells, c)
	}
	if c := l.cell(cursor); !some && c != nil && c.Runs > 0 {
		why := strip.Row(y)
		why.TextFit(0, 0, why.W(), f.Theme, "not known for this method", th.Faint)
		return
	}
	chart.HeatRow(strip, f.Theme, v.cells, cursor)
	if room := g.W() - plan.value - 1; plan.value < g.W() && room > 0 {
		number := g.Sub(plane.Rect{X: plan.value, Y: y, W: room, H: 1})
		p := part{style: th.Text}
		sweepTell(&p, f, l.cell(cursor), q, room)
		p.draw(number, 0, 0)
	}
}

// heat is how a lane's cell is drawn.
func (l *SweepLane) heat(q SweepQuantity, i int, scale *heatScale, best *sweepBest) chart.HeatCell {
	c, out := l.cell(i), chart.HeatCell{Frac: math.NaN(), Mark: chart.HeatNone}
	switch {
	case c == nil || c.Runs == 0:
	case c.Of[q].N == 0 && c.Of[q].Short > 0:
		out.Mark = chart.HeatRough
	case c.Of[q].N > 0:
		out.Frac, out.Mark = scale.frac(c.Of[q].Mean), chart.HeatPlain
		switch {
		case math.IsNaN(out.Frac):
			out.Mark = chart.HeatLost
		case c.Of[q].Short > 0:
			out.Mark = chart.HeatRough
		case best.marks(q, i):
			out.Mark = chart.HeatBest
		}
	case c.Lost > 0:
		out.Mark = chart.HeatLost
	}
	return out
}

// sweepTell writes a cell's quantity, in words where it has none.
func sweepTell(p *part, f *Frame, c *SweepCell, q SweepQuantity, room int) {
	th := &f.Theme
	if c == nil || c.Runs == 0 {
		p.none(f)
		return
	}
	v := &c.Of[q]
	// more appends a text if there is room for it.
	more := func(text string) {
		if plane.Width(p.text+text) <= room {
			p.text += text
		}
	}
	switch {
	case v.N > 0:
		rough := ""
		if c.Lost > 0 {
			p.style = th.Warn
		} else if v.Short > 0 {
			p.style, rough = th.Dim, "≈ "
		}
		p.text = rough + sweepNumber(q, v.Mean)
		if v.N > 1 && v.SE > 0 && q != SweepBias {
			text := rough + plusMinusAlone(v.Mean, v.SE, mostDigits)
			if q == SweepTestError {
				text = rough + plusMinusAlone(100*v.Mean, 100*v.SE, mostDigits) + " %"
			}
			if plane.Width(text) <= room {
				p.text = text
			}
		}
		if c.Lost > 0 {
			more(" " + string(th.Glyphs.Cross) + strconv.Itoa(c.Lost))
		}
	case c.Lost > 0:
		p.style, p.text = th.Bad, "diverged"
		if room >= sweepValue {
			more(" @" + plane.Count(c.LostAt))
		}
	case v.Short > 0:
		p.style, p.text = th.Dim, "too short"
	default:
		p.none(f)
	}
}

// sweepNumber writes a number of a quantity: an error rate in percent.
func sweepNumber(q SweepQuantity, x float64) string {
	if q == SweepTestError {
		return percent(x)
	}
	return plane.Number(x, numberWidth)
}

// sweepAxis draws where the lanes are, and under it values of the axis and that of
// the cell under the cursor.
func sweepAxis(g plane.Region, f *Frame, d *SweepData, plan *sweepPlan, cursor int) {
	th := &f.Theme
	w, h := g.Size()
	if h < 1 || plan.heat.Width() < 1 {
		return
	}
	if h >= sweepAxisRows {
		g.TextFit(1, 0, plan.label-1, f.Theme, "live", th.Dim)
		var taken [engine.MaxLanes]int
		for i := range min(len(d.Lanes), len(taken)) {
			taken[i] = liveMark(g, f, d, &d.Lanes[i], plan, taken[:i])
		}
	}
	y := min(h, sweepAxisRows) - 1
	g.TextFit(1, y, plan.label-1, f.Theme, symbolOf(th, &d.Param), th.Dim)
	row := g.Sub(plane.Rect{Y: y, W: w, H: 1})
	text := paramText(d.Param, d.Values[cursor], 0)
	cx, cw := labelAt(plan, cursor, plane.Width(text), w)
	row.Text(cx, 0, text, th.Accent.With(theme.Bold))
	stride := sweepStride(plan, len(d.Values))
	base := min(max(d.Base, 0), len(d.Values)-1)
	for end, i := 0, base%stride; i < len(d.Values); i += stride {
		text := paramText(d.Param, d.Values[i], 0)
		x, n := labelAt(plan, i, plane.Width(text), w)
		if x < end || x+n+1 > cx && x < cx+cw+1 || i == cursor {
			continue
		}
		row.Text(x, 0, text, th.Dim)
		end = x + n + 1
	}
}

// labelAt is where a label of n columns stands under a cell, within w columns.
func labelAt(plan *sweepPlan, cell, n, w int) (x, width int) {
	from, to := plan.heat.Columns(cell)
	x = plan.x + (from+to-1)/2 - (n-1)/2
	return max(min(x, w-n-1), 0), n
}

// sweepStride is how many cells apart labels stand.
func sweepStride(plan *sweepPlan, cells int) int {
	const room = 9
	for _, n := range [...]int{1, 2, 5, 10, 20, 50, 100, 200, 500} {
		from, _ := plan.heat.Columns(0)
		if to, _ := plan.heat.Columns(min(n, max(cells-1, 0))); to-from >= room {
			return n
		}
	}
	return max(cells, 1)
}

// liveMark draws a lane's glyph over the value that it has at present, at the edge if
// that is beyond the grid, and beside the lanes that have the same. It returns the
// column.
func liveMark(g plane.Region, f *Frame, d *SweepData, l *SweepLane, plan *sweepPlan, taken []int) int {
	if !l.Has {
		return -1
	}
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		x, ok := v.Setting.Values[d.Param.Key]
		if v.ID != l.ID || !ok {
			continue
		}
		look := f.look(v)
		at, within := d.At(x)
		from, to := plan.heat.Columns(at)
		col := plan.x + (from+to-1)/2
		if !within && !math.IsNaN(x) {
			if n := len(d.Values) - 1; at >= n && n > 0 {
				col = plan.x + plan.heat.Width()
			} else {
				col = plan.x - 1
			}
		}
		for slices.Contains(taken, col) {
			col++
		}
		g.Set(col, 0, look.Glyph, look.Style)
		return col
	}
	return -1
}

// SweepText writes a value of the grid's parameter as the axis does, for notices.
func SweepText(d *SweepData, i int) string {
	if i < 0 || i >= len(d.Values) {
		return strconv.Itoa(i)
	}
	return paramText(d.Param, d.Values[i], 0)
}
