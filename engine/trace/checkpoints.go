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

// Passage holds the states of the burn-in and of a method's own warm-up, up to the first
// draw. They are shown, and count in no statistic.
type Passage struct {
	Shown bool   // somebody looks; else nothing is held
	until uint64 // the last step of the burn-in
	every uint64 // one in so many of its steps is held
	held  Ring   // of the tracked coordinates, the step and the loss; without memory while there is nothing in it
	dim   int    // tracked coordinates
}

// passageLen is the most states that a passage holds. They are spread over the whole burn-in.
const passageLen = 1024

// BurnIn makes the burn-in last until a step.
func (p *Passage) BurnIn(until uint64) {
	p.until, p.every = until, max(1, (until+passageLen-1)/passageLen)
}

// Until is the last step of the burn-in.
func (p *Passage) Until() uint64 { return p.until }

// Due is the next step at which a state is held, or draw, the step of the first draw, behind the last of them.
func (p *Passage) Due(step, draw uint64) uint64 {
	if next := (step/p.every + 1) * p.every; next <= p.until {
		return next
	}
	return draw
}

// End forgets what was held.
func (p *Passage) End() {
	if p.held.x != nil {
		p.held = Ring{}
	}
}

// Hold adds θ after a step to the passage, if anybody looks, with the loss of the
// step's minibatch. Of θ it takes the tracked coordinates.
func Hold[F sampler.Float](p *Passage, theta []F, step uint64, tracked []int, loss float64) {
	if !p.Shown {
		return
	}
	r := &p.held
	if r.x == nil {
		*r = *NewRing(len(tracked)+2, passageLen)
		p.dim = len(tracked)
	}
	for i, k := range tracked {
		r.x[i*r.n+r.next] = float64(theta[k])
	}
	r.x[p.dim*r.n+r.next], r.x[(p.dim+1)*r.n+r.next] = float64(step), loss
	r.advance(1)
}

// Coordinate is the passage in a tracked coordinate, oldest first. It is nil once there is a draw.
func (p *Passage) Coordinate(i int) []float64 {
	if p.held.x == nil {
		return nil
	}
	return p.held.Append(make([]float64, 0, passageLen), i, passageLen)
}

// Losses are the losses of minibatches in the passage, and the steps that took them. They are nil once there is a draw.
func (p *Passage) Losses() (steps, losses []float64) {
	return p.Coordinate(p.dim), p.Coordinate(p.dim + 1)
}

// Bytes is the memory of the states.
func (p *Passage) Bytes() int { return p.held.Bytes() }

// Clone returns a copy.
func (p *Passage) Clone() Passage {
	k := *p
	k.held.x = slices.Clone(p.held.x)
	return k
}
