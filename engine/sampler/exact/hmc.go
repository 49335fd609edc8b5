package exact

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// hmcLeapfrog is hmc's own parameter before those that it shares.
const hmcLeapfrog = 0

// HMC is Hamiltonian Monte Carlo with a random number of leapfrog steps, on all data, with Metropolis and Hastings'
// correction: its draws have no bias of the step size. See metropolis for the step and adaptation for the warm-up.
//
// On the Australian data, up to 8 steps at an acceptance of 0.8 give 0.20 effective
// draws of the slowest weight per gradient evaluation, against 0.17 at 5 steps, 0.16 at
// 10 and 0.08 at 14. At an acceptance of 0.65, 6 steps give 0.20 as well.
var HMC = sampler.Method{
	Name:  "hmc",
	Title: "HMC",
	Doc:   "Hamiltonian Monte Carlo on all data, accepted or rejected: no bias of the step size",
	Equation: "r ~ N(0, T M), L ~ uniform{1..leapfrog} leapfrog steps of √ε, accept with min(1, exp(-ΔH/T)); M⁻¹ " +
		"= G, the draws' variances",
	Source: "Neal 2011, MCMC using Hamiltonian dynamics; Hoffman & Gelman 2014, The No-U-Turn sampler, algorithm 5",
	Params: append([]param.Param{hmcLeapfrog: {Key: "leapfrog", Symbol: "leapfrog",
		Doc: "the most leapfrog steps of a trajectory, of which each takes 1 to that many", ByTarget: true,
		Scale: param.Integer, Min: 1, Max: 1e6, Lo: 1, Hi: 100, Default: 8}}, metroParams(0.8)...),
	Without:    []string{sampler.KeyBatch},
	Plain:      true,
	Metropolis: true, Alone: true,
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return newMetropolis(t, func(p *sampler.Params) uint64 { return uint64(p.Own[hmcLeapfrog]) })
	},
	Unfit: metroUnfit,
	Suit: func(p *targets.Problem, values map[string]float64) {
		metroSuit(p, values)
		// Many features are seldom independent, and a diagonal mass does not help: a9a's
		// groups of indicators leave directions that only the prior bounds. These would
		// need trajectories longer still, but the screen waits for a step to end.
		if d := p.Dim(); d > 32 {
			values["leapfrog"] = float64(min(4*d, 128))
		}
	},
}
