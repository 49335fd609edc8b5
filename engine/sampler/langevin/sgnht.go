package langevin

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// The own parameters of sgnht.
const (
	sgnhtDiffusion = iota
	sgnhtRate
	sgnhtThermostat
)

// SGNHT is the stochastic gradient Nosé–Hoover thermostat (Ding, Fang, Babbush, Chen, Skeel and Neven 2014, algorithm
// 1). Its friction ξ moves until the velocity has the kinetic energy that belongs to the temperature, whatever noise
// the gradient brings:
//
//	v' = (1 - ξ) v + (ε/2) (N ḡ - θ/σ²) + N(0, T a ε),  θ' = θ + v',
//	ξ' = ξ + κ ((2 - ξ) ‖v'‖²/(D T ε) - 1).
//
// With the paper's step h, momentum p, thermostat and A this is v = hp, ε/2 = h², ξ = h·(the paper's ξ), a = hA and κ =
// Tε/2. The paper's thermostat has inertia 1. At a step as small as networks need it would all but stand still. Every κ
// leaves the same stationary distribution as ε → 0, in which ξ ~ N(a, κ/D).
//
// The paper holds the mean of v'² at Tε/2. That is right as ε → 0 alone. In a direction of precision p let c = εp/2,
// and let ξ stand still. E θ'² = E θ² gives E θv' = -E v²/2. Then E θ'v' = E θv' + E v² = E v²/2, and E θv' = (1-ξ) E
// θv - c E θ² gives
//
//	E θ² = (2 - ξ) E v² / (2c),
//
// whatever noise of mean zero v' has. The variance is therefore T/p at any ε, with any
// gradient noise, where v'² is held at Tε/(2 - ξ). Held at Tε/2 it is 1 - ξ/2 of that.
// What is left is of the order of κ, since ξ does not stand still.
//
// With "each", every coordinate has a thermostat of its own, by its own v'² (D = 1 above), as in multivariate SGNHT
// (Gan, Chen, Henao, Carlson and Carin 2015, Scalable deep Poisson factor analysis), and the above holds of each. With
// "scalar" the mean over coordinates is held. E v² differs between directions by the factor 1/(1 - ξ/2 - εp/8) of
// SGHMC, and by their gradient noise: of two coordinates of precisions 1/0.16 and 1 the variances are 1.04 and 0.96 of
// the true ones at ε = 0.1, and 1.12 and 0.88 at ε = 0.3. Networks have "scalar" unless told otherwise. With "each"
// their step takes some eight times as long, about twice the gradient's time.
//
// A ξ above 1 acts as 1, which stops v. Beyond 2, as after a start far out, the paper's step would throw v farther back
// each time, and raise ξ with it. v starts at zero and not at a draw; ξ starts at a. At T = 0 the thermostat rests, and
// the step is SGHMC's, which is SGD with momentum.
var SGNHT = sampler.Method{
	Name:     "sgnht",
	Plain:    true,
	Title:    "SGNHT",
	Doc:      "SGHMC with a thermostat as its friction, which absorbs gradient noise",
	Equation: "v' = (1-ξ) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T a ε), θ' = θ + v', ξ' = ξ + κ ((2-ξ) ‖v'‖²/(D T ε) - 1)",
	Source: "Ding, Fang, Babbush, Chen, Skeel & Neven 2014, Bayesian sampling using stochastic gradient " +
		"thermostats, algorithm 1",
	Params: []param.Param{
		sgnhtDiffusion: {Key: "diffusion", Symbol: "a",
			Doc: "the friction that balances the injected noise, at which ξ starts", Scale: param.Log, Min: 0,
			OpenMin: true, Max: 1, Lo: 1e-3, Hi: 1, Default: 0.1},
		sgnhtRate: {Key: "rate", Symbol: "κ", Doc: "how fast the thermostat adapts; the paper's is Tε/2",
			Scale: param.Log, Min: 0, Max: 1, Lo: 1e-6, Hi: 1, Default: 0.005},
		sgnhtThermostat: {Key: "thermostat", Symbol: "ξ", Doc: "one thermostat for all coordinates, or one each",
			Scale: param.Choice, ByTarget: true, Choices: []string{"scalar", "each"}, Default: 1, AtStart: true},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return &noseHoover[float64]{newMomentum[float64](t.Dim())}
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return &noseHoover[float32]{newMomentum[float32](t.Dim())}
	},
	Trail: func(dim int) sampler.Trail { return &sgnhtTrail{make([]float64, dim)} },
	Halve: halve,
	// On networks the thermostat meets the gradients' noise with friction, and a step of SGLD's size learns faster.
	Suit: func(p *targets.Problem, values map[string]float64) {
		if p.F32 == nil {
			suitMomentum(p, values)
		} else {
			values["thermostat"] = 0
		}
	},
}

