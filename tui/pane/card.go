package pane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// cardRows is the height of a lane's card with its border.
func cardRows(v *engine.LaneView) int {
	if v == nil || v.Previous == nil {
		return 0
	}
	return 10
}

// CardOf is the card of the focused lane's newest change of settings: what was changed,
// and the quantities of the draws before and after it.
func CardOf() Pane { return Of(CardPane, drawCard) }

// compared are the quantities on a card.
var compared = [...]quantity.ID{
	quantity.Draws, quantity.Loss, quantity.ELBO, quantity.MaxACT, quantity.MinESS, quantity.CovError,
	quantity.TestError, quantity.Temperature,
}

// drawCard draws the card of the focused lane, if its settings have changed.
func drawCard(g plane.Region, f *Frame) {
	v := f.Focused()
	if v.Previous == nil || g.Empty() {
		return
	}
	look := f.LaneStyle(v)
	title, foot := Letter(v.ID)+" "+CardPane, f.KeyOf("before and after")+" closes this"
	if g.W() < 28 {
		title = Letter(v.ID) + " change"
	}
	if f.Some(func(o *engine.LaneView) bool { return o.ID != v.ID && o.Previous != nil }) {
		foot = f.KeyOf("next lane") + " next lane · " + foot
	}
	in := g.Box(f.Theme, plane.Box{Title: title, Mark: look.Glyph, MarkStyle: look.Style, Foot: foot})
	g.Term(wording.BeforeAndAfter)
	in = in.Pad(0, 1, 0, 1)
	label := min(12, in.W()/3)
	column := min((in.W()-label)/2, 18)
	th, y := &f.Theme, 0
	row := func(name string, style plane.Style, before, after *Part) {
		in.TextFit(0, y, label, f.Theme, name, style)
		before.Right(in, label+column, y)
		after.Right(in, label+2*column, y)
		y++
	}
	text := func(s string) *Part { return &Part{Text: s, Style: th.Text} }
	row("", th.Dim, &Part{Text: "before", Style: th.Dim}, &Part{Text: "after", Style: th.Dim})
	before, after := v.Previous, &v.Window
	if before.Setting.Sampler != after.Setting.Sampler {
		row("sampler", th.Accent, text(before.Setting.Sampler), text(after.Setting.Sampler))
	}
	if before.Setting.Schedule != after.Setting.Schedule {
		row("schedule", th.Accent, text(""), text("changed"))
	}
	for _, p := range f.ParamsOf(v) {
		x, had := before.Setting.Values[p.Key]
		y, has := after.Setting.Values[p.Key]
		if had && has && x != y {
			digits := DigitsApart(p, x, y, column-1)
			row(SymbolOf(th, &p), th.Accent, text(ParamText(p, x, digits)), text(ParamText(p, y, digits)))
		}
	}
	for _, id := range compared {
		q, a, b := &quantity.All[id], before.Values[id], after.Values[id]
		if y >= in.H() || nothing(a) && nothing(b) ||
			!v.Facts.Has(q.Shown) && before.Setting.Sampler == after.Setting.Sampler {
			continue
		}
		row(q.Symbol, th.Dim, text("").Estimate(f, q, a, column-1), text("").Estimate(f, q, b, column-1))
	}
}

// nothing reports whether the method or the target lacks a quantity.
func nothing(e metrics.Estimate) bool {
	return e.Status == metrics.Absent || e.Status == metrics.NotSampled || e.Status == metrics.Unknown
}
