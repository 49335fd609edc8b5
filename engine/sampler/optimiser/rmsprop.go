package optimiser

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
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

// RMSprop is RMSprop (Tieleman and Hinton 2012), which is pSGLD at T = 0: with the
// learning rate h = εN/2,
//
//	V = α V + (1-α) ḡ ∘ ḡ,  θ' = θ + h (ḡ - θ/(Nσ²)) ⊘ (λ + √V),
//
// or with the momentum of heavyBall. As in pSGLD the prior has no part in V. The
// lecture divides by √V alone.
var RMSprop = sampler.Method{
	Name:     "rmsprop",
	Title:    "RMSprop",
	Doc:      "steps divided by the gradient's running size: pSGLD at T = 0, or with momentum",
	Equation: "V = α V + (1-α) ḡ², v' = μ v + h (ḡ - θ/(Nσ²))/(λ+√V), θ' = θ + v', h = εN/2",
	Source:   "Tieleman & Hinton 2012, Neural networks for machine learning, lecture 6.5",
	Kind:     sampler.Optimising,
	Without:  []string{sampler.KeyTemp, sampler.KeyBurnIn},
	Params: []param.Param{
		rmspropAlpha:    langevin.PSGLD.Params[rmspropAlpha],
		rmspropLambda:   langevin.PSGLD.Params[rmspropLambda],
		rmspropMomentum: momentumParam(),
		rmspropV0:       langevin.PSGLD.Params[rmspropV0],
		rmspropFreeze:   langevin.PSGLD.Params[rmspropFreeze],
	},
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
	return newHeavyBall(dim, rmspropMomentum, still, displacer[F](&rmspropRule[F]{}))
}

// rmspropRule is the displacer of RMSprop with momentum.
type rmspropRule[F sampler.Float] struct {
	mu, half, alpha, beta, lambda F
}

func (*rmspropRule[F]) own() int { return 1 }

func (r *rmspropRule[F]) begin(s *sampler.State[F], e *sampler.Eval[F], p *sampler.Params) {
	var q sampler.Moments
	langevin.RMS(s.Step, p, &q)
	if q.Frozen {
		q.Alpha, q.Beta = 1, 0
	}
	if q.First {
		for i, x := range e.Second {
			s.V[i] = x * x
		}
	}
	r.mu, r.half, r.lambda = F(p.Own[rmspropMomentum]), F(p.Eps/2), F(q.Lambda)
	r.alpha, r.beta = F(q.Alpha), F(q.Beta)
}

func (r *rmspropRule[F]) displace(u []F, c *step32.Block[F], gains *gainRange[F]) {
	tiny := step32.TinyOf[F]()
	w, v, second := c.Own[:len(u)], c.V[:len(u)], c.Second[:len(u)]
	for i, x := range u {
		q := second[i]
		vi := F(r.alpha*v[i]) + F(F(r.beta*q)*q)
		if vi < tiny {
			vi = 0
		}
		v[i] = vi
		g := 1 / (r.lambda + sqrt(vi))
		gains.count(g)
		d := F(r.mu*w[i]) + F(F(x*g)*r.half)
		u[i], w[i] = d, d
	}
}

func (*rmspropRule[F]) scale() F { return 1 }

func (*rmspropRule[F]) vector() step32.Displacer { return step32.RMSHeavyBall }

func (r *rmspropRule[F]) numbers(dst [][8]float32) {
	for i, x := range [...]F{r.mu, r.half, r.alpha, r.beta, r.lambda} {
		dst[i] = step32.Eight(float32(x))
	}
}

func (r *rmspropRule[F]) gain(s *sampler.State[F], i int) F { return 1 / (r.lambda + sqrt(s.V[i])) }
