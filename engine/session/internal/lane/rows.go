package lane

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// inRows has the rows of another program for steps: the state after step t is row t - 1. The session asks for no more
// steps than there are rows.
type inRows[F sampler.Float] struct{ lane *lane[F] }

func (s inRows[F]) steps(n uint64) (done uint64, bad *record.Chain[F]) {
	l := s.lane
	n = min(n, l.nextKeep-l.Step())
	for k, c := range l.Chains {
		if !l.row(c, c.State.Step+n) {
			for _, moved := range l.Chains[:k] { // all stand at one step
				l.row(moved, c.State.Step)
			}
			return 0, nil
		}
		c.Observed.Add(&c.Info)
	}
	return n, nil
}

// row puts a chain where it stands after a step. It reports false, and stops the lane, where its row cannot be read.
func (l *lane[F]) row(c *record.Chain[F], step uint64) bool {
	theta := any(c.State.Theta).([]float64)
	var told targets.Told
	if step == 0 {
		clear(theta)
	} else if err := l.Problem.Source.Row(theta, &told, slices.Index(l.Chains, c), step-1); err != nil {
		l.Diverged = &state.Divergence{Step: step, Chain: slices.Index(l.Chains, c), Failed: err.Error()}
		return false
	}
	c.State.Step, c.Info.OK = step, true
	c.Info.LogPost, c.Info.Energy = told[targets.ToldDensity], told[targets.ToldEnergy]
	c.Info.Divergent = told[targets.ToldDivergent] > 0
	return true
}
