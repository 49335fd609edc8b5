package engine

import (
	"math/bits"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// checkpoints keeps states of a lane's past in O(log t) memory: of the steps
// that are an odd multiple of spacing·2^l the newest few for each l, so that
// the nearest one before a step d steps back is O(d) away.
type checkpoints[F sampler.Float] struct {
	spacing uint64
	first   sampler.State[F]
	levels  [][perLevel]sampler.State[F] // Step 0 marks an empty place
}

const perLevel = 4

func newCheckpoints[F sampler.Float](start sampler.State[F], spacing uint64) checkpoints[F] {
	return checkpoints[F]{spacing: spacing, first: start.Clone()}
}

// until is how many steps there are from a step to the next checkpoint.
func (c *checkpoints[F]) until(step uint64) uint64 { return c.spacing - step%c.spacing }

// save keeps a copy of s if its step is one to keep. It allocates only when a
// level is first reached.
func (c *checkpoints[F]) save(s *sampler.State[F]) {
	if s.Step == 0 || s.Step%c.spacing != 0 {
		return
	}
	q := s.Step / c.spacing
	l := bits.TrailingZeros64(q)
	for len(c.levels) <= l {
		c.levels = append(c.levels, [perLevel]sampler.State[F]{})
	}
	at := &c.levels[l][q>>(l+1)%perLevel]
	if at.Theta == nil {
		*at = s.Clone()
	} else {
		at.Set(s)
	}
}

// before returns the newest checkpoint at or before a step.
func (c *checkpoints[F]) before(step uint64) *sampler.State[F] {
	best := &c.first
	for i := range c.levels {
		for j := range c.levels[i] {
			if s := &c.levels[i][j]; s.Step <= step && s.Step > best.Step {
				best = s
			}
		}
	}
	return best
}

// forget drops the checkpoints after a step, which a rewind has undone.
func (c *checkpoints[F]) forget(step uint64) {
	for i := range c.levels {
		for j := range c.levels[i] {
			if s := &c.levels[i][j]; s.Step > step {
				s.Step = 0
			}
		}
	}
}
