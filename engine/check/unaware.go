package check

import (
	"math"
	"math/rand/v2"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
)

// unaware makes the steps of a mala or hmc whose proposals have a fault that its acceptance ratio does not know of. A
// kernel's own ratio is right for any proposal. It would correct the fault, and only the share of repeated draws would
// show it.
//
// The fault is a factor c of the drift and a factor k of the noise's variance. mala proposes
//
//	θ* = θ + c ε/2 ∇log p(θ) + √(kTε) z
//
// and hmc draws its momenta from N(0, kT) and multiplies each kick by c. Both accept as if c = k = 1.
type unaware struct {
	drift, noise float64 // c and k
	leapfrog     int     // the most steps of a trajectory, 0 for mala
	target       targets.LikelihoodGradient[float64]
	rng          *rand.Rand
	u            []float64 // ∇log p at the chain's θ
	log          float64   // log p there
	q, v, r      []float64 // the proposal, ∇log p there, and hmc's momenta
	known        bool      // u and log are known
}

func newUnaware(m *machine, t targets.Target[float64], seed1, seed2 uint64) *unaware {
	d := t.Dim()
	w := &unaware{drift: m.setup.drift, noise: m.setup.heat, target: t.(targets.LikelihoodGradient[float64]), rng: rand.New(rand.NewPCG(seed1, seed2))}
	if l, ok := m.own("leapfrog"); ok {
		w.leapfrog = int(l)
	}
	w.u, w.q, w.v, w.r = make([]float64, d), make([]float64, d), make([]float64, d), make([]float64, d)
	return w
}

// at writes ∇log p(θ) to u, and returns log p(θ) up to a constant.
func (w *unaware) at(u, theta []float64, s *setup) float64 {
	log := s.params.N * w.target.GradLogLik(u, theta, nil)
	for i, x := range theta {
		u[i] = float64(s.params.N*u[i]) - float64(s.params.PriorPrec*x)
		log -= float64(s.params.PriorPrec * x * x / 2)
	}
	return log
}

// step makes a step from θ in place, with the standard normals z. It reports whether the new θ can be used.
func (w *unaware) step(s *setup, theta, z []float64) bool {
	if !w.known {
		w.log, w.known = w.at(w.u, theta, s), true
	}
	if s.shared {
		z = slices.Repeat(z[:1], len(z))
	}
	eps, heat := s.params.Eps, math.Sqrt(w.noise*s.params.Temp)
	h := math.Sqrt(eps)
	copy(w.q, theta)
	copy(w.v, w.u)
	log, rise := w.log, 0.0
	if w.leapfrog == 0 {
		for i, x := range theta {
			w.q[i] = x + float64(w.drift*eps/2*w.u[i]) + float64(h*heat*z[i])
		}
		log = w.at(w.v, w.q, s)
		for i, x := range theta {
			there := w.q[i] - x - float64(eps/2*w.u[i])
			back := x - w.q[i] - float64(eps/2*w.v[i])
			rise += (float64(back*back) - float64(there*there)) / (2 * eps)
		}
	} else {
		for i := range w.r {
			w.r[i] = heat * z[i]
			rise -= float64(w.r[i] * w.r[i] / 2)
		}
		steps := w.leapfrog
		if !s.fixed {
			steps = 1 + w.rng.IntN(w.leapfrog)
		}
		for range steps {
			for i := range w.q {
				w.r[i] += float64(h / 2 * w.drift * w.v[i])
				w.q[i] += float64(h * w.r[i])
			}
			log = w.at(w.v, w.q, s)
			for i := range w.r {
				w.r[i] += float64(h / 2 * w.drift * w.v[i])
			}
		}
		for i := range w.r {
			rise += float64(w.r[i] * w.r[i] / 2)
		}
	}
	switch s.accept {
	case byDensity:
		rise = 0
	case reversed:
		rise = -rise
	case always:
		rise = math.Inf(-1)
	}
	if w.rng.Float64() < libm.Exp(min(0, (log-w.log-rise)/s.params.Temp)) {
		copy(theta, w.q)
		w.u, w.v = w.v, w.u
		w.log = log
	}
	return sampler.Usable(theta...)
}
