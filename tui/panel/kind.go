package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
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

func loss(p *engine.Point) float64 { return p.Loss }
func elbo(p *engine.Point) float64 { return p.ELBO }
