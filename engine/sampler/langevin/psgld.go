package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
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
