package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of psgld.
const (
	psgldAlpha = iota
	psgldLambda
	psgldGamma
	psgldV0
	psgldFreeze
)

// PSGLD is SGLD with RMSprop's diagonal preconditioner (Li, Chen, Carlson and Carin 2016, section 3 and algorithm 1).
// Without "gamma" it drops the term Γ, as the paper does in practice (corollary 2). That is a bias wherever 1/(1-α) is
// not much longer than the mixing time.
var PSGLD = sampler.Method{
	Name:     "psgld",
	Title:    "pSGLD",
	Doc:      "SGLD with RMSprop's preconditioner",
	Equation: "V = α V + (1-α) ḡ², G = 1/(λ+√V), θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + TΓ] + N(0, T ε G)",
	Source:   "Li, Chen, Carlson & Carin 2016, Preconditioned SGLD for deep neural networks, algorithm 1",
	Params: []param.Param{
		psgldAlpha: {Key: "alpha", Symbol: "α", Doc: "memory of the second-moment average V", Scale: param.OneMinusLog,
			ByTarget: true, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.99999, Default: 0.99},
		psgldLambda: {Key: "lambda", Symbol: "λ", Doc: "floor of √V + λ, which bounds G by 1/λ", Scale: param.Log,
			Min: 0, OpenMin: true, Max: math.Inf(1), Lo: 1e-8, Hi: 10, Default: 1e-5},
		psgldGamma: {Key: "gamma", Symbol: "Γ", Doc: "the drift correction Γ, which needs the Hessian's diagonal",
			Scale: param.Choice, Choices: []string{"off", "on"}, NeedsHessian: true},
		psgldV0: {Key: "v0", Symbol: "V₀", Doc: "the second moment's start: zero, or the first gradient squared",
			Scale: param.Choice, Choices: []string{"zero", "first"}, AtStart: true},
		psgldFreeze: {Key: "freeze", Symbol: "freeze", Doc: "the step from which V stays as it is, or never",
			Scale: param.Integer, Step: true, Zero: "never", Min: 0, Max: param.MaxInteger, Lo: 0, Hi: 1e6},
	},
	New64: func(targets.Target[float64]) sampler.Kernel[float64] { return sampler.NewLangevin64(RMS) },
	Trail: sampler.NewLangevinTrail(RMS),
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] { return sampler.NewLangevin32(t.Dim(), RMS) },
	Suit:  suitPreconditioned,
	// The bias is about aε + b(1-α)/ε, the second part by the drift that Γ would correct:
	// half of it is at half of ε and a quarter of 1-α.
	Halve: func(p *sampler.Params) {
		p.Eps /= 2
		p.Own[psgldAlpha] = 1 - float64((1-p.Own[psgldAlpha])/4)
		p.Own[psgldFreeze] *= 2
	},
	Expands: true,
	MaxStep: func(target any, p *sampler.Params, i *sampler.Info) sampler.Bound {
		// G never exceeds 1/λ, so no step below 4σ²λ is unstable. A step above it is unstable only where G is near 1/λ,
		// that is where V is next to nothing. With data that is a coordinate without a gradient, such as a feature
		// never seen. Only the prior N(0, σ²) acts on it: θ' = (1 - ε/(2σ²λ)) θ + noise.
		lambda := p.Own[psgldLambda]
		if !(i.GMax*lambda >= 0.1) {
			return sampler.Bound{}
		}
		b := sampler.BoundOf(target, sampler.DampedBound, lambda)
		if b.Kind == sampler.NoBound && p.PriorPrec > 0 {
			b = sampler.Bound{Kind: sampler.DampedBound, Eps: 4 * lambda / p.PriorPrec}
		}
		return b
	},
}

// RMS is RMSprop's preconditioner, G = 1 ⊘ (λ + √V) with V = α V + (1-α) ḡ ∘ ḡ, read from the own parameters of PSGLD.
// V_0 is zero, or ḡ_1². Γ is left out once V is frozen.
func RMS(t uint64, p *sampler.Params, q *sampler.Moments) {
	own := p.Own[:psgldFreeze+1]
	q.Alpha, q.Beta, q.Lambda, q.Scale = own[psgldAlpha], 1-own[psgldAlpha], own[psgldLambda], 1
	q.Frozen = own[psgldFreeze] > 0 && float64(t) >= own[psgldFreeze]
	q.First = t == 0 && own[psgldV0] != 0 && !q.Frozen
	q.Gamma = own[psgldGamma] != 0 && !q.Frozen
}
