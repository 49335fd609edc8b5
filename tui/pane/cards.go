package pane

import (
	"math"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
)

// TweakRows is the height of a lane's card with its border.
func TweakRows(v *engine.LaneView) int {
	if v == nil || v.Previous == nil {
		return 0
	}
	return 10
}

// TweakCard compares a lane's draws before and after its newest tweak: what was
// turned, and what came of it. It is empty for a lane that was never turned.
func TweakCard(g plane.Region, f *Frame, v *engine.LaneView) {
	if v.Previous == nil || g.Empty() {
		return
	}
	g, ok := f.Begin(g, CardPane, -1)
	if !ok {
		return
	}
	look := f.LaneStyle(v)
	title := "before and after"
	if g.W() < 26 {
		title = "tweak"
	}
	in := g.Box(f.Theme, plane.Box{Title: title, Mark: look.Glyph, MarkStyle: look.Style, Foot: closeCard()})
	in = in.Sub(in.Bounds().Pad(0, 1, 0, 1))
	t := twoColumns{g: in, f: f, label: min(12, in.W()/3), before: v.Previous, after: &v.Window}
	t.head()
	t.settings(v)
	t.find(v)
	for row := rowDraws; row <= rowTemperature && t.y < in.H(); row++ {
		t.row(row)
	}
}

// closeCard says how a card is closed.
var closeCard = sync.OnceValue(func() string { return KeyOf(keymap.Card) + " or " + KeyOf(keymap.Back) + " closes this" })

// twoColumns is the table of a tweak card.
type twoColumns struct {
	g             plane.Region
	f             *Frame
	label         int
	y             int
	before, after *engine.Window

	kinds [2]sampler.Kind
	last  [2]*engine.Point // of each window; nil if it has none
}

// find finds what the windows do not hold: which kind of method each is of, and
// the last point of the curves in it.
func (t *twoColumns) find(v *engine.LaneView) {
	for k, w := range [...]*engine.Window{t.before, t.after} {
		if t.kinds[k] = v.Kind; w.Setting.Sampler != v.Setting.Sampler {
			t.kinds[k] = kindOf(w.Setting.Sampler)
		}
		for i := range v.History {
			if p := &v.History[i]; p.Step > w.Start && p.Step <= w.End {
				t.last[k] = p
			}
		}
	}
}

// of is a quantity of the last point of a window, NaN without one.
func (t *twoColumns) of(k int, quantity func(*engine.Point) float64) float64 {
	if t.last[k] == nil {
		return math.NaN()
	}
	return quantity(t.last[k])
}

// chain writes an estimate of window k, which only a chain has.
func (t *twoColumns) chain(p *Part, k int, e metrics.Estimate) {
	if t.kinds[k] != sampler.Sampling {
		p.None(t.f)
		return
	}
	p.Estimate(t.f, e)
}

// trusted writes a value of window k: where a chain made it, only if that can be
// trusted.
func (t *twoColumns) trusted(p *Part, k int, x float64, tau metrics.Estimate) {
	switch {
	case t.kinds[k] == sampler.Sampling:
		p.Trusted(t.f, x, tau)
	case math.IsNaN(x):
		p.None(t.f)
	default:
		p.Text = plane.Number(x, NumberWidth)
	}
}

// The rows of a tweak card below the settings.
const (
	rowDraws = iota
	rowLoss
	rowELBO
	rowTau
	rowESS
	rowCovError
	rowTestError
	rowTemperature
)

func (t *twoColumns) columns() (a, b int) {
	w := min((t.g.W()-t.label)/2, 18)
	return t.label + w, t.label + 2*w
}

func (t *twoColumns) head() {
	th := &t.f.Theme
	a, b := t.columns()
	t.g.TextRight(a, t.y, "before", th.Dim)
	t.g.TextRight(b, t.y, "after", th.Dim)
	t.y++
}

