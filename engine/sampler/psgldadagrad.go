package sampler

import (
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// The own parameters of psgld-adagrad.
const (
	psgldAdagradLambda = iota
	psgldAdagradFreeze
)

// psgldAdagrad is the Langevin step of pSGLD with AdaGrad's preconditioner (Duchi,
// Hazan and Singer 2011),
//
//	V = V + ḡ ∘ ḡ,  G = 1 ⊘ (λ + √V).
//
// V grows without end, and so steps and their noise shrink as t^-½ where ḡ does
// not vanish, unless V is frozen. Γ is left out: as G changes ever more slowly, it
// vanishes too.
var psgldAdagrad = Method{
	Name:     "psgld-adagrad",
	Title:    "pSGLD-AdaGrad",
	Doc:      "SGLD preconditioned as AdaGrad is",
	Equation: "V = V + ḡ², G = 1/(λ+√V), θ' = θ + ε/2 G (∇log p(θ) + N ḡ) + N(0, T ε G)",
	Source:   "Duchi, Hazan & Singer 2011, in the step of Li, Chen, Carlson & Carin 2016",
	Params: []param.Param{
		psgldAdagradLambda: psgld.Params[psgldLambda],
		psgldAdagradFreeze: psgld.Params[psgldFreeze],
	},
	New64: func(targets.Target[float64]) Kernel[float64] {
		return &langevin[float64]{pre: &moment[float64]{numbers: adagradMoments}}
	},
	New32: func(t targets.Target[float32]) Kernel[float32] {
		return newFused(t.Dim(), &moment[float32]{numbers: adagradMoments})
	},
	Suit: learnAt(learning{network: 0.01, data: 0.3, density: 0.3}),
}

func adagradMoments(t uint64, p *Params) momentNumbers {
	freeze := p.Own[psgldAdagradFreeze]
	return momentNumbers{alpha: 1, beta: 1, lambda: p.Own[psgldAdagradLambda], c: 1, frozen: freeze > 0 && float64(t) >= freeze}
}
