package sampler

import (
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// The own parameters of rmsprop are where psgld has them, for the two share the
// step at μ = 0. There μ, in Γ's place, says that Γ is off.
const (
	rmspropAlpha    = psgldAlpha
	rmspropLambda   = psgldLambda
	rmspropMomentum = psgldGamma
	rmspropV0       = psgldV0
	rmspropFreeze   = psgldFreeze
)

// rmsprop is RMSprop (Tieleman and Hinton 2012), which is pSGLD at T = 0: with the
// learning rate h = εN/2,
//
//	V = α V + (1-α) ḡ ∘ ḡ,  θ' = θ + h (ḡ - θ/(Nσ²)) ⊘ (λ + √V),
//
// or with the momentum of heavyBall. As in pSGLD the prior has no part in V. The
// lecture divides by √V alone.
var rmsprop = Method{
	Name:     "rmsprop",
	Title:    "RMSprop",
	Doc:      "steps divided by the gradient's running size: pSGLD at T = 0, or with momentum",
	Equation: "V = α V + (1-α) ḡ², v' = μ v + h (ḡ - θ/(Nσ²))/(λ+√V), θ' = θ + v', h = εN/2",
	Source:   "Tieleman & Hinton 2012, Neural networks for machine learning, lecture 6.5",
	Kind:     Optimising,
	Without:  []string{KeyTemp, KeyBurnIn},
	Params: []param.Param{
		rmspropAlpha:    psgld.Params[psgldAlpha],
		rmspropLambda:   psgld.Params[psgldLambda],
		rmspropMomentum: momentumParam(),
		rmspropV0:       psgld.Params[psgldV0],
		rmspropFreeze:   psgld.Params[psgldFreeze],
	},
	New64: func(t targets.Target[float64]) Kernel[float64] {
		return newRMSprop(t.Dim(), psgld.New64(t))
	},
	New32: func(t targets.Target[float32]) Kernel[float32] {
		return newRMSprop(t.Dim(), psgld.New32(t))
	},
	Suit: learnAt(learning{network: 1e-4, data: 0.01}),
	MaxStep: func(target any, p *Params, i *Info) Bound {
		if p.Own[rmspropMomentum] != 0 {
			return Bound{}
		}
		return psgld.MaxStep(target, p, i)
	},
}

func newRMSprop[F Float](dim int, still Kernel[F]) *heavyBall[F] {
	return newHeavyBall(dim, rmspropMomentum, still, displacer[F](&rmspropRule[F]{}))
}

// rmspropRule is the displacer of RMSprop with momentum.
type rmspropRule[F Float] struct {
	rms[F]
	mu, half, alpha, beta, lambda F
}

func (*rmspropRule[F]) own() int { return 1 }

func (r *rmspropRule[F]) begin(s *State[F], e *Eval[F], p *Params) {
	r.mu, r.half, r.lambda = F(p.Own[rmspropMomentum]), F(p.Eps/2), F(p.Own[rmspropLambda])
	r.alpha, r.beta = F(p.Own[rmspropAlpha]), F(1-p.Own[rmspropAlpha])
	if r.frozen(s, p) {
		r.alpha, r.beta = 1, 0
	}
	if r.first(s, p) {
		for i, x := range e.Second {
			s.V[i] = x * x
		}
	}
}

func (r *rmspropRule[F]) displace(u []F, c *block[F], span *span[F]) {
	tiny := tiny[F]()
	w, v, second := c.own[:len(u)], c.v[:len(u)], c.second[:len(u)]
	for i, x := range u {
		q := second[i]
		vi := F(r.alpha*v[i]) + F(F(r.beta*q)*q)
		if vi < tiny {
			vi = 0
		}
		v[i] = vi
		g := 1 / (r.lambda + sqrt(vi))
		span.count(g)
		d := F(r.mu*w[i]) + F(F(x*g)*r.half)
		u[i], w[i] = d, d
	}
}

func (*rmspropRule[F]) scale() F { return 1 }

func (*rmspropRule[F]) vector() vector { return vectorRMSBall }

func (r *rmspropRule[F]) numbers(dst [][8]float32) {
	for i, x := range [...]F{r.mu, r.half, r.alpha, r.beta, r.lambda} {
		dst[i] = eight(float32(x))
	}
}

func (r *rmspropRule[F]) gain(s *State[F], i int) F { return 1 / (r.lambda + sqrt(s.V[i])) }
