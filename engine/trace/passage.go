package trace

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
)

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
