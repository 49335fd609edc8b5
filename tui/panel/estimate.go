package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

// numberWidth is the room that a number on the screen gets.
const numberWidth = 7

// estimate writes an estimate, or in words why it is none.
func (p *part) estimate(f *Frame, e metrics.Estimate) *part {
	if e.OK() && !math.IsNaN(e.Value) {
		p.text = plane.Number(e.Value, numberWidth)
		return p
	}
	p.style = f.Theme.Dim
	p.text = untrusted(e.Status)
	return p
}

// untrusted is why there is no number, short enough for a table.
func untrusted(s metrics.Status) string {
	if s == metrics.OK {
		return metrics.TooShort.String()
	}
	return s.String()
}

// none says that a lane has no such quantity.
func (p *part) none(f *Frame) *part {
	p.style = f.Theme.Faint
	p.text = "–"
	return p
}

// covError writes the error of a lane's covariance, which an optimiser has not.
func (p *part) covError(f *Frame, v *engine.LaneView) *part {
	switch {
	case v.Kind == sampler.Optimising:
		return p.none(f)
	case v.Kind == sampler.Variational && !settled(v):
		p.style = f.Theme.Dim
		p.text = metrics.TooShort.String()
		return p
	case v.Kind == sampler.Variational:
		p.text = plane.Number(v.CovError, numberWidth)
		return p
	}
	return p.trusted(f, v.CovError, v.MaxACT)
}

// trusted is a value that stands on the window's draws, and so counts only once
// τ is known.
func (p *part) trusted(f *Frame, value float64, tau metrics.Estimate) *part {
	if !tau.OK() {
		return p.estimate(f, tau)
	}
	p.text = plane.Number(value, numberWidth)
	return p
}

// empty is what a pane without data says: how far the burn-in of the focused lane
// has come, else why.
func (f *Frame) empty(why string) string {
	v := f.lane()
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

// statistics is the line at the foot of a lane's pane: the error against the truth,
// τ, ESS and the bias that is known; for a target with data the test error. Of a lane
// that does not sample it says so, and gives what it drives at in the place of τ and
// ESS.
func statistics(l *line, f *Frame, v *engine.LaneView) {
	th := &f.Theme
	if v.Diverged != nil {
		l.add(0, "diverged at step", th.Bad, th.Bad, plane.Count(v.Diverged.Step))
		return
	}
	if v.Burning {
		l.add(0, "burn-in", th.Dim, th.Warn, plane.Count(v.Step)+" of "+plane.Count(burnIn(v))+" steps")
		l.add(1, "", th.Dim, th.Dim, "draws count from there")
		return
	}
	if v.Draws == 0 {
		l.add(0, "no draws in this window yet", th.Dim, th.Dim)
		return
	}
	tau := v.MaxACT
	if !samples(v) {
		l.add(0, "", th.Dim, th.Accent, kindName(v.Kind))
		objective(l, f, v, 0)
	}
	truth, name := settled(v) && !math.IsNaN(v.CovError), "error"
	if f.hasData() {
		name = "cov. error"
	}
	if truth {
		rank := 0
		if !samples(v) {
			rank = 2
		}
		l.add(rank, name, th.Dim, th.Text, plane.Number(v.CovError, numberWidth))
	}
	if f.hasData() {
		name, e, rank := "test error", v.Test.Error, 1
		if !hasTest(f) {
			name, e = "train error", v.Train.Error
		}
		if truth {
			rank = 3
		}
		if !math.IsNaN(e) {
			l.add(rank, name, th.Dim, th.Text, percent(e))
		}
	}
	if !samples(v) {
		return
	}
	if tau.OK() {
		l.add(1, "τ", th.Dim, th.Text, plane.Number(tau.Value, numberWidth))
		l.add(2, "ESS", th.Dim, th.Text).estimate(f, v.MinESS)
	} else {
		l.add(1, "τ, ESS", th.Dim, th.Dim).estimate(f, tau)
		l.add(4, "", th.Dim, th.Dim, drawsText(v.Draws))
	}
	acceptance(l, f, v, 3)
	if !math.IsNaN(v.Bias) {
		l.add(3, "bias", th.Dim, th.Truth, plane.Number(v.Bias, numberWidth))
	}
}

// place writes where watched coordinate k of a lane is: a chain's mean with its
// error, the mean of a family's draws, or where an optimiser stands.
func (p *part) place(f *Frame, v *engine.LaneView, k, decimals, width int) *part {
	switch v.Kind {
	case sampler.Optimising:
		p.text = "at " + plane.Number(v.Now[k], numberWidth)
		return p
	case sampler.Variational:
		p.text = plane.Number(v.Coords[k].Mean, numberWidth)
		return p
	}
	c := &v.Coords[k]
	if !c.MCSE.OK() {
		return p.estimate(f, c.MCSE)
	}
	p.text = plusMinus(c.Mean, c.MCSE.Value, decimals, width)
	return p
}

// tau writes τ, or the first impression of it marked as such, if there is room.
func (p *part) tau(f *Frame, e, loose metrics.Estimate, width int) *part {
	if e.OK() || !loose.OK() {
		return p.estimate(f, e)
	}
	p.style = f.Theme.Dim
	p.text = "≈ " + plane.Number(loose.Value, 5) + " too short"
	if p.width() > width {
		return p.estimate(f, e)
	}
	return p
}

// rate writes an efficiency, which stands on the ESS.
func (p *part) rate(f *Frame, rate float64, ess metrics.Estimate) *part {
	if !ess.OK() {
		return p.estimate(f, ess)
	}
	return p.known(f, rate)
}

// known writes a number that may be missing.
func (p *part) known(f *Frame, x float64) *part {
	if math.IsNaN(x) {
		p.style = f.Theme.Faint
		p.text = "not known"
		return p
	}
	p.text = plane.Number(x, numberWidth)
	return p
}
