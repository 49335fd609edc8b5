package diagnostics

import (
	"cmp"
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// A row of the table of estimates is a quantity of the lanes, or one of a watched coordinate.
type row struct {
	id    quantity.ID
	to    quantity.ID // the other end of a range; 0 for none
	kind  bool        // each lane's kind, in place of a quantity
	of    quantity.CoordID
	axis  int // the coordinate, from 1; 0 for a quantity of the lanes
	rank  int // rows of the highest rank are left out first
	label string
}

// tableRows are the rows that the frame's target and lanes have: the quantities in the
// order of their table, and among them those of the watched coordinates.
func tableRows(f *pane.Frame) (rows []row) {
	if f.Count(quantity.Sampling) < len(f.Lanes()) {
		rows = append(rows, row{kind: true, label: "kind"})
	}
	for id := range quantity.ID(quantity.N) {
		q, has := &quantity.All[id], true
		known := func(v *engine.LaneView) bool {
			return v.Values[id].Status != metrics.Absent && v.Values[id].Status != metrics.NotSampled
		}
		rows = append(rows, coordinateRows(f, id)...)
		r := row{id: id, rank: int(q.Rank), label: q.Symbol}
		switch id {
		case quantity.MaxACT, quantity.MaxRHat:
			has = !planar(f) // else a coordinate's row shows it
		case quantity.GMin:
			r.to, r.label = quantity.GMax, "range of G"
		case quantity.GMax:
			has = false
		}
		if has && q.Rank > 0 && f.Lists(id) && f.Some(known) {
			rows = append(rows, r)
		}
	}
	return rows
}

// coordinateRows are the rows of the watched coordinates before that of a quantity of the lanes, those that stay
// longest first.
func coordinateRows(f *pane.Frame, before quantity.ID) (rows []row) {
	var all []quantity.CoordID
	for id := range quantity.NumCoord {
		q := &quantity.Coordinates[id]
		if r := q.Row; r.Ranks[0] > 0 && r.Before == before && f.Any(q.Needs) && f.Any(r.Needs) {
			all = append(all, id)
		}
	}
	rank := func(id quantity.CoordID) uint8 { return quantity.Coordinates[id].Row.Ranks[0] }
	slices.SortFunc(all, func(a, b quantity.CoordID) int { return cmp.Compare(rank(a), rank(b)) })
	for _, id := range all {
		q := &quantity.Coordinates[id]
		for k, rank := range q.Row.Ranks {
			if k > 0 && f.Dim() == 1 {
				break
			}
			rows = append(rows, row{of: id, axis: k + 1, rank: int(rank), label: q.Symbol + " of"})
		}
	}
	return rows
}

// planar reports whether the watched coordinates are all that there are.
func planar(f *pane.Frame) bool { return f.Dim() > 0 && f.Dim() <= 2 }

const (
	tableLabel = 15 // columns of the labels
	tableCell  = 16 // of a lane, at least
)

// drawTable draws the table of every lane's estimates, a lane a column.
func drawTable(g plane.Region, f *pane.Frame, rows []row) {
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "estimates", Right: expected(f), Foot: f.Footnote(g.W()-5, true)})
	g.Term(wording.Window)
	lanes := f.Lanes()
	label := min(tableLabel, max(in.W()/3, in.W()-1-len(lanes)*(tableCell+1)))
	cell := min((in.W()-label-1)/max(len(lanes), 1), 26)
	for i, v := range f.EachLane() {
		look := f.LaneStyle(v)
		at := in.Sub(plane.Rect{X: label + 1 + i*cell, W: cell - 1, H: 1})
		style := look.Style
		if i == f.FocusAt() && len(lanes) > 1 {
			style = style.With(theme.Bold)
		}
		at.Set(0, 0, look.Glyph, style)
		at.Text(2, 0, pane.Letter(v.ID), style)
		at.TextFit(4, 0, at.W()-4, f.Theme,
			plane.FitTitle(at.Spell(f.LaneTitle(v)+pane.ChainsClause(v)), at.W()-4), style)
	}
	limit, y := rankLimit(in.H()-1, rows), 1
	for _, r := range rows {
		if r.rank >= limit || y >= in.H() {
			continue
		}
		text, name := r.label, ""
		if r.axis > 0 {
			name = pane.ShortName(th, lanes[0].Names[r.axis-1])
			if plane.Width(text)+1+plane.Width(name) > label-1 {
				if text = strings.TrimSuffix(text, " of"); plane.Width(text)+1+plane.Width(name) > label-1 {
					text, _, _ = strings.Cut(text, " ")
				}
			}
		}
		x := in.TextFit(1, y, label-1, f.Theme, text, th.Dim)
		in.TextFit(x+1, y, label-x-1, f.Theme, name, th.Dim)
		decimals := f.Decimals(r.estimate, cell-1)
		for i, v := range f.EachLane() {
			var l pane.Line
			r.write(&l, f, v, cell-1, decimals)
			if p := l.Parts[0]; p.Text == wording.Withheld(metrics.TooShort) { // the foot says that, once
				p.Text, p.Style = wording.None, th.Faint
			}
			l.Parts[0].Shorten(th, cell-1)
			l.Draw(in.Sub(plane.Rect{X: label + 1 + i*cell, Y: y, W: cell - 1, H: 1}), 1)
		}
		y++
	}
}

