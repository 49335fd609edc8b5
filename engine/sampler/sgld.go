package sampler

import "github.com/psgld/psgld-tui/targets"

// sgld is stochastic gradient Langevin dynamics (Welling and Teh 2011):
//
//	θ' = θ + (ε/2) (∇ log p(θ) + N ḡ) + N(0, T ε I).
var sgld = Method{
	Name:     "sgld",
	Plain:    true,
	Title:    "SGLD",
	Doc:      "stochastic gradient Langevin dynamics",
	Equation: "θ' = θ + ε/2 (∇log p(θ) + N ḡ) + N(0, T ε)",
	Source:   "Welling & Teh 2011, Bayesian learning via stochastic gradient Langevin dynamics",
	New64:    func(targets.Target[float64]) Kernel[float64] { return &langevin[float64]{} },
	New32:    func(t targets.Target[float32]) Kernel[float32] { return newFused(t.Dim(), nil) },
	StationaryCov: func(dst []float64, target any, p *Params) bool {
		t, ok := target.(targets.Stationary)
		return ok && t.SGLDCov(dst, p.Eps, p.Temp)
	},
	MaxStep: func(target any, _ *Params, _ *Info) Bound {
		t, ok := target.(targets.Stationary)
		if !ok {
			return Bound{}
		}
		return Bound{VarianceBound, t.MaxStep()}
	},
}