// settings writes the parameters that differ between the windows.
func (t *twoColumns) settings(v *engine.LaneView) {
	th := &t.f.Theme
	a, b := t.columns()
	if t.before.Setting.Sampler != t.after.Setting.Sampler {
		t.g.TextFit(0, t.y, t.label, t.f.Theme, "sampler", th.Accent)
		t.g.TextRight(a, t.y, t.before.Setting.Sampler, th.Text)
		t.g.TextRight(b, t.y, t.after.Setting.Sampler, th.Text)
		t.y++
	}
	if t.before.Setting.Schedule != t.after.Setting.Schedule {
		t.g.TextFit(0, t.y, t.label, t.f.Theme, "schedule", th.Accent)
		t.g.TextRight(b, t.y, "changed", th.Text)
		t.y++
	}
	for _, p := range t.f.ParamsOf(v) {
		x, had := t.before.Setting.Values[p.Key]
		y, has := t.after.Setting.Values[p.Key]
		if !had || !has || x == y {
			continue
		}
		t.g.TextFit(0, t.y, t.label, t.f.Theme, SymbolOf(th, &p), th.Accent)
		digits := DigitsApart(p, x, y, b-a-1)
		var l Line
		l.Add(0, "", th.Dim, th.Text, ParamText(p, x, digits)).Right(t.g, a, t.y)
		l.Add(0, "", th.Dim, th.Text, ParamText(p, y, digits)).Right(t.g, b, t.y)
		t.y++
	}
}

func (t *twoColumns) row(row int) {
	th := &t.f.Theme
	var l Line
	x, y := l.Add(0, "", th.Dim, th.Text), l.Add(0, "", th.Dim, th.Text)
	name := ""
	sampling := t.kinds[0] == sampler.Sampling || t.kinds[1] == sampler.Sampling
	switch row {
	case rowDraws:
		name = "draws"
		x.Text = plane.Count(t.before.Draws)
		y.Text = plane.Count(t.after.Draws)
	case rowLoss, rowELBO:
		of, only := loss, sampler.Optimising
		if name = "loss"; row == rowELBO {
			of, only, name = elbo, sampler.Variational, "ELBO"
		}
		if t.kinds[0] != only && t.kinds[1] != only {
			return
		}
		x.Text = plane.Number(t.of(0, of), NumberWidth)
		y.Text = plane.Number(t.of(1, of), NumberWidth)
	case rowTau:
		if !sampling {
			return
		}
		name = "τ"
		t.chain(x, 0, t.before.MaxACT)
		t.chain(y, 1, t.after.MaxACT)
	case rowESS:
		if !sampling {
			return
		}
		name = "ESS"
		t.chain(x, 0, t.before.MinESS)
		t.chain(y, 1, t.after.MinESS)
	case rowCovError:
		if math.IsNaN(t.before.CovError) && math.IsNaN(t.after.CovError) {
			return
		}
		name = "cov. error"
		t.trusted(x, 0, t.before.CovError, t.before.MaxACT)
		t.trusted(y, 1, t.after.CovError, t.after.MaxACT)
	case rowTestError:
		if math.IsNaN(t.before.TestError) && math.IsNaN(t.after.TestError) {
			return
		}
		name = "test error"
		x.Text = Percent(t.before.TestError)
		y.Text = Percent(t.after.TestError)
	case rowTemperature:
		if !sampling {
			return
		}
		name = "temperature"
		for k, p := range [...]*Part{x, y} {
			w := [...]*engine.Window{t.before, t.after}[k]
			if t.kinds[k] != sampler.Sampling {
				p.None(t.f)
				continue
			}
			p.Trusted(t.f, w.Temp, w.MaxACT)
		}
	}
	a, b := t.columns()
	t.g.TextFit(0, t.y, t.label, t.f.Theme, name, th.Dim)
	x.Right(t.g, a, t.y)
	y.Right(t.g, b, t.y)
	t.y++
}
