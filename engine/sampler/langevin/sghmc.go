package langevin

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of sghmc.
const (
	sghmcFriction = iota
	sghmcNoise
)

// SGHMC is stochastic gradient Hamiltonian Monte Carlo (Chen, Fox and Guestrin
// 2014, equation 15), which has η = ε/2, α = a and β̂ = b:
//
//	v' = (1 - a) v + (ε/2) (N ḡ - θ/σ²) + N(0, T (a - b) ε),  θ' = θ + v'.
//
// The paper moves θ first, by the last step's v. That is the same path, cut into steps at the other half. At a = 1, b =
// 0 it is SGLD. b stands for the gradient's own noise: b = ε s²/(4T) balances a variance s² per coordinate. Where b
// exceeds a no noise is added. v starts at zero and is never drawn anew.
var SGHMC = sampler.Method{
	Name:     "sghmc",
	Plain:    true,
	Title:    "SGHMC",
	Doc:      "SGLD with momentum",
	Equation: "v' = (1-a) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T (a-b) ε), θ' = θ + v'",
	Source:   "Chen, Fox & Guestrin 2014, Stochastic gradient Hamiltonian Monte Carlo, equation 15",
	Params: []param.Param{
		sghmcFriction: {Key: "friction", Symbol: "a", Doc: "share of the velocity that a step loses; 1 is SGLD",
			Scale: param.Log, Min: 0, OpenMin: true, Max: 1, Lo: 1e-3, Hi: 1, Default: 0.1},
		sghmcNoise: {Key: "noise-estimate", Symbol: "b",
			Doc: "the part of the friction that stands for the gradient's own noise", Scale: param.Log, Min: 0, Max: 1,
			Lo: 1e-4, Hi: 1},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return &hamiltonian[float64]{newMomentum[float64](t.Dim())}
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return &hamiltonian[float32]{newMomentum[float32](t.Dim())}
	},
	Trail: func(int) sampler.Trail { return sghmcTrail{} },
	Suit:  suitMomentum,
	Halve: halve,
	StationaryCov: func(dst []float64, target any, p *sampler.Params) bool {
		t, ok := target.(targets.Stationary)
		if !ok {
			return false
		}
		eps, temp := sghmcAsSGLD(p, gradNoise(target))
		return t.SGLDCov(dst, eps, temp)
	},
	MaxStep: func(target any, p *sampler.Params, _ *sampler.Info) sampler.Bound {
		return sampler.BoundOf(target, sampler.FrictionBound, 2-p.Own[sghmcFriction])
	},
}

// hamiltonian is the kernel of sghmc.
type hamiltonian[F sampler.Float] struct{ *momentum[F] }

// Begin implements Beginner: v = 0.
func (h *hamiltonian[F]) Begin(s *sampler.State[F], _ *sampler.Params) { h.begin(s) }

func (h *hamiltonian[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	a := p.Own[sghmcFriction]
	h.move(s, grad, p, z, i, F(a), nil, h.Injected(p))
}

func (*hamiltonian[F]) Injected(p *sampler.Params) float64 {
	return p.Temp * max(0, p.Own[sghmcFriction]-p.Own[sghmcNoise]) * p.Eps
}

// sghmcTrail says of draws that their last displacement is v.
type sghmcTrail struct{}

func (sghmcTrail) At(_ uint64, p *sampler.Params, _, _, _ []float64, to *sampler.Parts) {
	sampler.Fill(to.Keep, 1-p.Own[sghmcFriction])
	sampler.Fill(to.Noise, (*hamiltonian[float64])(nil).Injected(p))
}
func (sghmcTrail) Moved(*sampler.Params, []float64) {}
func (sghmcTrail) Forgets(*sampler.Params) int      { return 0 }

// sghmcAsSGLD returns the step size and temperature at which SGLD has the same stationary covariance as SGHMC on a
// Gaussian whose gradient has noise of standard deviation s. Along an eigenvector of variance 1/p,
//
//	θ'' = (1 + c - k) θ' - c θ + n,  c = 1-a, k = εp/2, Var n = q = T(a-b)ε + ε²s²/4,
//
// an AR(2) process of variance (1+c) q / ((1-c) k (2(1+c) - k)), stable for
// k < 2(1+c). With ε* = ε/(2-a) that is SGLD's variance at ε* and the T* of
//
//	q / (a(2-a)) = T*ε* + ε*²s²/4.
//
// No term is dropped.
func sghmcAsSGLD(p *sampler.Params, s float64) (eps, temp float64) {
	a := p.Own[sghmcFriction]
	return p.Eps / (2 - a), float64(p.Temp*max(0, a-p.Own[sghmcNoise])/a) +
		float64(float64(p.Eps*s*s/4)*2*(1-a)/(a*(2-a)))
}

// gradNoise is the standard deviation of a target's gradient noise.
func gradNoise(target any) float64 {
	if t, ok := target.(targets.NoisyGradient); ok {
		return t.GradNoise()
	}
	return 0
}
