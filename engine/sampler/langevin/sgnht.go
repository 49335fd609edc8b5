package langevin

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// The own parameters of sgnht.
const (
	sgnhtDiffusion = iota
	sgnhtRate
	sgnhtThermostat
)

// SGNHT is the stochastic gradient Nosé–Hoover thermostat (Ding, Fang, Babbush,
// Chen, Skeel and Neven 2014, algorithm 1). Its friction ξ moves until the velocity
// has the kinetic energy that belongs to the temperature, whatever noise the gradient
// brings:
//
//	v' = (1 - ξ) v + (ε/2) (N ḡ - θ/σ²) + N(0, T a ε),  θ' = θ + v',
//	ξ' = ξ + κ (‖v'‖²/(D T ε/2) - 1).
//
// With the paper's step h, momentum p, thermostat and A this is v = hp,
// ε/2 = h², ξ = h·(the paper's ξ), a = hA and κ = Tε/2. The paper's thermostat has
// inertia 1. At a step as small as networks need it would all but stand still. Every
// κ leaves the same stationary distribution, in which ξ ~ N(a, κ/D).
//
// With "each", every coordinate has a thermostat of its own, by its own v'² (D = 1
// above), as in multivariate SGNHT (Gan, Chen, Henao, Carlson and Carin 2015,
// Scalable deep Poisson factor analysis). A network's step then takes some eight
// times as long, about twice its gradient.
//
// A ξ above 1 acts as 1, which stops v. Beyond 2, as after a start far out, the
// paper's step would throw v farther back each time, and raise ξ with it. v starts at
// zero and not at a draw; ξ starts at a. At T = 0 the thermostat rests, and the step
// is SGHMC's, which is SGD with momentum.
//
// The stationary distribution is exact only as ε → 0. On a Gaussian, SGHMC's mean v'²
// is Tε/2 over 1 - a/2 - εp/8 in a direction of precision p. The thermostat holds it
// at Tε/2, so that variances are too small by about a/2 + εp/8, of the order of h.
var SGNHT = sampler.Method{
	Name:     "sgnht",
	Plain:    true,
	Title:    "SGNHT",
	Doc:      "SGHMC whose friction is a thermostat that takes up gradient noise",
	Equation: "v' = (1-ξ) v + ε/2 (∇log p(θ) + N ḡ) + N(0, T a ε), θ' = θ + v', ξ' = ξ + κ (‖v'‖²/(D T ε/2) - 1)",
	Source:   "Ding, Fang, Babbush, Chen, Skeel & Neven 2014, Bayesian sampling using stochastic gradient thermostats, algorithm 1",
	Params: []param.Param{
		sgnhtDiffusion:  {Key: "diffusion", Symbol: "a", Doc: "the friction that balances the injected noise, at which ξ starts", Scale: param.Log, Min: 0, OpenMin: true, Max: 1, Lo: 1e-3, Hi: 1, Default: 0.1},
		sgnhtRate:       {Key: "rate", Symbol: "κ", Doc: "how fast the thermostat turns; the paper's is Tε/2", Scale: param.Log, Min: 0, Max: 1, Lo: 1e-6, Hi: 1, Default: 0.005},
		sgnhtThermostat: {Key: "thermostat", Symbol: "ξ", Doc: "one thermostat for all coordinates, or one each", Scale: param.Choice, Choices: []string{"scalar", "each"}, AtStart: true},
	},
	New64: func(t targets.Target[float64]) sampler.Kernel[float64] {
		return &noseHoover[float64]{newMomentum[float64](t.Dim())}
	},
	New32: func(t targets.Target[float32]) sampler.Kernel[float32] {
		return &noseHoover[float32]{newMomentum[float32](t.Dim())}
	},
	// On networks the thermostat meets the gradients' noise with friction, and a step
	// of SGLD's size learns faster.
	Suit: func(p *targets.Problem, values map[string]float64) {
		if p.F32 == nil {
			suitMomentum(p, values)
		}
	},
}

// noseHoover is the kernel of sgnht. State.Own is v and a shared ξ, or v, nil and the
// coordinates' ξ. A shared ξ is the sum of two numbers: float32 is too coarse for its
// steps, and the second number holds what the first lacks.
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

// Step implements Kernel.
func (n *noseHoover[F]) Step(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, z *noise.Normals[F], i *sampler.Info) {
	energy := p.Temp * p.Eps / 2 // of v², in the mean
	q := n.Injected(p)
	kappa := p.Own[sgnhtRate]
	if len(s.Own) == 2 {
		xi := s.Own[1]
		now := float64(xi[0]) + float64(xi[1])
		v2 := n.move(s, grad, p, z, i, F(min(now, 1)), nil, q)
		if p.Temp > 0 {
			split(xi, now+kappa*(v2/(float64(len(s.Theta))*energy)-1))
		}
		return
	}
	xi := s.Own[2]
	n.move(s, grad, p, z, i, 0, xi, q)
	if p.Temp > 0 {
		k, per := F(kappa), F(kappa/energy)
		for j, v := range s.Own[0] {
			xi[j] += F(F(per*v)*v) - k
		}
	}
}

// Injected implements Injector.
func (*noseHoover[F]) Injected(p *sampler.Params) float64 {
	return p.Temp * p.Own[sgnhtDiffusion] * p.Eps
}

// split sets the two numbers of xi to x and to what is left of it.
func split[F sampler.Float](xi []F, x float64) {
	xi[0] = F(x)
	xi[1] = F(x - float64(xi[0]))
}
