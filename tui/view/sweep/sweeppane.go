package sweep

import (
	"math"
	"slices"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
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

// DoCell is the binding of a cell, by the name of its pane and the place that was hit.
const DoCell = "sweep.cell"

// drawPane draws a quantity: a row of cells for each lane with the number of the cell
// under the cursor after it, and the axis. In other rows than it has among other panes
// it stands alone.
func (v *view) drawPane(g plane.Region, f *pane.Frame, d *Data, q quantity.ID, look sweepLook, axis bool, rows int) {
	title := quantity.All[q].Name
	scale := v.known.scale[q]
	shown := title
	if scale.log {
		shown += pane.InLog
	}
	in := g.Box(f.Theme, plane.Box{Title: shown})
	v.ramp(g, f, q, &scale)
	lanes := d.Lanes[:min(len(d.Lanes), engine.MaxLanes)]
	if g.H() != rows {
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
	rows = min(look.rows(len(lanes)), in.H())
	strips := in.Sub(plane.Rect{X: plan.x, W: plan.heat.Width(), H: rows})
	f.SetPlot(g, pane.Plot{Rect: strips.Rect(), AxisX: pane.GridAxis, X: pane.Range{Lo: -0.5, Hi: float64(len(d.Values)) - 0.5}})
	strips.Zone(plane.Zone{ID: "cells:" + title, Click: plane.Call(DoCell, title)})
	if axis {
		sweepAxis(in.Sub(plane.Rect{Y: rows, W: in.W(), H: in.H() - rows}), f, d, &plan, cursor)
	}
}

// ramp draws the ends of the scale and the ramp between them on the upper edge.
func (v *view) ramp(g plane.Region, f *pane.Frame, q quantity.ID, s *heatScale) {
	th := &f.Theme
	if !s.ok || g.H() < 2 {
		return
	}
	lo := pane.Part{Style: th.Dim, Text: pane.Written(&quantity.All[q], s.lo, pane.NumberWidth)}
	hi := pane.Part{Style: th.Dim, Text: pane.Written(&quantity.All[q], s.hi, pane.NumberWidth)}
	if s.less {
		lo.Text = "≤ " + lo.Text
	}
	if s.more {
		hi.Text = "≥ " + hi.Text
	}
	lo.Text, hi.Text = g.Spell(lo.Text), g.Spell(hi.Text)
	w := lo.Width() + hi.Width() + sweepRampCells + 4
	if !(s.hi > s.lo) {
		w = lo.Width() + 2
	}
	if w+plane.Width(quantity.All[q].Name)+14 > g.W() {
		return
	}
	at := g.Sub(plane.Rect{X: g.W() - w - 2, W: w, H: 1})
	at.Fill(' ', plane.Style{})
	x := lo.Draw(at, 1, 0)
	if s.hi > s.lo {
		chart.HeatRamp(at.Sub(plane.Rect{X: x + 1, W: sweepRampCells, H: 1}), f.Theme)
		hi.Draw(at, x+sweepRampCells+2, 0)
	}
}

// row draws a lane's cells, its name before them and the number under the cursor
// after them.
func (v *view) row(g plane.Region, f *pane.Frame, d *Data, l *Lane, q quantity.ID, scale *heatScale, plan *sweepPlan, cursor int, best *sweepBest) {
	th := &f.Theme
	look := &th.Lane[pane.Slot(l.ID)]
	y := (g.H() - 1) / 2
	g.Set(1, y, look.Glyph, look.Style)
	if plan.label >= sweepLabel {
		g.Text(3, y, pane.Letter(l.ID), look.Style)
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
	var cells []chart.HeatCell
	some := false
	for i := range d.Values {
		c := l.heat(q, i, scale, best)
		some = some || c.Mark != chart.HeatNone
		cells = append(cells, c)
	}
	if c := l.cell(cursor); !some && c != nil && c.Runs > 0 {
		why := strip.Row(y)
		why.TextFit(0, 0, why.W(), f.Theme, "not known for this method", th.Faint)
		return
	}
	chart.HeatRow(strip, f.Theme, cells, cursor)
	if room := g.W() - plan.value - 1; plan.value < g.W() && room > 0 {
		number := g.Sub(plane.Rect{X: plan.value, Y: y, W: room, H: 1})
		p := pane.Part{Style: th.Text}
		sweepTell(&p, f, l.cell(cursor), q, room)
		p.Draw(number, 0, 0)
	}
}

// heat is how a lane's cell is drawn.
func (l *Lane) heat(q quantity.ID, i int, scale *heatScale, best *sweepBest) chart.HeatCell {
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

// mostDigits is a width in which every value and its error have room.
const mostDigits = 48

// sweepTell writes a cell's quantity, in words where it has none.
func sweepTell(p *pane.Part, f *pane.Frame, c *Cell, q quantity.ID, room int) {
	th := &f.Theme
	if c == nil || c.Runs == 0 {
		p.Withheld(f, metrics.Absent)
		return
	}
	v := &c.Of[q]
	// more appends a text if there is room for it.
	more := func(text string) {
		if plane.Width(p.Text+text) <= room {
			p.Text += text
		}
	}
	switch {
	case v.N > 0:
		rough := ""
		if c.Lost > 0 {
			p.Style = th.Warn
		} else if v.Short > 0 {
			p.Style, rough = th.Dim, "≈ "
		}
		of := &quantity.All[q]
		p.Text = rough + pane.Written(of, v.Mean, pane.NumberWidth)
		if v.SE > 0 && q != quantity.CovBias {
			text := rough + plane.PlusMinus(v.Mean, v.SE, mostDigits)
			if of.Form == quantity.Share {
				text = rough + plane.PlusMinus(100*v.Mean, 100*v.SE, mostDigits) + " %"
			}
			if plane.Width(text) <= room {
				p.Text = text
			}
		}
		if c.Lost > 0 {
			more(" " + string(th.Glyphs.Cross) + strconv.Itoa(c.Lost))
		}
	case c.Lost > 0:
		p.Style, p.Text = th.Bad, "diverged"
		if room >= sweepValue {
			more(" @" + plane.Count(c.LostAt))
		}
	case v.Short > 0:
		p.Style, p.Text = th.Dim, "too short"
	default:
		p.Withheld(f, metrics.Absent)
	}
}

// sweepAxis draws where the lanes are, and under it values of the axis and that of
// the cell under the cursor.
func sweepAxis(g plane.Region, f *pane.Frame, d *Data, plan *sweepPlan, cursor int) {
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
	g.TextFit(1, y, plan.label-1, f.Theme, pane.SymbolOf(th, &d.Param), th.Dim)
	row := g.Sub(plane.Rect{Y: y, W: w, H: 1})
	text := pane.ParamText(d.Param, d.Values[cursor], 0)
	cx, cw := labelAt(plan, cursor, plane.Width(text), w)
	row.Text(cx, 0, text, th.Accent.With(theme.Bold))
	stride := sweepStride(plan, len(d.Values))
	base := min(max(d.Base, 0), len(d.Values)-1)
	for end, i := 0, base%stride; i < len(d.Values); i += stride {
		text := pane.ParamText(d.Param, d.Values[i], 0)
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
func liveMark(g plane.Region, f *pane.Frame, d *Data, l *Lane, plan *sweepPlan, taken []int) int {
	if !l.Has {
		return -1
	}
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		x, ok := v.Setting.Values[d.Param.Key]
		if v.ID != l.ID || !ok {
			continue
		}
		look := f.LaneStyle(v)
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

// ValueText writes a value of the grid's parameter as the axis does, for notices.
func ValueText(d *Data, i int) string {
	if i < 0 || i >= len(d.Values) {
		return strconv.Itoa(i)
	}
	return pane.ParamText(d.Param, d.Values[i], 0)
}