// noseHoover is the kernel of sgnht. State.Own is v and a shared ξ, or v, nil and the coordinates' ξ. A shared ξ is the
// sum of two numbers: float32 is too coarse for its steps, and the second number holds what the first lacks.
type noseHoover[F sampler.Float] struct{ *momentum[F] }

// Begin implements Beginner: v = 0, ξ = a.
func (n *noseHoover[F]) Begin(s *sampler.State[F], p *sampler.Params) {
	a := p.Own[sgnhtDiffusion]
	if p.Own[sgnhtThermostat] == 0 {
		xi := sampler.Vector[F](2)
		split(xi, a)
		n.begin(s, xi)
		return
	}
	xi := sampler.Vector[F](len(s.Theta))
	for i := range xi {
		xi[i] = F(a)
	}
	n.begin(s, nil, xi)
}

func (n *noseHoover[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F],
	i *sampler.Info) {
	q := n.Injected(p)
	kappa := p.Own[sgnhtRate]
	if len(s.Own) == 2 {
		xi := s.Own[1]
		now := float64(xi[0]) + float64(xi[1])
		friction := min(now, 1)
		v2 := n.move(s, grad, p, z, i, F(friction), nil, q)
		if p.Temp > 0 {
			split(xi, now+float64(kappa*((2-friction)*v2/(float64(len(s.Theta))*p.Temp*p.Eps)-1)))
		}
		return
	}
	xi := s.Own[2]
	n.move(s, grad, p, z, i, 0, xi, q)
	if p.Temp > 0 {
		k, per := F(kappa), F(kappa/(p.Temp*p.Eps))
		for j, v := range s.Own[0] {
			xi[j] += F(F(F(per*v)*v)*(2-min(xi[j], 1))) - k
		}
	}
}

func (*noseHoover[F]) Injected(p *sampler.Params) float64 {
	return p.Temp * p.Own[sgnhtDiffusion] * p.Eps
}

// sgnhtTrail follows each coordinate's ξ by the displacements of draws, which are v'.
type sgnhtTrail struct{ xi []float64 }

func (n *sgnhtTrail) At(t uint64, p *sampler.Params, _, _, _ []float64, to *sampler.Parts) {
	if t == 0 {
		sampler.Fill(n.xi, p.Own[sgnhtDiffusion])
	}
	for i, xi := range n.xi {
		to.Keep[i] = max(0, 1-xi)
	}
	sampler.Fill(to.Noise, (*noseHoover[float64])(nil).Injected(p))
}

func (n *sgnhtTrail) Moved(p *sampler.Params, v []float64) {
	if p.Temp == 0 {
		return
	}
	mean := 0.0
	for _, x := range v {
		mean += x * x / float64(len(v))
	}
	for i, xi := range n.xi {
		square := mean
		if p.Own[sgnhtThermostat] != 0 {
			square = v[i] * v[i]
		}
		n.xi[i] += float64(p.Own[sgnhtRate] * ((2-min(xi, 1))*square/(p.Temp*p.Eps) - 1))
	}
}

// Forgets implements sampler.Trail: a wrong ξ decays by about κ v'²/(Tε) a step, whose mean is κ/2.
func (*sgnhtTrail) Forgets(p *sampler.Params) int {
	if p.Own[sgnhtRate] == 0 {
		return 0
	}
	return int(14/p.Own[sgnhtRate]) + 1
}

// split sets the two numbers of xi to x and to what is left of it.
func split[F sampler.Float](xi []F, x float64) {
	xi[0] = F(x)
	xi[1] = F(x - float64(xi[0]))
}
