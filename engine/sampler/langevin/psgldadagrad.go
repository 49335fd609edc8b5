package langevin

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of psgld-adagrad.
const (
	psgldAdagradLambda = iota
	psgldAdagradFreeze
)

// PSGLDAdagrad is the Langevin step of pSGLD with AdaGrad's preconditioner (Duchi, Hazan and Singer 2011),
//
//	V = V + ḡ ∘ ḡ,  G = 1 ⊘ (λ + √V).
//
// V grows without end. Steps and their noise therefore shrink as t^-½ where ḡ does not vanish, unless V is frozen. Γ is
// dropped: G changes ever more slowly, so that Γ vanishes too.
var PSGLDAdagrad = sampler.Method{
	Name:     "psgld-adagrad",
	Title:    "pSGLD-AdaGrad",
	Doc:      "SGLD with AdaGrad's preconditioner",
	Equation: "V = V + ḡ², G = 1/(λ+√V), θ' = θ + ε/2 G (∇log p(θ) + N ḡ) + N(0, T ε G)",
	Source:   "Duchi, Hazan & Singer 2011, in the step of Li, Chen, Carlson & Carin 2016",
	Params: []param.Param{
		psgldAdagradLambda: PSGLD.Params[psgldLambda],
		psgldAdagradFreeze: PSGLD.Params[psgldFreeze],
	},
	New64: func(targets.Target[float64]) sampler.Kernel[float64] { return sampler.NewLangevin64(adagradMoments) },
	Trail: sampler.NewLangevinTrail(adagradMoments),
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return sampler.NewLangevin32(t.Dim(), adagradMoments)
	},
	Suit: sampler.LearningRates{Network: 0.01, Data: 0.3, Density: 0.3}.Suit,
}

func adagradMoments(t uint64, p *sampler.Params, q *sampler.Moments) {
	freeze := p.Own[psgldAdagradFreeze]
	*q = sampler.Moments{Alpha: 1, Beta: 1, Lambda: p.Own[psgldAdagradLambda], Scale: 1,
		Frozen: freeze > 0 && float64(t) >= freeze}
}
