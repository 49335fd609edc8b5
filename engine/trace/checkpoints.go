package trace

import (
	"math/bits"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// Checkpoints holds states of a chain's past in O(log t) memory. For each l it holds the
// newest few steps that are an odd multiple of spacing·2^l, so that from a step d steps
// back the nearest one before is O(d) away. Of large states it holds one for each l.
type Checkpoints[F sampler.Float] struct {
	first    sampler.State[F]
	perLevel uint64
	levels   [][]checkpoint[F]
}

// checkpoint is a place for a state; Step 0 marks an empty one.
type checkpoint[F sampler.Float] struct {
	sampler.State[F]
	shared bool // a copy of the checkpoints has the vectors too: they are not written to
}

const (
	spacing    = 256     // steps
	largeState = 1 << 18 // numbers in θ
)

// NewCheckpoints holds the first state of a chain.
func NewCheckpoints[F sampler.Float](start sampler.State[F]) Checkpoints[F] {
	c := Checkpoints[F]{first: start.Clone(), perLevel: 4}
	if len(start.Theta) > largeState {
		c.perLevel = 1
	}
	return c
}

// Until is how many steps there are from a step to the next checkpoint.
func (c *Checkpoints[F]) Until(step uint64) uint64 { return spacing - step%spacing }

// Share returns a copy that shares the states. Neither writes to them from here on.
func (c *Checkpoints[F]) Share() Checkpoints[F] {
	k := *c
	k.levels = make([][]checkpoint[F], len(c.levels))
	for i := range c.levels {
		for j := range c.levels[i] {
			c.levels[i][j].shared = true
		}
		k.levels[i] = slices.Clone(c.levels[i])
	}
	return k
}

// BytesBeyond is the memory of the states that o does not have in the same places. o may be nil.
func (c *Checkpoints[F]) BytesBeyond(o *Checkpoints[F]) int {
	same := func(a, b *sampler.State[F]) bool { return &a.Theta[0] == &b.Theta[0] }
	sum := 0
	if o == nil || !same(&c.first, &o.first) {
		sum = c.first.Bytes()
	}
	for l, level := range c.levels {
		for i := range level {
			s := &level[i].State
			if s.Theta == nil {
				continue
			}
			if o != nil && l < len(o.levels) && i < len(o.levels[l]) {
				if b := &o.levels[l][i].State; b.Theta != nil && same(s, b) {
					continue
				}
			}
			sum += s.Bytes()
		}
	}
	return sum
}

// Save keeps a copy of s if its step is one to keep. It allocates only when a
// level is first reached, or where the state before is shared.
func (c *Checkpoints[F]) Save(s *sampler.State[F]) {
	if s.Step == 0 || s.Step%spacing != 0 {
		return
	}
	q := s.Step / spacing
	l := bits.TrailingZeros64(q)
	for len(c.levels) <= l {
		c.levels = append(c.levels, make([]checkpoint[F], c.perLevel))
	}
	at := &c.levels[l][q>>(l+1)%c.perLevel]
	if at.Theta == nil || at.shared {
		*at = checkpoint[F]{State: s.Clone()}
	} else {
		at.Copy(s)
	}
}

// Before returns the newest checkpoint at or before a step.
func (c *Checkpoints[F]) Before(step uint64) *sampler.State[F] {
	best := &c.first
	for i := range c.levels {
		for j := range c.levels[i] {
			if s := &c.levels[i][j]; s.Step <= step && s.Step > best.Step {
				best = &s.State
			}
		}
	}
	return best
}

// Forget drops the checkpoints after a step, which a rewind has undone.
func (c *Checkpoints[F]) Forget(step uint64) {
	for i := range c.levels {
		for j := range c.levels[i] {
			if s := &c.levels[i][j]; s.Step > step {
				s.Step = 0
			}
		}
	}
}
