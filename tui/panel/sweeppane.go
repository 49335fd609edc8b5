package panel

import (
	"math"
	"slices"
	"strconv"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// sweepTitle keeps the title of a pane from frame to frame.
type sweepTitle struct {
	memo
	log bool
}

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
	in := g.Box(f.Theme, plane.Box{Title: v.title(f, q, title, scale.log)})
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
	cursor := f.sweepAt(d)
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

// title is the pane's title, which says when its shades are those of a log scale.
func (v *Sweep) title(f *Frame, q SweepQuantity, name string, log bool) string {
	t := &v.panes[q]
	if t.log != log || !t.fits(name, "", 0, f.Theme.ASCII) {
		t.log, t.text = log, name
		if log {
			t.text += " (log)"
		}
		t.fits(name, "", 0, f.Theme.ASCII)
	}
	return t.text
}

// ramp draws the ends of the scale and the ramp between them on the upper edge.
func (v *Sweep) ramp(g plane.Region, f *Frame, q SweepQuantity, s *heatScale) {
	th := &f.Theme
	if !s.ok || g.H() < 2 {
		return
	}
	var lo, hi part
	lo.style, hi.style = th.Dim, th.Dim
	if s.less {
		lo.str("≤ ")
	}
	sweepNumber(&lo, q, s.lo)
	if s.more {
		hi.str("≥ ")
	}
	sweepNumber(&hi, q, s.hi)
	if g.ASCII() {
		lo.spell()
		hi.spell()
	}
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
	switch {
	case v.N > 0:
		if c.Lost > 0 {
			p.style = th.Warn
		} else if v.Short > 0 {
			p.style = th.Dim
			p.str("≈ ")
		}
		n := p.n
		if v.N > 1 && v.SE > 0 && q != SweepBias {
			if q == SweepTestError {
				p.plusMinusAlone(100*v.Mean, 100*v.SE, partCap).str(" %")
			} else {
				p.plusMinusAlone(v.Mean, v.SE, partCap)
			}
		}
		if p.n == n || utf8.RuneCount(p.buf[:p.n]) > room {
			p.n = n
			sweepNumber(p, q, v.Mean)
		}
		n = p.n
		if c.Lost > 0 {
			p.str(" ").rune(th.Glyphs.Cross).uint(uint64(c.Lost))
		}
		if utf8.RuneCount(p.buf[:p.n]) > room {
			p.n = n
		}
	case c.Lost > 0:
		p.style = th.Bad
		p.str("diverged")
		if n := p.n; room >= sweepValue {
			if p.str(" @").count(c.LostAt); utf8.RuneCount(p.buf[:p.n]) > room {
				p.n = n
			}
		}
	case v.Short > 0:
		p.style = th.Dim
		p.str("too short")
	default:
		p.none(f)
	}
}

// sweepNumber writes a number of a quantity: an error rate in percent.
func sweepNumber(p *part, q SweepQuantity, x float64) {
	if q == SweepTestError {
		p.percent(x)
		return
	}
	p.number(x, numberWidth)
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
	var b [partCap]byte
	text := appendParam(b[:0], d.Param, d.Values[cursor])
	cx, cw := labelAt(plan, cursor, utf8.RuneCount(text), w)
	runes(row, cx, 0, text, th.Accent.With(theme.Bold))
	stride := sweepStride(plan, len(d.Values))
	base := min(max(d.Base, 0), len(d.Values)-1)
	for end, i := 0, base%stride; i < len(d.Values); i += stride {
		var b [partCap]byte
		text := appendParam(b[:0], d.Param, d.Values[i])
		x, n := labelAt(plan, i, utf8.RuneCount(text), w)
		if x < end || x+n+1 > cx && x < cx+cw+1 || i == cursor {
			continue
		}
		runes(row, x, 0, text, th.Dim)
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
	var b [partCap]byte
	return string(appendParam(b[:0], d.Param, d.Values[i]))
}
