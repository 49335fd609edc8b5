package optimiser

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of rmsprop are in the order of psgld's, since the two share the
// step at μ = 0. There μ stands in Γ's place, and says that Γ is off.
const (
	rmspropAlpha = iota
	rmspropLambda
	rmspropMomentum
	rmspropV0
	rmspropFreeze
)

// RMSprop is RMSprop (Tieleman and Hinton 2012), which is pSGLD at T = 0: with the learning rate h = εN/2,
//
//	V = α V + (1-α) ḡ ∘ ḡ,  θ' = θ + h (ḡ - θ/(Nσ²)) ⊘ (λ + √V),
//
// or with the momentum of heavyBall. As in pSGLD the prior has no part in V. The lecture divides by √V alone.
var RMSprop = sampler.Method{
	Name:     "rmsprop",
	Title:    "RMSprop",
	Doc:      "steps divided by the gradient's running size: pSGLD at T = 0, or with momentum",
	Equation: "V = α V + (1-α) ḡ², v' = μ v + h (ḡ - θ/(Nσ²))/(λ+√V), θ' = θ + v', h = εN/2",
	Source:   "Tieleman & Hinton 2012, Neural networks for machine learning, lecture 6.5",
	Kind:     sampler.Optimising,
	Params: []param.Param{
		rmspropAlpha:    langevin.PSGLD.Params[rmspropAlpha],
		rmspropLambda:   langevin.PSGLD.Params[rmspropLambda],
		rmspropMomentum: momentumParam(),
		rmspropV0:       langevin.PSGLD.Params[rmspropV0],
		rmspropFreeze:   langevin.PSGLD.Params[rmspropFreeze],
	},
	Trail: newHeavyTrail(langevin.RMS, rmspropMomentum),
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newRMSprop(t.Dim(), langevin.PSGLD.New64(t))
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return newRMSprop(t.Dim(), langevin.PSGLD.New32(t))
	},
	Suit: sampler.LearningRates{Network: 1e-4, Data: 0.01}.Suit,
	MaxStep: func(target any, p *sampler.Params, i *sampler.Info) sampler.Bound {
		if p.Own[rmspropMomentum] != 0 {
			return sampler.Bound{}
		}
		return langevin.PSGLD.MaxStep(target, p, i)
	},
}

func newRMSprop[F sampler.Float](dim int, still sampler.Kernel[F]) *heavyBall[F] {
	return newHeavyBall(dim, rmspropMomentum, still, rmspropRule[F]{}, 4, step32.RMSHeavyBall)
}

// rmspropRule is the displacer of RMSprop with momentum. Its numbers are μ, ε/2, α, 1-α and λ.
type rmspropRule[F sampler.Float] struct{}

func (rmspropRule[F]) begin(q *numbers[F], s *sampler.State[F], e *sampler.Eval[F], p *sampler.Params) (scale F) {
	var m sampler.Moments
	langevin.RMS(s.Step, p, &m)
	if m.Frozen {
		m.Alpha, m.Beta = 1, 0
	}
	if m.First {
		for i, x := range e.Second {
			s.V[i] = x * x
		}
	}
	*q = numbers[F]{F(p.Own[rmspropMomentum]), F(p.Eps / 2), F(m.Alpha), F(m.Beta), F(m.Lambda)}
	return 1
}

func (rmspropRule[F]) displace(q *numbers[F], u []F, c *step32.Block[F], gains *gainRange[F]) {
	mu, half, alpha, beta, lambda := q[0], q[1], q[2], q[3], q[4]
	tiny := step32.TinyOf[F]()
	w, v, second := c.Own[:len(u)], c.V[:len(u)], c.Second[:len(u)]
	for i, x := range u {
		s := second[i]
		vi := F(alpha*v[i]) + F(F(beta*s)*s)
		if vi < tiny {
			vi = 0
		}
		v[i] = vi
		g := 1 / (lambda + sqrt(vi))
		gains.count(g)
		d := F(mu*w[i]) + F(F(x*g)*half)
		u[i], w[i] = d, d
	}
}
