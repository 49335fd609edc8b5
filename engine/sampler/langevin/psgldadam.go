package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of psgld-adam.
const (
	psgldAdamAlpha = iota
	psgldAdamLambda
	psgldAdamFreeze
)

// PSGLDAdam is the Langevin step of pSGLD with Adam's preconditioner (Kingma and
// Ba 2015), the average of RMSprop corrected for its start at zero,
//
//	V = α V + (1-α) ḡ ∘ ḡ,  G = 1 ⊘ (λ + √(V/(1-αᵗ))),
//
// with t = 1 at the first step. A frozen V keeps the t at which it was frozen. Adam's
// average of gradients is dropped, and so is Γ.
var PSGLDAdam = sampler.Method{
	Name:     "psgld-adam",
	Title:    "pSGLD-Adam",
	Doc:      "SGLD with Adam's preconditioner",
	Equation: "V = α V + (1-α) ḡ², G = 1/(λ+√(V/(1-αᵗ))), θ' = θ + ε/2 G (∇log p(θ) + N ḡ) + N(0, T ε G)",
	Source:   "Kingma & Ba 2015, in the step of Li, Chen, Carlson & Carin 2016",
	Params: []param.Param{
		psgldAdamAlpha:  PSGLD.Params[psgldAlpha],
		psgldAdamLambda: PSGLD.Params[psgldLambda],
		psgldAdamFreeze: PSGLD.Params[psgldFreeze],
	},
	New64: func(targets.Target[float64]) sampler.Kernel[float64] { return sampler.NewLangevin64(adamMoments) },
	Trail: sampler.NewLangevinTrail(adamMoments),
	Suit:  suitPreconditioned,
	Halve: func(p *sampler.Params) {
		p.Eps /= 2
		p.Own[psgldAdamFreeze] *= 2
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return sampler.NewLangevin32(t.Dim(), adamMoments)
	},
}

func adamMoments(t uint64, p *sampler.Params, q *sampler.Moments) {
	alpha, steps, freeze := p.Own[psgldAdamAlpha], float64(t+1), p.Own[psgldAdamFreeze]
	*q = sampler.Moments{Alpha: alpha, Beta: 1 - alpha, Lambda: p.Own[psgldAdamLambda]}
	if freeze > 0 && float64(t) >= freeze {
		steps, q.Frozen = freeze, true
	}
	q.Scale = math.Sqrt(1 - libm.Pow(alpha, steps))
}
