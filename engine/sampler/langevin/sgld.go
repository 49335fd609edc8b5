// Package langevin holds the samplers by Langevin dynamics on minibatches.
package langevin

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// SGLD is stochastic gradient Langevin dynamics (Welling and Teh 2011):
//
//	θ' = θ + (ε/2) (∇ log p(θ) + N ḡ) + N(0, T ε I).
var SGLD = sampler.Method{
	Name:     "sgld",
	Plain:    true,
	Title:    "SGLD",
	Doc:      "stochastic gradient Langevin dynamics",
	Equation: "θ' = θ + ε/2 (∇log p(θ) + N ḡ) + N(0, T ε)",
	Source:   "Welling & Teh 2011, Bayesian learning via stochastic gradient Langevin dynamics",
	New64:    func(targets.Target[float64]) sampler.Kernel[float64] { return sampler.NewLangevin64(nil) },
	New32:    func(t targets.Target[float32]) sampler.Kernel[float32] { return sampler.NewLangevin32(t.Dim(), nil) },
	Trail:    sampler.NewLangevinTrail(nil),
	Alone:    true,
	Suit:     suitPlain,
	StationaryCov: func(dst []float64, target any, p *sampler.Params) bool {
		t, ok := target.(targets.Stationary)
		return ok && t.SGLDCov(dst, p.Eps, p.Temp)
	},
	Halve:   halve,
	Expands: true,
	MaxStep: func(target any, _ *sampler.Params, _ *sampler.Info) sampler.Bound {
		return sampler.BoundOf(target, sampler.VarianceBound, 1)
	},
}

// halve is Halve of a method that has nothing else that goes with its step.
func halve(p *sampler.Params) { p.Eps /= 2 }
