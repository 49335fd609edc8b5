package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// The own parameters of psgld-adam.
const (
	psgldAdamAlpha = iota
	psgldAdamLambda
	psgldAdamFreeze
)

// psgldAdam is the Langevin step of pSGLD with Adam's preconditioner (Kingma and
// Ba 2015), the average of RMSprop corrected for its start at zero,
//
//	V = α V + (1-α) ḡ ∘ ḡ,  G = 1 ⊘ (λ + √(V/(1-αᵗ))),
//
// with t = 1 at the first step, and at a frozen V that at which it was frozen.
// Adam's average of gradients is left out, and Γ.
var psgldAdam = Method{
	Name:     "psgld-adam",
	Title:    "pSGLD-Adam",
	Doc:      "SGLD preconditioned as Adam is",
	Equation: "V = α V + (1-α) ḡ², G = 1/(λ+√(V/(1-αᵗ))), θ' = θ + ε/2 G (∇log p(θ) + N ḡ) + N(0, T ε G)",
	Source:   "Kingma & Ba 2015, in the step of Li, Chen, Carlson & Carin 2016",
	Params: []param.Param{
		psgldAdamAlpha:  psgld.Params[psgldAlpha],
		psgldAdamLambda: psgld.Params[psgldLambda],
		psgldAdamFreeze: psgld.Params[psgldFreeze],
	},
	New64: func(targets.Target[float64]) Kernel[float64] {
		return &langevin[float64]{pre: &moment[float64]{numbers: adamMoments}}
	},
	New32: func(t targets.Target[float32]) Kernel[float32] {
		return newFused(t.Dim(), &moment[float32]{numbers: adamMoments})
	},
}

func adamMoments(t uint64, p *Params) momentNumbers {
	alpha, steps, freeze := p.Own[psgldAdamAlpha], float64(t+1), p.Own[psgldAdamFreeze]
	m := momentNumbers{alpha: alpha, beta: 1 - alpha, lambda: p.Own[psgldAdamLambda]}
	if freeze > 0 && float64(t) >= freeze {
		steps, m.frozen = freeze, true
	}
	m.c = math.Sqrt(1 - math.Pow(alpha, steps))
	return m
}
