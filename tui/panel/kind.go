package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/plane"
)

// samples reports whether a lane's path is a Markov chain's, which alone has τ
// and ESS.
func samples(v *engine.LaneView) bool { return v.Kind == sampler.Sampling }

// kindName is what a lane is, short enough for a table.
func kindName(k sampler.Kind) string {
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

// mix is which kinds of lanes there are, and what they have. It stands still while
// they run, also where a window has just begun and nothing is known of it.
type mix struct {
	sampling, optimising, variational int
	metropolis                        bool // some lane accepts and rejects
	loss                              bool // some lane has a loss, or will have one
	covError, meanError               bool // some lane has such an error against the truth, or will have one
}

func (f *Frame) mix() (m mix) {
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		switch v.Kind {
		case sampler.Optimising:
			m.optimising++
		case sampler.Variational:
			m.variational++
		default:
			m.sampling++
		}
		m.metropolis = m.metropolis || !math.IsNaN(v.Acceptance)
		m.loss = m.loss || !math.IsNaN(v.Loss)
		m.covError = m.covError || !math.IsNaN(v.CovError) || v.Kind != sampler.Optimising && v.TrueCov[0] > 0
		m.meanError = m.meanError || !math.IsNaN(v.MeanError) || !math.IsNaN(v.Coords[0].TrueMean)
	}
	m.loss = m.loss || m.optimising+m.variational > 0 && (f.hasData() || knowsDensity(f))
	return m
}

// settled reports whether there are enough draws for what stands on all of them:
// of a chain 50 τ, and of a family, whose draws are independent, as many.
func settled(v *engine.LaneView) bool {
	if v.Kind == sampler.Variational {
		return v.Diverged == nil && v.Draws >= enoughDraws
	}
	return v.MaxACT.OK()
}

// enoughDraws are 50 τ of independent draws, whose τ is ½.
const enoughDraws = 25

// objective writes what a lane that does not sample drives at: an optimiser's
// loss, or the ELBO.
func objective(l *line, f *Frame, v *engine.LaneView, rank int) {
	th := &f.Theme
	if v.Kind == sampler.Variational {
		l.add(rank, "ELBO", th.Dim, th.Text, plane.Number(v.ELBO, numberWidth))
		return
	}
	l.add(rank, "loss", th.Dim, th.Text, plane.Number(v.Loss, numberWidth))
}

// acceptance writes how a Metropolis method fares; nothing for any other.
func acceptance(l *line, f *Frame, v *engine.LaneView, rank int) {
	th := &f.Theme
	if math.IsNaN(v.Acceptance) {
		return
	}
	l.add(rank, "accept", th.Dim, th.Text, plane.Measured(v.Acceptance, 5))
	if v.Divergences > 0 {
		l.add(rank, "divergent", th.Dim, th.Warn, plane.Count(v.Divergences))
	}
}

// lossHere draws the loss of every lane that has one.
func lossHere(g plane.Region, f *Frame, c *curve) {
	c.begin(f, f.LogY)
	for i := range f.lanes() {
		c.lane(f, &f.Snap.Lanes[i], loss)
	}
	c.draw(g, f, "loss")
}

// elboHere draws the ELBO of every variational lane.
func elboHere(g plane.Region, f *Frame, c *curve) {
	c.begin(f, false)
	for i := range f.lanes() {
		if v := &f.Snap.Lanes[i]; v.Kind == sampler.Variational {
			c.lane(f, v, elbo)
		}
	}
	c.draw(g, f, "ELBO")
}

// absent draws, in the place of a chart that has no meaning for any lane, why
// that is so.
func absent(g plane.Region, f *Frame, title, why string) {
	g, ok := f.pane(g, title, -1)
	if !ok {
		return
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	in = in.Sub(in.Bounds().Pad(0, 1, 0, 1))
	if in.W() < 8 || in.H() < 1 {
		return
	}
	why = g.Spell(why)
	rows := min(countRows(why, in.W()), in.H())
	at := in.Sub(plane.Rect{Y: (in.H() - rows) / 2, W: in.W(), H: rows})
	if n := plane.Width(why); n < in.W() {
		at = at.Sub(plane.Rect{X: (in.W() - n) / 2, W: n + 1, H: rows})
	}
	wrap(at, why, f.Theme.Dim)
}

// knowsDensity reports whether the log posterior is evaluated.
func knowsDensity(f *Frame) bool {
	p := f.problem()
	if p == nil || p.F64 == nil && p.F32 == nil {
		return false
	}
	switch p.Impl().(type) {
	case targets.LogDensity[float64], targets.LogDensity[float32]:
		return true
	}
	return false
}

// hasTest reports whether the target has a test set.
func hasTest(f *Frame) bool { return hasSplit(f, targets.Test) }

// hasSplit reports whether the target has a part of its data that is scored.
func hasSplit(f *Frame, s targets.Split) bool {
	if !f.hasData() {
		return false
	}
	t, ok := f.problem().Impl().(interface {
		Labels(targets.Split) []int32
	})
	return ok && t.Labels(s) != nil
}

// shownLanes are the two lanes of a histogram: the focused one and the first
// other; -1 for none.
func shownLanes(f *Frame) [2]int {
	at, n := f.focus(), len(f.lanes())
	switch {
	case n < 2:
		return [2]int{at, -1}
	case at == 0:
		return [2]int{0, 1}
	}
	return [2]int{0, at}
}

// drawingLanes are the two lanes of a marginal: those of shownLanes, but for
// optimisers, in whose place are the first lanes that have draws.
func drawingLanes(f *Frame) [2]int {
	shown := shownLanes(f)
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
	for i := range f.lanes() {
		take(i)
	}
	if at[1] >= 0 && at[1] < at[0] {
		at[0], at[1] = at[1], at[0]
	}
	return at
}
