package class

import (
	"fmt"
	"math"
	"slices"
	"strings"

	"github.com/mdp/qrterminal/v3"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/lesson"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The widths of the board's parts, and the least height of the list.
const (
	leastSide, mostSide = 34, 46
	leastChart          = 30
	leastList           = 6
)

func (s *sheet) Draw(g plane.Region, f *pane.Frame) {
	b, th := s.b, &f.Theme
	g.Fill(' ', plane.Style{})
	lane := b.lane()
	all := b.standings(lane.Setting.Sampler)
	top, rest := g.Bounds().CutTop(headRows(g.W()))
	b.head(g.Sub(top), th, len(all))
	foot, rest := rest.CutBottom(1)
	g.Sub(foot).TextFit(1, 0, foot.W-2, *th, b.found(all), th.Text)
	if rest.W < leastSide+leastChart {
		b.side(g.Sub(rest), th, all)
		return
	}
	right, left := rest, rest
	right.W = min(max(rest.W/3, leastSide), mostSide)
	right.X = rest.X + rest.W - right.W
	left.W = rest.W - right.W - 1
	b.chart(g.Sub(left), th, lane, all)
	b.side(g.Sub(right), th, all)
}

// side draws what stands beside the chart: the question or how to join, and who is here.
func (b *Board) side(g plane.Region, th *theme.Theme, all []standing) {
	rest := g.Bounds()
	var at plane.Rect
	if p := b.question(); p != nil && !b.code {
		rows := min(questionRows(p, rest.W-4)+2, rest.H-leastList)
		if rows > 4 {
			at, rest = rest.CutTop(rows)
			b.ask(g.Sub(at), th, p, len(all))
		}
	}
	if b.keys {
		b.listKeys(g.Sub(rest), th)
		return
	}
	if code := b.qrCode(th.ASCII); len(code) > 0 && rest.H >= len(code)+1+leastList {
		at, rest = rest.CutTop(len(code) + 1)
		b.qr(g.Sub(at), code)
	}
	b.list(g.Sub(rest), th, all)
}

// questionRows is how many rows a question takes, with its bars.
func questionRows(p *Poll, width int) int {
	return len(plane.Wrap(p.At.Question, width)) + 1 +
		list.Sum(p.At.Choices, func(c string) int { return len(plane.Wrap(c, width-2)) + 1 })
}

// ask draws a question with what the room has predicted so far.
func (b *Board) ask(g plane.Region, th *theme.Theme, p *Poll, here int) {
	state := "closed"
	if p.Open {
		state = "open"
	}
	g = g.Box(*th, plane.Box{Title: fmt.Sprintf("scene %d: %s", p.At.At+1, state),
		Right: fmt.Sprintf("%d predicted, %d here", len(p.Choice), here)}).Pad(0, 1, 0, 1)
	y := g.TextWrapped(g.Spell(p.At.Question), th.Title) + 1
	counts := p.Counts()
	most := max(slices.Max(append(counts, 0)), 1)
	for i, c := range p.At.Choices {
		style := th.Dim
		if !p.Open && p.At.Phase == lesson.Revealed && i == p.At.Answer {
			style = th.Good
		}
		g.Text(0, y, fmt.Sprint(i+1), th.Key)
		y += g.Sub(plane.Rect{X: 2, Y: y, W: g.W() - 2, H: g.H() - y}).TextWrapped(g.Spell(c), style)
		if p.Open && b.hides {
			continue
		}
		room := max(g.W()-7, 1)
		chart.Bars(g.Sub(plane.Rect{X: 2, Y: y, W: 2 + (room*counts[i]+most-1)/most, H: 1}), *th,
			[]chart.Bar{{Value: float64(counts[i]), Text: " ", Style: th.Lane[1].Style}})
		g.Text(5+(room*counts[i]+most-1)/most, y, fmt.Sprint(counts[i]), th.Text)
		y++
	}
}

// found says what the room has found.
func (b *Board) found(all []standing) string {
	var best *standing
	from, diverged := math.Inf(1), 0
	for i := range all {
		switch at := &all[i]; {
		case at.off:
		case at.diverged != nil:
			diverged++
			from = min(from, at.eps)
		case at.y.OK() && (best == nil || at.y.Value < best.y.Value):
			best = at
		}
	}
	q, says := &quantity.All[b.quantity()], ""
	if best != nil {
		says = fmt.Sprintf("lowest %s of the room: %s, at ε = %s", q.Name, plane.Number(best.y.Value, 6),
			plane.Number(best.eps, 6))
	}
	if diverged > 0 {
		if says != "" {
			says += ". "
		}
		says += fmt.Sprintf("%d diverged, from ε = %s on", diverged, plane.Number(from, 6))
	}
	return says
}

// slowed is the factor of the speed below which the board says so.
const slowed = 0.95

// headRows is how many rows the head has at a width.
func headRows(w int) int {
	if w < 100 {
		return 3
	}
	return 2
}

// head says how to join, and in its last row what the room costs.
func (b *Board) head(g plane.Region, th *theme.Theme, here int) {
	told := b.room.Told()
	x, y := 1, 0
	say := func(label, text string, style plane.Style) {
		if x > 1 && x+plane.Width(label+" "+text) > g.W() {
			x, y = 1, y+1
		}
		if label != "" {
			x = g.Text(x, y, label+" ", th.Dim)
		}
		x = g.Text(x, y, text, style) + 3
	}
	say("join:", b.join.Line, th.Title)
	if b.join.Web != "" {
		say("or", b.join.Web, th.Title)
	}
	if len(b.room.Keys) > 0 {
		say("with one of", fmt.Sprintf("%d keys", len(b.room.Keys)), th.Accent)
	} else {
		say("code", b.room.Code, th.Accent)
	}
	is := fmt.Sprintf("%d of %d here", here, b.room.Students)
	if told.Together > 1 {
		is += fmt.Sprintf(", %d from one address", told.Together)
	}
	say("", is, th.Text)
	x, y = 1, g.H()-1
	say("room:", b.cost.now(&b.room.keys), th.Dim)
	if b.room.Governor != nil {
		if f := b.room.Governor.Factor(); f < slowed {
			say("", fmt.Sprintf("all at %.0f%% of their speed: the machine does not keep up", 100*f), th.Warn)
		}
	}
	if told.Web != nil {
		say("", printable.Line("no page in the browser: "+told.Web.Error()), th.Bad)
	}
	if told.Unwritten != nil {
		say("", printable.Line("no summary: "+told.Unwritten.Error()), th.Bad)
	}
	for _, c := range []struct {
		n         int
		one, many string
	}{{told.Wrong, "wrong code", "wrong codes"}, {told.Full, "found no seat", "found no seat"}} {
		if c.n > 0 {
			say("", fmt.Sprintf("%d %s", c.n, plane.Plural(c.n, c.one, c.many)), th.Warn)
		}
	}
}

// qrCode is the QR code of the address, in rows; nil where it cannot be drawn.
func (b *Board) qrCode(ascii bool) []string {
	if ascii || b.join.URL == "" || len(b.join.URL) > 60 {
		return nil
	}
	var text strings.Builder
	qrterminal.GenerateWithConfig(b.join.URL,
		qrterminal.Config{Level: qrterminal.L, Writer: &text, HalfBlocks: true, QuietZone: 2})
	rows := strings.Split(strings.TrimRight(text.String(), "\n"), "\n")
	if len(rows) == 0 || plane.Width(rows[0]) > leastSide {
		return nil
	}
	return rows
}

// qr draws a code, light on dark whatever the terminal's colours are.
func (b *Board) qr(g plane.Region, rows []string) {
	style := plane.Style{FG: theme.RGB(255, 255, 255), BG: theme.RGB(0, 0, 0)}
	for y, row := range rows {
		g.Text((g.W()-plane.Width(row))/2, y, row, style)
	}
}

func (b *Board) listKeys(g plane.Region, th *theme.Theme) {
	g = g.Box(*th, plane.Box{Title: "keys"})
	y := 0
	for _, k := range (&sheet{b}).Bindings() {
		g.Text(1, y, k.First(), th.Key)
		y += max(g.Sub(plane.Rect{X: 8, Y: y, W: g.W() - 9, H: g.H() - y}).TextWrapped(g.Spell(k.Help), th.Text), 1)
	}
}

// list lists who is there, with the selected student in sight.
func (b *Board) list(g plane.Region, th *theme.Theme, all []standing) {
	follow := list.Count(all, func(at standing) bool { return at.follows })
	g = g.Box(*th, plane.Box{Title: "here", Right: fmt.Sprintf("%d follow, %d steer", follow, len(all)-follow)})
	if len(all) == 0 {
		g.TextFit(1, 0, g.W()-1, *th, "nobody yet", th.Dim)
		return
	}
	rows := g.H()
	picked := slices.IndexFunc(all, func(at standing) bool { return at.number == b.picked })
	from := min(max(picked-rows/2, 0), max(len(all)-rows, 0))
	names := min(list.Max(all, func(at standing) int { return plane.Width(at.name + " ") }), g.W()/3)
	for y, at := range all[from:] {
		if y >= rows {
			break
		}
		if left := len(all) - from - y; y == rows-1 && left > 1 {
			g.TextFit(1, y, g.W()-1, *th, fmt.Sprintf("%c and %d more", th.Glyphs.Ellipsis, left), th.Dim)
			break
		}
		b.row(g.Row(y), th, &at, names)
	}
}

// row draws a student, with room for a name.
func (b *Board) row(g plane.Region, th *theme.Theme, at *standing, room int) {
	mark, style, ink, dim := th.Lane[1].Glyph, th.Lane[1].Style, th.Text, th.Dim
	if at.number == b.picked {
		ink, dim = th.Highlight, th.Highlight
		g.Fill(' ', th.Highlight)
	}
	text := plane.Number(at.y.Value, 6)
	if g.W() > 36 {
		text = quantity.All[b.quantity()].Symbol + " " + text
	}
	switch {
	case at.lost:
		text = "line lost"
	case at.follows:
		text = "follows"
	case at.off:
		text = "samples something else"
	case at.diverged != nil:
		mark, style = th.Glyphs.Cross, th.Bad
		text = "diverged at " + plane.Count(at.diverged.Step)
	case !at.y.OK():
		text = "too few draws"
	}
	g.Set(1, 0, mark, style)
	x := max(g.Text(3, 0, fmt.Sprintf("%02d %s", at.number, at.name), ink)+1, 6+room)
	x = g.Text(x, 0, g.Spell("ε")+" ", dim)
	x = max(g.Text(x, 0, plane.Number(at.eps, 7), ink)+2, 16+room)
	g.TextFit(x, 0, g.W()-x, *th, g.Spell(text), dim)
}

// The axes of the board have room for so many columns of labels, and show at least a factor of
// so much around what there is.
const yLabels, around = 6, 2

// nearBound is the part of the largest stable ε up to which the exact bias is always in sight.
const nearBound = 0.9

// chart draws everyone's ε against their error, a point each, over the exact bias.
func (b *Board) chart(g plane.Region, th *theme.Theme, lane *engine.LaneView, all []standing) {
	s, q := b.Feed.Newest, b.quantity()
	g = g.Box(*th, plane.Box{Title: "everyone's ε", Right: quantity.All[q].Name + ", " + lane.Title})
	foot, rest := g.Bounds().CutBottom(1)
	plot := rest.Pad(0, 1, 2, yLabels)
	if plot.W < 10 || plot.H < 4 {
		return
	}
	var own standing
	own.stands(lane, q)
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
