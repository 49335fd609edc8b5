package optimiser

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
)

// heavyBall is the Langevin step at T = 0, without momentum or with Polyak's:
//
//	θ' = θ + (ε/2) G ∘ (N ḡ - θ/σ²)                                   at μ = 0,
//	v' = μ v + (ε/2) G ∘ (N ḡ - θ/σ²),  θ' = θ + v'                   otherwise.
//
// That is the classical momentum of Sutskever, Martens, Dahl and Hinton 2013, equations 1 and 2, not Nesterov's. v is
// State.Own[0]; while μ = 0 there is none. At μ = 0 a step has the bits of the sampler's at T = 0, and its speed.
type heavyBall[F sampler.Float] struct {
	still  sampler.Kernel[F] // the step at μ = 0
	moving *elementwise[F]   // the step at μ > 0
	newest sampler.Kernel[F] // one of both
	mu     int               // where μ is in Params.Own
}

// newHeavyBall makes the kernel of a method that has μ as its own parameter mu. lambda is that of elementwise.
func newHeavyBall[F sampler.Float](dim, mu int, still sampler.Kernel[F], rule displacer[F], lambda int,
	vector step32.Displacer) *heavyBall[F] {
	return &heavyBall[F]{still: still, newest: still, moving: newElementwise(dim, rule, 1, lambda, vector), mu: mu}
}

func (k *heavyBall[F]) Begin(s *sampler.State[F], p *sampler.Params) { k.suit(s, p) }

// suit gives s.Own the vectors that μ needs.
func (k *heavyBall[F]) suit(s *sampler.State[F], p *sampler.Params) {
	switch mu := p.Own[k.mu]; {
	case mu == 0:
		s.Own = nil
	case len(s.Own) != 1:
		k.moving.Begin(s, p)
	}
}

func (k *heavyBall[F]) Spread(each func(n int, task func(worker, i int))) {
	k.moving.Spread(each)
	if p, ok := k.still.(sampler.Parallel); ok {
		p.Spread(each)
	}
}

func (k *heavyBall[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	k.suit(s, p) // μ may have been turned
	k.newest = k.still
	if p.Own[k.mu] != 0 {
		k.newest = k.moving
	}
	k.newest.Step(s, grad, p, z, i)
}

func (k *heavyBall[F]) GainAt(i int) F { return k.newest.GainAt(i) }
