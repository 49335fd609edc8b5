package class

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The axes of the board have room for so many columns of labels, and show at least a factor of
// so much around what there is.
const yLabels, around = 6, 2

// nearBound is the part of the largest stable ε up to which the exact bias is always in sight.
const nearBound = 0.9

// chart draws everyone's ε against their error, a point each, over the exact bias.
func (b *Board) chart(g plane.Region, th *theme.Theme, lane *engine.LaneView, all []standing) {
	s, q := b.Feed.Newest, shownQuantities[b.of]
	g = g.Box(*th, plane.Box{Title: "everyone's ε", Right: quantity.All[q].Name + ", " + lane.Title})
	foot, rest := g.Bounds().CutBottom(1)
	plot := rest.Pad(0, 1, 2, yLabels)
	if plot.W < 10 || plot.H < 4 {
		return
	}
	own := standing{eps: lane.Setting.Eps(), y: lane.Values[q], diverged: lane.Diverged}
	xs, ys := extents(append(all, own))
	bias := func(eps float64) float64 {
		if q == quantity.MaxACT {
			return math.NaN()
		}
		return exact(s, lane.Setting, eps)
	}
	top := bound(s, lane.Setting)
	for _, eps := range []float64{own.eps, nearBound * top} { // so that one sees where it breaks
		if v := bias(eps); eps > 0 && v > 0 {
			ys.Add(v)
		}
	}
	addPositive(&xs, top)
	x, y := chart.FitX(wide(xs), true, plot.W), chart.FitY(wide(ys), true, plot.H, yLabels-1)
	x.LabelX(g.Sub(plane.Rect{X: plot.X, Y: plot.Y + plot.H, W: plot.W, H: 2}), *th)
	y.LabelY(g.Sub(plane.Rect{X: rest.X, Y: plot.Y, W: yLabels, H: plot.H}), *th)
	in := g.Sub(plot)
	if fx := x.Frac(top, true); fx >= 0 && fx < 1 {
		in.VLine(int(fx*float64(plot.W)), 0, plot.H, th.Glyphs.Mark, th.Bad)
	} else {
		top = 0
	}
	known := false
	for col := range plot.W {
		if v := bias(x.At((float64(col)+0.5)/float64(plot.W), true)); v > 0 {
			known = true
			put(in, col, &y, v, th.Glyphs.Curve, th.Truth, false)
		}
	}
	mark := th.Lane[1]
	b.point(in, &x, &y, own, '△', th.Text, th)
	count := map[[2]int]int{} // of students in a cell
	for _, at := range all {
		col, row, ok := b.point(in, &x, &y, at, mark.Glyph, mark.Style, th)
		if !ok {
			continue
		}
		if n := count[[2]int{col, row}] + 1; n > 1 && at.diverged == nil {
			in.Set(col, row, rune('0'+min(n, 9)), mark.Style)
		}
		count[[2]int{col, row}]++
	}
	legend := g.Sub(foot)
	at := 1
	entry := func(r rune, style plane.Style, text string) {
		legend.Set(at, 0, r, style)
		at += 2
		at = legend.Text(at, 0, text, th.Dim) + 2
	}
	entry(mark.Glyph, mark.Style, "student")
	entry('△', th.Text, "you")
	if known {
		entry(th.Glyphs.Curve, th.Truth, "exact")
	}
	if top > 0 {
		entry(th.Glyphs.Mark, th.Bad, "unstable from "+plane.Number(top, 6))
	}
	entry(th.Glyphs.Cross, th.Bad, "diverged")
}

// point draws where somebody stands, and returns in which cell. A diverged lane is a cross at the
// upper edge. A lane with too few draws is not drawn.
func (b *Board) point(g plane.Region, x, y *chart.Axis, at standing, mark rune, style plane.Style,
	th *theme.Theme) (col, row int, ok bool) {
	fx := x.Frac(at.eps, true)
	if at.off || !(fx >= 0 && fx <= 1) {
		return 0, 0, false
	}
	col = min(int(fx*float64(g.W())), g.W()-1)
	switch {
	case at.diverged != nil:
		g.Set(col, 0, th.Glyphs.Cross, th.Bad)
		return col, 0, true
	case at.y.OK():
		return col, put(g, col, y, at.y.Value, mark, style, true), true
	}
	return 0, 0, false
}

// put draws a mark in a column at a height, and returns in which row. What is beyond the axis
// stands at its edge or is left out.
func put(g plane.Region, col int, y *chart.Axis, v float64, mark rune, style plane.Style, edge bool) (row int) {
	f := y.Frac(v, true)
	if math.IsNaN(f) || !edge && (f < 0 || f > 1) {
		return -1
	}
	h := g.H()
	row = h - 1 - min(max(int(f*float64(h)), 0), h-1)
	g.Set(col, row, mark, style)
	return row
}

// addPositive widens a range to a number, if that is positive.
func addPositive(r *chart.Range, v float64) {
	if v > 0 {
		r.Add(v)
	}
}

// wide is a range of positive numbers with room around it.
func wide(r chart.Range) chart.Range {
	if r.Lo > r.Hi {
		return chart.Range{Lo: 0.01, Hi: 1}
	}
	return chart.Range{Lo: r.Lo / around, Hi: r.Hi * around}
}

// extents are the ranges of ε and error.
func extents(all []standing) (x, y chart.Range) {
	x, y = chart.NoValues(), chart.NoValues()
	for _, at := range all {
		if at.off {
			continue
		}
		addPositive(&x, at.eps)
		if at.y.OK() && at.diverged == nil {
			addPositive(&y, at.y.Value)
		}
	}
	return x, y
}
