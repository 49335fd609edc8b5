package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of adadelta.
const (
	adadeltaRho = iota
	adadeltaLambda
)

// Adadelta is ADADELTA (Zeiler 2012, algorithm 1), on the mean objective, whose gradient with the prior's is x.
// State.Own[0] is W, the average of the squared steps:
//
//	x = ḡ - θ/(Nσ²),  V = ρ V + (1-ρ) x ∘ x,
//	d = √(W + λ) ⊘ √(V + λ) ∘ x,  W' = ρ W + (1-ρ) d ∘ d,
//	θ' = θ + h d,  h = εN/2.
//
// The source has h = 1, and calls λ ε. G is √(W + λ)/√(V + λ).
var Adadelta = sampler.Method{
	Name:     "adadelta",
	Title:    "AdaDelta",
	Doc:      "steps as long as those before, in θ's own units",
	Equation: "x = ḡ - θ/(Nσ²), V = ρV + (1-ρ)x², d = √(W+λ)/√(V+λ) x, W' = ρW + (1-ρ)d², θ' = θ + h d, h = εN/2",
	Source:   "Zeiler 2012, ADADELTA: an adaptive learning rate method, algorithm 1",
	Kind:     sampler.Optimising,
	Params: []param.Param{
		adadeltaRho: {Key: "rho", Symbol: "ρ", Doc: "memory of the averages of squared gradients and steps",
			Scale: param.OneMinusLog, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.99999, Default: 0.95},
		adadeltaLambda: {Key: "lambda", Symbol: "λ",
			Doc: "added under both roots, the source's ε: the first steps are about its root", Scale: param.Log, Min: 0,
			OpenMin: true, Max: math.Inf(1), Lo: 1e-10, Hi: 1, Default: 1e-6},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] { return newAdadelta[float64](t.Dim()) },
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] { return newAdadelta[float32](t.Dim()) },
	Suit:  sampler.LearningRates{Network: 1, Data: 1, Density: 1}.Suit,
}

// adadeltaRule is the displacer of AdaDelta. Its numbers are 1/N, h, ρ, 1-ρ and λ.
type adadeltaRule[F sampler.Float] struct{}

func newAdadelta[F sampler.Float](dim int) sampler.Kernel[F] {
	k := newElementwise(dim, adadeltaRule[F]{}, 1, noLambda, step32.Adadelta)
	k.gains = sampler.Vector[F](dim) // W' is no longer W
	for i := range k.gains {
		k.gains[i] = 1
	}
	return k
}

func (adadeltaRule[F]) begin(q *numbers[F], _ *sampler.State[F], _ *sampler.Eval[F], p *sampler.Params) (scale F) {
	rho := p.Own[adadeltaRho]
	*q = numbers[F]{F(1 / p.N), F(p.Eps / 2 * p.N), F(rho), F(1 - rho), F(p.Own[adadeltaLambda])}
	return 1
}

func (adadeltaRule[F]) displace(q *numbers[F], u []F, c *step32.Block[F], gains *gainRange[F]) {
	mean, h, rho, rest, lambda := q[0], q[1], q[2], q[3], q[4]
	tiny := step32.TinyOf[F]()
	v, w, gain := c.V[:len(u)], c.Own[:len(u)], c.Gain[:len(u)]
	for i, x := range u {
		x *= mean
		vi := F(rho*v[i]) + F(F(rest*x)*x)
		if vi < tiny {
			vi = 0
		}
		v[i] = vi
		g := sqrt((w[i] + lambda) / (vi + lambda))
		d := F(g * x)
		wi := F(rho*w[i]) + F(F(rest*d)*d)
		if wi < tiny {
			wi = 0
		}
		w[i], gain[i] = wi, g
		gains.count(g)
		u[i] = F(h * d)
	}
}
