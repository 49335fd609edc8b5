package record

import (
	"cmp"
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// sinks are the witness that gives each chain's draws to its sink.
type sinks[F sampler.Float] struct {
	Plain
	run   *Run[F]
	to    []engine.Sink // of the chains; nil ones take nothing
	theta []float64     // scratch
	err   error         // that the first of them failed with
}

func (s *sinks[F]) Take(d *Draws[F]) {
	c, to := d.Chains[0], s.to[d.First]
	if to == nil {
		return
	}
	defer s.run.AsideSince(s.run.Clock())
	theta := d.Theta(0, 0)
	for i, x := range s.run.Shown(theta) {
		s.theta[i] = float64(x)
	}
	accept, logPost := 1.0, math.NaN()
	if s.run.Method.Metropolis {
		accept = c.Info.Accept
	}
	if t := s.run.LogDensity(); t != nil {
		logPost = t.LogLik(theta) + s.run.LogPrior(theta)
	}
	drawn := engine.Drawn{Step: d.Step, Eps: cmp.Or(c.Info.Eps, s.run.Params.Eps), Accept: accept, LogPost: logPost}
	drawn.Divergent = c.Info.Divergent
	if err := to.Draw(drawn, s.theta); s.err == nil {
		s.err = err
	}
}

// Set forgets an error: the lane is made what it was before it.
func (s *sinks[F]) Set(any) { s.err = nil }