// estimate is a lane's estimate in the row.
func (r *row) estimate(v *engine.LaneView) metrics.Estimate {
	switch {
	case r.axis > 0 && r.of == quantity.Mean:
		return pane.MeanOf(v, r.axis-1)
	case r.axis > 0:
		return v.Coords[r.axis-1].Values[r.of]
	}
	return v.Values[r.id]
}

// write writes a lane's cell of a width. A value with a standard error has so many decimals.
func (r *row) write(l *pane.Line, f *pane.Frame, v *engine.LaneView, width, decimals int) {
	th := &f.Theme
	p := l.Add(0, "", th.Dim, th.Text)
	e := r.estimate(v)
	switch {
	case r.kind:
		p.Text = pane.KindName(v.Kind)
	case r.to != 0:
		p.Term = wording.RangeOfG
		p.Text = plane.Number(e.Value, pane.NumberWidth) + " to " + plane.Number(v.Values[r.to].Value, pane.NumberWidth)
		if !e.OK() {
			p.Withheld(f, e.Status)
		}
	case r.axis > 0 && r.of == quantity.ACT:
		p.Estimate(f, &quantity.Coordinates[r.of], e, width)
		// A rough value is dim.
		if loose := v.Coords[r.axis-1].Rough; e.Status == metrics.TooShort && loose.OK() {
			p.Text = "≈ " + plane.Number(loose.Value, 5)
		}
	case r.axis > 0 && e.Status == metrics.NotSampled:
		p.Text = "at " + plane.Number(v.Now[r.axis-1], pane.NumberWidth)
	case r.axis > 0:
		differ := v.Facts.Has(quantity.Several) ||
			v.Coords[r.axis-1].Values[quantity.BulkESS].Status == metrics.Drifting
		if p.WithError(f, &quantity.Coordinates[r.of], e, decimals, width); r.of == quantity.RHat &&
			e.Value >= metrics.RHatBound && differ {
			p.Style = th.Warn
		}
	case r.id == quantity.Draws && v.Burning:
		p.Style, p.Text = th.Warn, "burn-in "+plane.Count(v.Step)
	default:
		q := &quantity.All[r.id]
		p.Style = f.StyleOf(r.id, e)
		p.WithError(f, q, e, decimals, width)
		if q.Better == quantity.Near && math.Abs(e.Value-v.Temp) > 4*e.Error {
			p.Style = th.Warn
		}
		if r.id == quantity.MaxACT && v.Slowest != "" && e.OK() {
			l.Add(1, "in", th.Dim, th.Dim, pane.ShortName(th, v.Slowest))
		}
		if q.Ranks && e.OK() {
			behind(l, f, v, e.Draws)
		}
	}
}

// behind says what an effective size of so many ranked draws leaves out: most of the draws, which came after the
// comparison, or all but one of every few.
func behind(l *pane.Line, f *pane.Frame, v *engine.LaneView, ranked uint64) {
	dim := f.Theme.Dim
	switch every := max(v.RanksEvery, 1); {
	case ranked*every < v.Draws/2:
		l.Add(1, "of", dim, dim, plane.Count(ranked))
	case every > 1:
		l.Add(1, "on every", dim, dim, wording.Ordinal(every))
	}
}

// expected says which temperature a correct sampler has, if it is one for all lanes.
func expected(f *pane.Frame) string {
	all := temperaturesInForce(f)
	if len(all) != 1 {
		return ""
	}
	return "temperature should be " + plane.Number(all[0].Y, pane.NumberWidth)
}

// rankLimit is the rank from which on rows are left out so that the rest fits h.
func rankLimit(h int, rows []row) int {
	ranks := list.Map(rows, func(r row) int { return r.rank })
	slices.Sort(ranks)
	if h >= len(ranks) {
		return math.MaxInt
	}
	return max(ranks[max(h, 0)], 1)
}
