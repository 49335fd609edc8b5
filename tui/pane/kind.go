package pane

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Samples reports whether a lane's path is a Markov chain's, which alone has τ
// and ESS.
func Samples(v *engine.LaneView) bool { return v.Kind == sampler.Sampling }

// KindName is what a lane is, short enough for a table.
func KindName(k sampler.Kind) string {
	switch k {
	case sampler.Optimising:
		return "optimiser"
	case sampler.Variational:
		return "variational"
	}
	return "sampler"
}

// kindOf is the kind of a sampler by name.
func kindOf(name string) sampler.Kind {
	m, _ := catalog.Find(name)
	return m.Kind
}

// Kinds is which kinds of lanes there are, and what they have. It stands still while
// they run, also where a window has just begun and nothing is known of it.
type Kinds struct {
	Sampling, Optimising, Variational int
	Metropolis                        bool // some lane accepts and rejects
	Loss                              bool // some lane has a loss, or will have one
	CovError, MeanError               bool // some lane has such an error against the truth, or will have one
}

func (f *Frame) Kinds() (m Kinds) {
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		switch v.Kind {
		case sampler.Optimising:
			m.Optimising++
		case sampler.Variational:
			m.Variational++
		default:
			m.Sampling++
		}
		m.Metropolis = m.Metropolis || !math.IsNaN(v.Acceptance)
		m.Loss = m.Loss || !math.IsNaN(v.Loss)
		m.CovError = m.CovError || !math.IsNaN(v.CovError) || v.Kind != sampler.Optimising && v.TrueCov[0] > 0
		m.MeanError = m.MeanError || !math.IsNaN(v.MeanError) || !math.IsNaN(v.Coords[0].TrueMean)
	}
	m.Loss = m.Loss || m.Optimising+m.Variational > 0 && (f.HasData() || KnowsDensity(f))
	return m
}

// Settled reports whether there are enough draws for what stands on all of them:
// of a chain 50 τ, and of a family, whose draws are independent, as many.
func Settled(v *engine.LaneView) bool {
	if v.Kind == sampler.Variational {
		return v.Diverged == nil && v.Draws >= EnoughDraws
	}
	return v.MaxACT.OK()
}

// EnoughDraws are 50 τ of independent draws, whose τ is ½.
const EnoughDraws = 25

// objective writes what a lane that does not sample drives at: an optimiser's
// loss, or the ELBO.
func objective(l *Line, f *Frame, v *engine.LaneView, rank int) {
	th := &f.Theme
	if v.Kind == sampler.Variational {
		l.Add(rank, "ELBO", th.Dim, th.Text, plane.Number(v.ELBO, NumberWidth))
		return
	}
	l.Add(rank, "loss", th.Dim, th.Text, plane.Number(v.Loss, NumberWidth))
}

// acceptance writes how a Metropolis method fares; nothing for any other.
func acceptance(l *Line, f *Frame, v *engine.LaneView, rank int) {
	th := &f.Theme
	if math.IsNaN(v.Acceptance) {
		return
	}
	l.Add(rank, "accept", th.Dim, th.Text, plane.Measured(v.Acceptance, 5))
	if v.Divergences > 0 {
		l.Add(rank, "divergent", th.Dim, th.Warn, plane.Count(v.Divergences))
	}
}

// LossHere draws the loss of every lane that has one.
func LossHere(g plane.Region, f *Frame, c *Curves) {
	c.Begin(f, f.LogY)
	for i := range f.Lanes() {
		c.AddLane(f, &f.Snap.Lanes[i], loss)
	}
	c.Draw(g, f, "loss")
}

// ElboHere draws the ELBO of every variational lane.
func ElboHere(g plane.Region, f *Frame, c *Curves) {
	c.Begin(f, false)
	for i := range f.Lanes() {
		if v := &f.Snap.Lanes[i]; v.Kind == sampler.Variational {
			c.AddLane(f, v, elbo)
		}
	}
	c.Draw(g, f, "ELBO")
}

// Absent draws, in the place of a chart that has no meaning for any lane, why
// that is so.
func Absent(g plane.Region, f *Frame, title, why string) {
	g, ok := f.Begin(g, title, -1)
	if !ok {
		return
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	in = in.Sub(in.Bounds().Pad(0, 1, 0, 1))
	if in.W() < 8 || in.H() < 1 {
		return
	}
	why = g.Spell(why)
	rows := min(CountRows(why, in.W()), in.H())
	at := in.Sub(plane.Rect{Y: (in.H() - rows) / 2, W: in.W(), H: rows})
	if n := plane.Width(why); n < in.W() {
		at = at.Sub(plane.Rect{X: (in.W() - n) / 2, W: n + 1, H: rows})
	}
	Wrap(at, why, f.Theme.Dim)
}

// KnowsDensity reports whether the log posterior is evaluated.
func KnowsDensity(f *Frame) bool {
	p := f.Problem()
	if p == nil || p.F64 == nil && p.F32 == nil {
		return false
	}
	switch p.Impl().(type) {
	case targets.LogDensity[float64], targets.LogDensity[float32]:
		return true
	}
	return false
}

// HasTest reports whether the target has a test set.
func HasTest(f *Frame) bool { return HasSplit(f, targets.Test) }

// HasSplit reports whether the target has a part of its data that is scored.
func HasSplit(f *Frame, s targets.Split) bool {
	if !f.HasData() {
		return false
	}
	t, ok := f.Problem().Impl().(interface {
		Labels(targets.Split) []int32
	})
	return ok && t.Labels(s) != nil
}

// ShownLanes are the two lanes of a histogram: the focused one and the first
// other; -1 for none.
func ShownLanes(f *Frame) [2]int {
	at, n := f.FocusAt(), len(f.Lanes())
	switch {
	case n < 2:
		return [2]int{at, -1}
	case at == 0:
		return [2]int{0, 1}
	}
	return [2]int{0, at}
}

// DrawingLanes are the two lanes of a marginal: those of shownLanes, but for
// optimisers, in whose place are the first lanes that have draws.
func DrawingLanes(f *Frame) [2]int {
	shown := ShownLanes(f)
	at := [2]int{-1, -1}
	n := 0
	take := func(i int) {
		if i >= 0 && n < 2 && f.Snap.Lanes[i].Kind != sampler.Optimising && at[0] != i {
			at[n] = i
			n++
		}
	}
	take(shown[0])
	take(shown[1])
	for i := range f.Lanes() {
		take(i)
	}
	if at[1] >= 0 && at[1] < at[0] {
		at[0], at[1] = at[1], at[0]
	}
	return at
}
