// Package variational holds the methods that fit a family of distributions.
package variational

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// DSVI is doubly stochastic variational inference (Titsias and Lázaro-Gredilla 2014, algorithm 1): stochastic gradient
// ascent of the ELBO of N(μ, CCᵀ), one draw of it and one minibatch a step,
//
//	θ = μ + Cz, z ~ N(0, I)
//	μ' = μ + ρ g,  C' = C + κρ [lower(g zᵀ) + Δ_C],  g = ∇ log p(θ) + N ḡ,
//
// with C lower triangular or diagonal, Δ_C = diag(1/C_ii) the gradient of the entropy, T Δ_C at other temperatures, and
// κ = 0.1 as in the paper's experiments. Here ρ = ε_t/2, so that h = εN/2 is the step of μ per mean gradient.
//
// The paper leaves the positivity of C_ii to small steps. Here a step changes C_ii by at most a factor of two, which
// steps as small as the paper's never reach. Decreasing step sizes are left to "decay" and the schedule.
var DSVI = sampler.Method{
	Name:     "dsvi",
	Title:    "DSVI",
	Doc:      "doubly stochastic variational inference: a normal q fitted by gradients of the ELBO at draws of it",
	Equation: "θ = μ + C z, μ' = μ + ε/2 g, C' = C + κ ε/2 (lower(g zᵀ) + diag 1/C), g = ∇log p(θ) + N ḡ",
	Source: "Titsias & Lázaro-Gredilla 2014, Doubly stochastic variational Bayes for non-conjugate inference, " +
		"algorithm 1",
	Kind:   sampler.Variational,
	Plain:  true,
	Params: dsviParams(),
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return &doublyStochastic{normalFamily: newNormalFamily(t.Dim(), false)}
	},
	Unfit: unfitNormal,
	Suit: func(p *targets.Problem, values map[string]float64) {
		suitNormal(p, values)
		values["decay"] = 2000
		if !p.HasData() {
			// Half of SGLD's step, as the draws of q are noise enough.
			values[sampler.KeyEps] = p.Defaults.Eps / 2
			return
		}
		h := 0.25
		if n := p.Defaults.Batch; n > 0 {
			h = min(h, float64(n)/50)
		}
		values[sampler.KeyEps] = 2 * h / float64(p.N())
	},
}

// dsviParams are the family's, with the paper's κ.
func dsviParams() []param.Param {
	all := normalParams()
	all[normalRatio].Default = 0.1
	return all
}

// doublyStochastic is the kernel of dsvi.
type doublyStochastic struct {
	normalFamily
	d []float64 // ∇L
}

func (k *doublyStochastic) Begin(s *sampler.State[float64], p *sampler.Params) {
	k.begin(s, p, numNormalOwn)
}

func (k *doublyStochastic) Step(s *sampler.State[float64], grad sampler.Gradient[float64], p *sampler.Params,
	zs *noise.Normals[float64], i *sampler.Info) {
	k.start(s, grad, p, zs, i)
	psi := s.Own[normalPsi]
	if len(k.d) != len(psi) {
		k.d = sampler.Vector[float64](len(psi))
	}
	k.gradient(k.d, psi, p)
	rho, drift := i.Eps/2, 0.0
	for j, g := range k.d[:k.dim] {
		move := float64(rho * g)
		drift += float64(move * move)
		psi[j] += move
	}
	for j := range k.sd {
		k.sd[j] = psi[k.diagonal(psi, j)]
	}
	rho *= p.Own[normalRatio]
	scales := psi[k.dim:]
	for j, g := range k.d[k.dim:] {
		scales[j] += float64(rho * g)
	}
	for j, was := range k.sd {
		c := &psi[k.diagonal(psi, j)]
		*c = max(was/2, min(2*was, *c))
	}
	k.end(s, drift, i)
}
