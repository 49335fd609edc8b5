package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of adam.
const (
	adamBeta1 = iota
	adamBeta2
	adamLambda
)

// Adam is Adam (Kingma and Ba 2015, algorithm 1), on the mean objective, whose
// gradient with the prior's is x. State.Own[0] is m:
//
//	x = ḡ - θ/(Nσ²),  m = β₁ m + (1-β₁) x,  V = β₂ V + (1-β₂) x ∘ x,
//	θ' = θ + h m/(1-β₁ᵗ) ⊘ (λ + √(V/(1-β₂ᵗ))),  h = εN/2,
//
// with t = 1 at the first step. A lane that changes to the method later keeps its V and its t, with m = 0. The source
// calls λ ε. G is 1/(λ + √(V/(1-β₂ᵗ))), computed as √(1-β₂ᵗ)/(√(1-β₂ᵗ) λ + √V).
var Adam = sampler.Method{
	Name:     "adam",
	Title:    "Adam",
	Doc:      "averages of the gradient and of its square, corrected for their start",
	Equation: "x = ḡ - θ/(Nσ²), m = β₁m + (1-β₁)x, V = β₂V + (1-β₂)x², θ' = θ + h m̂/(λ+√V̂), h = εN/2",
	Source:   "Kingma & Ba 2015, Adam: a method for stochastic optimization, algorithm 1",
	Kind:     sampler.Optimising,
	Params: []param.Param{
		adamBeta1: {Key: "beta1", Symbol: "β₁", Doc: "memory of the average of gradients", Scale: param.OneMinusLog,
			Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.9999, Default: 0.9},
		adamBeta2: {Key: "beta2", Symbol: "β₂", Doc: "memory of the average of squared gradients",
			Scale: param.OneMinusLog, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.99999, Default: 0.999},
		adamLambda: {Key: "lambda", Symbol: "λ", Doc: "added to √V̂, the source's ε", Scale: param.Log, Min: 0,
			OpenMin: true, Max: math.Inf(1), Lo: 1e-10, Hi: 10, Default: 1e-8},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newElementwise(t.Dim(), adamRule[float64]{}, 1, 6, step32.Adam)
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return newElementwise(t.Dim(), adamRule[float32]{}, 1, 6, step32.Adam)
	},
	Suit: sampler.LearningRates{Network: 1e-4, Data: 0.01, Density: 0.02}.Suit,
}

// adamRule is the displacer of Adam. With r = √(1-β₂ᵗ) its numbers are 1/N, β₁, 1-β₁, β₂,
// 1-β₂, h r/(1-β₁ᵗ) and λr, and G is r/(λr + √V).
type adamRule[F sampler.Float] struct{}

func (adamRule[F]) begin(q *numbers[F], s *sampler.State[F], _ *sampler.Eval[F], p *sampler.Params) (scale F) {
	b1, b2, t := p.Own[adamBeta1], p.Own[adamBeta2], float64(s.Step+1)
	root := math.Sqrt(1 - libm.Pow(b2, t))
	*q = numbers[F]{
		F(1 / p.N), F(b1), F(1 - b1), F(b2), F(1 - b2),
		F(p.Eps / 2 * p.N / (1 - libm.Pow(b1, t)) * root), F(p.Own[adamLambda] * root),
	}
	return F(root)
}

func (adamRule[F]) displace(q *numbers[F], u []F, c *step32.Block[F], gains *gainRange[F]) {
	mean, beta1, rest1, beta2, rest2, h, lambda := q[0], q[1], q[2], q[3], q[4], q[5], q[6]
	tiny := step32.TinyOf[F]()
	m, v := c.Own[:len(u)], c.V[:len(u)]
	for i, x := range u {
		x *= mean
		mi := F(beta1*m[i]) + F(rest1*x)
		vi := F(beta2*v[i]) + F(F(rest2*x)*x)
		if vi < tiny {
			vi = 0
		}
		m[i], v[i] = mi, vi
		g := 1 / (lambda + sqrt(vi))
		gains.count(g)
		u[i] = F(h*g) * mi
	}
}
