package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of adagrad.
const adagradLambda = 0

// Adagrad is AdaGrad with a diagonal matrix (Duchi, Hazan and Singer 2011,
// figure 1), on the mean objective, whose gradient with the prior's is x:
//
//	x = ḡ - θ/(Nσ²),  V = V + x ∘ x,  θ' = θ + h x ⊘ (λ + √V),  h = εN/2.
//
// The source's δ is λ. Its proximal term and its projection are dropped.
var Adagrad = sampler.Method{
	Name:     "adagrad",
	Title:    "AdaGrad",
	Doc:      "steps shrink with the sum of all squared gradients",
	Equation: "x = ḡ - θ/(Nσ²), V = V + x², θ' = θ + h x/(λ+√V), h = εN/2",
	Source:   "Duchi, Hazan & Singer 2011, Adaptive subgradient methods, figure 1",
	Kind:     sampler.Optimising,
	Params: []param.Param{
		adagradLambda: {Key: "lambda", Symbol: "λ", Doc: "floor of √V + λ, the source's δ", Scale: param.Log, Min: 0,
			OpenMin: true, Max: math.Inf(1), Lo: 1e-10, Hi: 10, Default: 1e-8},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newElementwise(t.Dim(), adagradRule[float64]{}, 0, 2, step32.Adagrad)
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return newElementwise(t.Dim(), adagradRule[float32]{}, 0, 2, step32.Adagrad)
	},
	Suit: sampler.LearningRates{Network: 0.01, Data: 0.3, Density: 0.3}.Suit,
}

// adagradRule is the displacer of AdaGrad. Its numbers are 1/N, h and λ.
type adagradRule[F sampler.Float] struct{}

func (adagradRule[F]) begin(q *numbers[F], _ *sampler.State[F], _ *sampler.Eval[F], p *sampler.Params) (scale F) {
	q[0], q[1], q[2] = F(1/p.N), F(p.Eps/2*p.N), F(p.Own[adagradLambda])
	return 1
}

func (adagradRule[F]) displace(q *numbers[F], u []F, c *step32.Block[F], gains *gainRange[F]) {
	v, mean, h, lambda := c.V[:len(u)], q[0], q[1], q[2]
	for i, x := range u {
		x *= mean
		v[i] += F(x * x)
		g := 1 / (lambda + sqrt(v[i]))
		gains.count(g)
		u[i] = F(h*g) * x
	}
}
