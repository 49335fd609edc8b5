package exact

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// MALA is the Metropolis-adjusted Langevin algorithm: SGLD's step on all data, preconditioned by a constant G, accepted
// or rejected. It is hmc with a single leapfrog step, see metropolis. The target acceptance is the optimal 0.574 of
// Roberts and Rosenthal (1998).
var MALA = sampler.Method{
	Name:     "mala",
	Title:    "MALA",
	Doc:      "the Langevin step on all data, accepted or rejected: no bias of the step size",
	Equation: "θ* = θ + ε/2 G ∇log p(θ) + N(0, T ε G), accept with min(1, [p(θ*) q(θ|θ*) / p(θ) q(θ*|θ)]^(1/T)), G the draws' variances",
	Source:   "Roberts & Tweedie 1996, Exponential convergence of Langevin distributions; Roberts & Rosenthal 1998, Optimal scaling",
	Params:   metroParams(0.574),
	Without:  []string{sampler.KeyBatch},
	Plain:    true, Metropolis: true, Alone: true,
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newMetropolis(t, func(*sampler.Params) uint64 { return 1 })
	},
	Unfit: metroUnfit,
	Suit:  metroSuit,
}
