package pane

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

// NumberWidth is the room that a number on the screen gets.
const NumberWidth = 7

// Estimate writes an estimate, or in words why it is none.
func (p *Part) Estimate(f *Frame, e metrics.Estimate) *Part {
	if e.OK() && !math.IsNaN(e.Value) {
		p.Text = plane.Number(e.Value, NumberWidth)
		return p
	}
	p.Style = f.Theme.Dim
	p.Text = Untrusted(e.Status)
	return p
}

// Untrusted is why there is no number, short enough for a table.
func Untrusted(s metrics.Status) string {
	if s == metrics.OK {
		return metrics.TooShort.String()
	}
	return s.String()
}

// None says that a lane has no such quantity.
func (p *Part) None(f *Frame) *Part {
	p.Style = f.Theme.Faint
	p.Text = "–"
	return p
}

// CovError writes the error of a lane's covariance, which an optimiser has not.
func (p *Part) CovError(f *Frame, v *engine.LaneView) *Part {
	switch {
	case v.Kind == sampler.Optimising:
		return p.None(f)
	case v.Kind == sampler.Variational && !Settled(v):
		p.Style = f.Theme.Dim
		p.Text = metrics.TooShort.String()
		return p
	case v.Kind == sampler.Variational:
		p.Text = plane.Number(v.CovError, NumberWidth)
		return p
	}
	return p.Trusted(f, v.CovError, v.MaxACT)
}

// Trusted is a value that stands on the window's draws, and so counts only once
// τ is known.
func (p *Part) Trusted(f *Frame, value float64, tau metrics.Estimate) *Part {
	if !tau.OK() {
		return p.Estimate(f, tau)
	}
	p.Text = plane.Number(value, NumberWidth)
	return p
}

// Reason is what a pane without data says: how far the burn-in of the focused lane
// has come, else why.
func (f *Frame) Reason(why string) string {
	v := f.Focused()
	if v == nil || !v.Burning {
		return why
	}
	return "burn-in: " + plane.Count(v.Step) + " of " + plane.Count(burnIn(v)) + " steps; draws count from there"
}

// burnIn is the number of steps of a lane's burn-in.
func burnIn(v *engine.LaneView) uint64 {
	if n := v.Setting.Values[sampler.KeyBurnIn]; n >= 0 && n < 1<<63 {
		return uint64(n)
	}
	return 0
}

// Statistics is the line at the foot of a lane's pane: the error against the truth,
// τ, ESS and the bias that is known; for a target with data the test error. Of a lane
// that does not sample it says so, and gives what it drives at in the place of τ and
// ESS.
func Statistics(l *Line, f *Frame, v *engine.LaneView) {
	th := &f.Theme
	if v.Diverged != nil {
		l.Add(0, "diverged at step", th.Bad, th.Bad, plane.Count(v.Diverged.Step))
		return
	}
	if v.Burning {
		l.Add(0, "burn-in", th.Dim, th.Warn, plane.Count(v.Step)+" of "+plane.Count(burnIn(v))+" steps")
		l.Add(1, "", th.Dim, th.Dim, "draws count from there")
		return
	}
	if v.Draws == 0 {
		l.Add(0, "no draws in this window yet", th.Dim, th.Dim)
		return
	}
	tau := v.MaxACT
	if !Samples(v) {
		l.Add(0, "", th.Dim, th.Accent, KindName(v.Kind))
		objective(l, f, v, 0)
	}
	truth, name := Settled(v) && !math.IsNaN(v.CovError), "error"
	if f.HasData() {
		name = "cov. error"
	}
	if truth {
		rank := 0
		if !Samples(v) {
			rank = 2
		}
		l.Add(rank, name, th.Dim, th.Text, plane.Number(v.CovError, NumberWidth))
	}
	if f.HasData() {
		name, e, rank := "test error", v.Test.Error, 1
		if !HasTest(f) {
			name, e = "train error", v.Train.Error
		}
		if truth {
			rank = 3
		}
		if !math.IsNaN(e) {
			l.Add(rank, name, th.Dim, th.Text, Percent(e))
		}
	}
	if !Samples(v) {
		return
	}
	if tau.OK() {
		l.Add(1, "τ", th.Dim, th.Text, plane.Number(tau.Value, NumberWidth))
		l.Add(2, "ESS", th.Dim, th.Text).Estimate(f, v.MinESS)
	} else {
		l.Add(1, "τ, ESS", th.Dim, th.Dim).Estimate(f, tau)
		l.Add(4, "", th.Dim, th.Dim, DrawsText(v.Draws))
	}
	acceptance(l, f, v, 3)
	if !math.IsNaN(v.Bias) {
		l.Add(3, "bias", th.Dim, th.Truth, plane.Number(v.Bias, NumberWidth))
	}
}

// Place writes where watched coordinate k of a lane is: a chain's mean with its
// error, the mean of a family's draws, or where an optimiser stands.
func (p *Part) Place(f *Frame, v *engine.LaneView, k, decimals, width int) *Part {
	switch v.Kind {
	case sampler.Optimising:
		p.Text = "at " + plane.Number(v.Now[k], NumberWidth)
		return p
	case sampler.Variational:
		p.Text = plane.Number(v.Coords[k].Mean, NumberWidth)
		return p
	}
	c := &v.Coords[k]
	if !c.MCSE.OK() {
		return p.Estimate(f, c.MCSE)
	}
	p.Text = PlusMinus(c.Mean, c.MCSE.Value, decimals, width)
	return p
}

// Tau writes τ, or the first impression of it marked as such, if there is room.
func (p *Part) Tau(f *Frame, e, loose metrics.Estimate, width int) *Part {
	if e.OK() || !loose.OK() {
		return p.Estimate(f, e)
	}
	p.Style = f.Theme.Dim
	p.Text = "≈ " + plane.Number(loose.Value, 5) + " too short"
	if p.Width() > width {
		return p.Estimate(f, e)
	}
	return p
}

// Rate writes an efficiency, which stands on the ESS.
func (p *Part) Rate(f *Frame, rate float64, ess metrics.Estimate) *Part {
	if !ess.OK() {
		return p.Estimate(f, ess)
	}
	return p.Known(f, rate)
}

// Known writes a number that may be missing.
func (p *Part) Known(f *Frame, x float64) *Part {
	if math.IsNaN(x) {
		p.Style = f.Theme.Faint
		p.Text = "not known"
		return p
	}
	p.Text = plane.Number(x, NumberWidth)
	return p
}
