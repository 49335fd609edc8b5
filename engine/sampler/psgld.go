package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// The own parameters of psgld.
const (
	psgldAlpha = iota
	psgldLambda
	psgldGamma
	psgldV0
	psgldFreeze
)

// psgld is SGLD with RMSprop's diagonal preconditioner (Li, Chen, Carlson and
// Carin 2016, section 3 and algorithm 1). Without "gamma" it leaves out the
// term Γ, as the paper does in practice (corollary 2); that biases it wherever
// 1/(1-α) is not much longer than the mixing time.
var psgld = Method{
	Name:     "psgld",
	Title:    "pSGLD",
	Doc:      "SGLD preconditioned as RMSprop is",
	Equation: "V = α V + (1-α) ḡ², G = 1/(λ+√V), θ' = θ + ε/2 [G (∇log p(θ) + N ḡ) + Γ] + N(0, T ε G)",
	Source:   "Li, Chen, Carlson & Carin 2016, Preconditioned SGLD for deep neural networks, algorithm 1",
	Params: []param.Param{
		psgldAlpha:  {Key: "alpha", Symbol: "α", Doc: "memory of the second-moment average V", Scale: param.OneMinusLog, Min: 0, Max: 1, OpenMax: true, Lo: 0, Hi: 0.99999, Default: 0.99},
		psgldLambda: {Key: "lambda", Symbol: "λ", Doc: "floor of √V + λ, which bounds G by 1/λ", Scale: param.Log, Min: 0, OpenMin: true, Max: math.Inf(1), Lo: 1e-8, Hi: 10, Default: 1e-5},
		psgldGamma:  {Key: "gamma", Symbol: "Γ", Doc: "the drift correction Γ, which needs the Hessian's diagonal", Scale: param.Choice, Choices: []string{"off", "on"}, NeedsHessian: true},
		psgldV0:     {Key: "v0", Symbol: "V₀", Doc: "the second moment's start: zero, or the first gradient squared", Scale: param.Choice, Choices: []string{"zero", "first"}, AtStart: true},
		psgldFreeze: {Key: "freeze", Symbol: "freeze", Doc: "the step from which V stays as it is, or never", Scale: param.Integer, Zero: "never", Min: 0, Max: param.MaxInteger, Lo: 0, Hi: 1e6},
	},
	New64: func(t targets.Target[float64]) Kernel[float64] {
		return &langevin[float64]{pre: newRMS[float64](t.Dim())}
	},
	New32: func(t targets.Target[float32]) Kernel[float32] { return newFused(t.Dim(), newRMS[float32](t.Dim())) },
	MaxStep: func(target any, p *Params, i *Info) Bound {
		// G never exceeds 1/λ, so no step below 4σ²λ can be unstable; but far above
		// it is one only where G is near that, with V next to nothing. With data that
		// is a coordinate without a gradient, such as a feature never seen, on which
		// only the prior N(0, σ²) acts: θ' = (1 - ε/(2σ²λ)) θ + noise.
		lambda := p.Own[psgldLambda]
		t, ok := target.(targets.Stationary)
		switch {
		case !(i.GMax*lambda >= 0.1):
			return Bound{}
		case ok:
			return Bound{DampedBound, t.MaxStep() * lambda}
		case p.PriorPrec > 0:
			return Bound{DampedBound, 4 * lambda / p.PriorPrec}
		}
		return Bound{}
	},
}

// rms is RMSprop's preconditioner,
//
//	V_t = α V_{t-1} + (1-α) ḡ ∘ ḡ,  G_t = 1 ⊘ (λ + √V_t),
//	Γ_i = ∂G_ii/∂θ_i = -(1-α) ḡ_i h_i / [√V_i (λ + √V_i)²],
//
// with h the diagonal of the mean log-likelihood's Hessian (PAPER §1). V_0 is
// zero, or ḡ_1², and in float32 a V below tiny32 is zero. Γ_i is taken as zero where V_i = 0 (a gradient of zero, at
// which G has a cusp), and everywhere once V is frozen.
type rms[F Float] struct {
	dim      int
	g, gamma []F // made when first needed: fused does without
}

// tiny32 is the least float32 that is not denormal. A V that decays where the
// gradient is zero, as a dead unit's does, would end below it and stay there, and
// many processors are slow on such numbers. Its root is far below any λ.
const tiny32 = 0x1p-126

// tiny is tiny32, or 0 in float64, which V does not leave.
func tiny[F Float]() F {
	if x := F(1); x+0x1p-30 == x {
		return tiny32
	}
	return 0
}

func newRMS[F Float](dim int) *rms[F] { return &rms[F]{dim: dim} }

// frozen is whether V stays as it is in a step.
func (*rms[F]) frozen(s *State[F], p *Params) bool {
	freeze := p.Own[psgldFreeze]
	return freeze > 0 && float64(s.Step) >= freeze
}

// first is whether V_0 is ḡ² of the step at hand.
func (*rms[F]) first(s *State[F], p *Params) bool { return s.Step == 0 && p.Own[psgldV0] != 0 }

// average implements fusible: a step with Γ needs more.
func (r *rms[F]) average(s *State[F], p *Params) (average, bool) {
	a := average{lambda: float32(p.Own[psgldLambda]), scale: 1}
	if r.frozen(s, p) {
		a.alpha, a.frozen = 1, true
		return a, true
	}
	a.alpha, a.beta = float32(p.Own[psgldAlpha]), float32(1-p.Own[psgldAlpha])
	a.first = r.first(s, p)
	return a, p.Own[psgldGamma] == 0
}

func (r *rms[F]) precondition(s *State[F], grad Gradient[F], p *Params) (mean, g, gamma []F) {
	var (
		v      = s.V
		lambda = F(p.Own[psgldLambda])
	)
	if r.g == nil {
		r.g = Vector[F](r.dim)
	}
	g = r.g[:len(v)]
	if r.frozen(s, p) {
		for i, vi := range v {
			g[i] = 1 / (lambda + sqrt(vi))
		}
		return grad.Eval(s.Theta, 0).Mean, g, nil
	}
	var (
		alpha = F(p.Own[psgldAlpha])
		beta  = F(1 - p.Own[psgldAlpha])
		hess  = p.Own[psgldGamma] != 0
		tiny  = tiny[F]()
		ask   Ask
	)
	if hess {
		ask = AskHess
	}
	e := grad.Eval(s.Theta, ask)
	second := e.Second[:len(v)]
	if r.first(s, p) {
		for i, x := range second {
			v[i] = x * x
		}
	}
	for i, x := range second {
		vi := alpha*v[i] + beta*x*x
		if vi < tiny {
			vi = 0
		}
		v[i] = vi
		g[i] = 1 / (lambda + sqrt(vi))
	}
	if !hess {
		return e.Mean, g, nil
	}
	if r.gamma == nil {
		r.gamma = Vector[F](r.dim)
	}
	gamma = r.gamma[:len(v)]
	for i, x := range second {
		gamma[i] = 0
		if root := sqrt(v[i]); root > 0 {
			gamma[i] = -beta * x * e.Hess[i] / root * g[i] * g[i]
		}
	}
	return e.Mean, g, gamma
}
