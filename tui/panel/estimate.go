package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// numberWidth is the room that a number on the screen gets.
const numberWidth = 7

// estimate writes an estimate, or in words why it is none.
func (p *part) estimate(f *Frame, e metrics.Estimate) *part {
	if e.OK() && !math.IsNaN(e.Value) {
		return p.number(e.Value, numberWidth)
	}
	p.style = f.Theme.Dim
	return p.str(untrusted(e.Status))
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
	return p.str("–")
}

// covError writes the error of a lane's covariance, which an optimiser has not.
func (p *part) covError(f *Frame, v *engine.LaneView) *part {
	switch {
	case v.Kind == sampler.Optimising:
		return p.none(f)
	case v.Kind == sampler.Variational && !settled(v):
		p.style = f.Theme.Dim
		return p.str(metrics.TooShort.String())
	case v.Kind == sampler.Variational:
		return p.number(v.CovError, numberWidth)
	}
	return p.trusted(f, v.CovError, v.MaxACT)
}

// trusted is a value that stands on the window's draws, and so counts only once
// τ is known.
func (p *part) trusted(f *Frame, value float64, tau metrics.Estimate) *part {
	if !tau.OK() {
		return p.estimate(f, tau)
	}
	return p.number(value, numberWidth)
}

// statistics is the line at the foot of a lane's pane: the error, τ, ESS and the
// bias that is known; for a target with data the test error. Of a lane that does
// not sample it says so, and gives what it drives at in the place of τ and ESS.
func statistics(l *line, f *Frame, v *engine.LaneView) {
	th := &f.Theme
	l.n = 0
	if v.Diverged != nil {
		l.add(0, "diverged at step", th.Bad, th.Bad).count(v.Diverged.Step)
		return
	}
	if v.Burning {
		l.add(0, "burn-in", th.Dim, th.Warn).count(v.Step).str(" of ").number(v.Setting.Values["burn-in"], 9)
		return
	}
	if v.Draws == 0 {
		l.add(0, "no draws in this window yet", th.Dim, th.Dim)
		return
	}
	tau := v.MaxACT
	if !samples(v) {
		l.add(0, "", th.Dim, th.Accent).str(kindName(v.Kind))
		objective(l, f, v, 0)
	}
	switch {
	case f.hasData():
		name, e := "test error", v.Test.Error
		if !hasTest(f) {
			name, e = "train error", v.Train.Error
		}
		if !math.IsNaN(e) {
			l.add(1, name, th.Dim, th.Text).percent(e)
		}
	case settled(v) && !math.IsNaN(v.CovError):
		rank := 0
		if !samples(v) {
			rank = 2
		}
		l.add(rank, "error", th.Dim, th.Text).number(v.CovError, numberWidth)
	}
	if !samples(v) {
		return
	}
	if tau.OK() {
		l.add(1, "τ", th.Dim, th.Text).number(tau.Value, numberWidth)
		l.add(2, "ESS", th.Dim, th.Text).estimate(f, v.MinESS)
	} else {
		l.add(1, "τ, ESS", th.Dim, th.Dim).estimate(f, tau)
		l.add(4, "", th.Dim, th.Dim).count(v.Draws).str(" draws")
	}
	acceptance(l, f, v, 3)
	if !math.IsNaN(v.Bias) {
		l.add(3, "bias", th.Dim, th.Truth).number(v.Bias, numberWidth)
	}
}
