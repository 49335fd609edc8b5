package pane

import (
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// NumberWidth is the room that a number on the screen gets.
const NumberWidth = 7

// essWidth is the room for an effective size beside other numbers, which grows: 12,345, then 123 k.
const essWidth = 6

// statusWidth is a width in which every status has room.
const statusWidth = 40

// Estimate writes an estimate of a quantity within a width, or why it is withheld.
func (p *Part) Estimate(f *Frame, q *quantity.Quantity, e metrics.Estimate, width int) *Part {
	p.Term = wording.Of(q)
	if e.OK() && e.Value == e.Value {
		p.Text = wording.Number(q.Form, e.Value, width)
		return p
	}
	p.Withheld(f, e.Status)
	if plane.Width(p.Text) > width {
		p.Text, p.Why = wording.None, nil
	}
	return p
}

// Withheld writes why an estimate is withheld.
func (p *Part) Withheld(f *Frame, s metrics.Status) *Part {
	p.Text, p.Style, p.Why = wording.Withheld(s), f.Theme.Dim, wording.OfStatus(s)
	if s == metrics.Absent || s == metrics.NotSampled {
		p.Style = f.Theme.Faint
	}
	return p
}

// WithError writes an estimate with its standard error to so many decimals. An unknown error is left out.
func (p *Part) WithError(f *Frame, q *quantity.Quantity, e metrics.Estimate, decimals, width int) *Part {
	if e.OK() && e.Error > 0 {
		p.Text, p.Term, p.Why = plane.PlusMinusIn(e.Value, e.Error, decimals, width), wording.Of(q), wording.PlusMinus
		return p
	}
	return p.Estimate(f, q, e, width)
}

// Decimals is the number of decimals for the estimates of a row with their errors: the
// largest that a lane needs, so that the digits of all lanes line up.
func (f *Frame) Decimals(of func(*engine.LaneView) metrics.Estimate, width int) (decimals int) {
	for _, v := range f.EachLane() {
		if e := of(v); e.OK() && e.Error > 0 {
			decimals = max(decimals, plane.ErrorDecimals(e.Value, e.Error, width))
		}
	}
	return decimals
}

// MeanOf is the mean of watched coordinate k of a lane. A chain's mean is withheld
// while its error is unknown, and an optimiser's path has none.
func MeanOf(v *engine.LaneView, k int) metrics.Estimate {
	c := &v.Coords[k].Values
	switch {
	case v.Kind == sampler.Optimising:
		return metrics.Withheld(metrics.NotSampled, v.Draws)
	case Samples(v) && !c[quantity.MCSE].OK():
		return c[quantity.MCSE]
	}
	return c[quantity.Mean]
}

// Reason is the text of a pane without data: the progress of the focused lane's burn-in, or why.
func (f *Frame) Reason(why string) string {
	v := f.Focused()
	if v == nil || !v.Burning {
		return why
	}
	return "burn-in: " + burnIn(v) + "; draws count from there"
}

// withheld says why the newest values of a quantity are, and of several lanes of which.
func (f *Frame) withheld(id quantity.ID, why metrics.Status) string {
	var of []string
	for _, v := range f.EachLane() {
		if h := v.History; len(h) > 0 {
			if _, s := h[len(h)-1].Values.Of(id); s == why {
				of = append(of, Letter(v.ID))
			}
		}
	}
	text := wording.Withheld(why)
	if len(f.Lanes()) > 1 && len(of) > 0 && text != wording.None {
		text += ": " + strings.Join(of, ", ")
	}
	return text
}

// burnIn is how far a lane's burn-in is.
func burnIn(v *engine.LaneView) string {
	return plane.Count(v.Step) + " of " + plane.Count(uint64(v.Setting.Values[sampler.KeyBurnIn])) + " steps"
}

// Statistics writes the line at the foot of a lane's pane: its headline quantities, or why a chain has none yet.
func Statistics(l *Line, f *Frame, v *engine.LaneView) {
	th := &f.Theme
	switch {
	case v.Diverged != nil:
		l.Add(0, wording.Stopped(v.Diverged)+" at step", th.Bad, th.Bad, plane.Count(v.Diverged.Step))
		return
	case v.Burning:
		l.Add(0, "burn-in", th.Dim, th.Warn, burnIn(v)).Term = wording.BurnIn
		l.Add(1, "", th.Dim, th.Dim, "draws count from there")
		return
	case v.Draws == 0:
		text := "no draws yet"
		if v.Previous != nil {
			text = "no draws since the last change yet"
		}
		l.Add(0, text, th.Dim, th.Dim).Term = wording.Window
		return
	case !Samples(v):
		l.Add(0, "", th.Dim, th.Accent, KindName(v.Kind))
	}
	for _, k := range quantity.Headlines {
		q, e := &quantity.All[k.ID], v.Values[k.ID]
		switch {
		case !v.Facts.Has(q.Needs|k.Of) || k.ID == quantity.Divergences && e.Value == 0:
		case k.ID == quantity.FnError && e.OK():
			p := l.Add(k.Rank, q.Symbol, th.Dim, th.Text)
			p.WithError(f, q, e, plane.ErrorDecimals(e.Value, e.Error, 2*NumberWidth), 2*NumberWidth)
		case k.ID == quantity.FnError: // whatever is withheld says why
			l.Add(k.Rank, q.Symbol, th.Dim, th.Dim).Estimate(f, q, e, statusWidth)
		case e.OK() && k.ID == quantity.MinESS:
			l.Add(k.Rank, q.Symbol, th.Dim, f.StyleOf(k.ID, e)).Estimate(f, q, e, essWidth)
		case e.OK():
			l.Add(k.Rank, q.Symbol, th.Dim, f.StyleOf(k.ID, e)).Estimate(f, q, e, statusWidth)
		case k.ID == quantity.MaxACT:
			l.Add(k.Rank, q.Symbol, th.Dim, th.Dim).Estimate(f, q, e, statusWidth)
			text := DrawsText(v.Draws)
			if e.Status == metrics.TooShort {
				_, count, wait := f.further(v)
				text = "+" + count + " steps" + wait
			}
			l.Add(5, "", th.Dim, th.Dim, text)
		}
	}
}

// StyleOf is the style of a quantity's number: the truth's for an exact value, the
// warning's for divergences, chains that do not agree and energies that are explored too slowly.
func (f *Frame) StyleOf(id quantity.ID, e metrics.Estimate) plane.Style {
	switch {
	case id == quantity.CovBias:
		return f.Theme.Truth
	case id == quantity.Divergences && e.Value > 0, id == quantity.MaxRHat && e.Value >= metrics.RHatBound,
		id == quantity.EBFMI && e.Value < metrics.EBFMIBound:
		return f.Theme.Warn
	}
	return f.Theme.Text
}

// SettledView is a lane with every statistic at its foot that it can have, each at its greatest width.
func SettledView(v *engine.LaneView) engine.LaneView {
	s := *v
	s.Diverged, s.Burning, s.Draws = nil, false, max(v.Draws, 1)
	for _, k := range quantity.Headlines {
		if q := &quantity.All[k.ID]; v.Facts.Has(q.Needs | k.Of) {
			x := 12.34
			if q.Form == quantity.Share {
				x = 0.123
			}
			s.Values[k.ID] = metrics.Exact(x)
		}
	}
	if s.Values[quantity.FnError].OK() {
		s.Values[quantity.FnError] = metrics.Known(0.123, 0.045, s.Draws)
	}
	s.Values[quantity.MinESS], s.Values[quantity.Divergences] = metrics.Exact(12_345), metrics.Exact(0)
	return s
}

// rough writes a count that is an estimate, to two digits.
func rough(n uint64) string {
	unit := uint64(1)
	for n/unit >= 100 {
		unit *= 10
	}
	return plane.Count((n + unit - 1) / unit * unit)
}

// Footnote says in a width what the errors of the lanes' estimates are worth: which lanes are too short for any, that
// each ± is the chain's own where any are shown, and of which lanes nothing tells of the bias of the step.
func (f *Frame) Footnote(width int, errors bool) string {
	own, unknown := "", []string{}
	for _, v := range f.EachLane() {
		if errors && v.Facts.Has(quantity.Sampling) && v.Trust[quantity.Mixing] == metrics.OK {
			own = "± is the chain's own"
		}
		if v.BiasUnknown {
			unknown = append(unknown, Letter(v.ID))
		}
	}
	bias, after := "", ""
	switch n := len(unknown); {
	case n == 0:
	case n == len(f.Lanes()):
		bias = "bias not known"
	default:
		bias = "bias not known of " + strings.Join(unknown, ", ")
	}
	if bias != "" {
		after = "; " + bias
	}
	for _, s := range []string{f.TooShort(width - plane.Width(after)), own} {
		if s += after; s != after && plane.Width(s) <= width {
			return s
		}
	}
	if plane.Width(bias) > width {
		return ""
	}
	return bias
}

// TooShort says in a width which lanes are too short to be trusted, how many steps more each needs
// at least and how long these take at the present speed. It is empty if none is.
func (f *Frame) TooShort(width int) string {
	var long, brief []string
	most, count, wait := 0.0, "", ""
	for _, v := range f.EachLane() {
		if v.Trust[quantity.Chain] != metrics.TooShort {
			continue
		}
		steps, n, seconds := f.further(v)
		long = append(long, Letter(v.ID)+" needs "+n+"+ more steps"+seconds)
		brief = append(brief, Letter(v.ID)+" "+n+"+"+seconds)
		if steps > most {
			most, count, wait = steps, n+"+ more steps", seconds
		}
	}
	text := wording.Withheld(metrics.TooShort)
	if len(long) == 0 {
		return ""
	}
	for _, s := range []string{text + ": " + strings.Join(long, ", "), "more steps: " + strings.Join(brief, ", "),
		text + ": " + count + wait, count + wait, count} {
		if plane.Width(s) <= width {
			return s
		}
	}
	return text
}

// further says how many steps more a lane needs at least that is too short, and how long these take.
func (f *Frame) further(v *engine.LaneView) (steps float64, count, wait string) {
	steps, seconds := f.Snap.Further(v, v.Least())
	if seconds > 0 {
		wait = " (" + wording.Duration(seconds) + "+)"
	}
	return steps, rough(uint64(steps)), wait
}
