package check

import (
	"context"
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
	value        float64   // of the newest proposal: log p and what the ratio of acceptance adds to it
	moved        bool      // it was accepted
}

func newUnaware(m *machine, t targets.Target[float64], seed1, seed2 uint64) *unaware {
	d := t.Dim()
	l, _ := m.own("leapfrog")
	return &unaware{drift: m.setup.drift, noise: m.setup.heat, leapfrog: int(l),
		target: t.(targets.LikelihoodGradient[float64]), rng: rand.New(rand.NewPCG(seed1, seed2)),
		u: make([]float64, d), q: make([]float64, d), v: make([]float64, d), r: make([]float64, d)}
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
		if s.stale == frozen {
			w.log = s.energy
		}
	}
	if s.shared {
		z = slices.Repeat(z[:1], len(z))
	}
	eps, heat := s.params.Eps, math.Sqrt(w.noise*s.params.Temp)
	h := math.Sqrt(eps)
	copy(w.q, theta)
	copy(w.v, w.u)
	var log, rise float64
	if w.leapfrog == 0 {
		for i, x := range theta {
			w.q[i] = x + float64(w.drift*eps/2*w.u[i]) + float64(h*heat*z[i])
		}
		log = w.at(w.v, w.q, s)
		known, v := float64(s.known*eps/2), w.v
		if s.ahead {
			v = w.u
		}
		for i, x := range theta {
			there := w.q[i] - x - float64(known*w.u[i])
			back := x - w.q[i] - float64(s.back*known*v[i])
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
		kick := func(of float64) {
			for i := range w.r {
				w.r[i] += float64(of * h * w.drift * w.v[i])
			}
		}
		kick(s.kicks[0])
		log = w.leapfrogs(s, steps)
		kick(s.kicks[1])
		for _, p := range w.r {
			rise += float64(p * p / 2)
		}
	}
	if rise *= s.ratio; s.always {
		rise = math.Inf(-1)
	}
	w.value = log - rise
	ratio := (w.value - w.log) / s.params.Temp
	if s.upside {
		ratio = -ratio
	}
	accept := libm.Exp(min(0, ratio))
	if s.barker {
		accept = 1 / (1 + libm.Exp(-ratio))
	}
	w.moved = w.rng.Float64() < accept
	if w.moved {
		copy(theta, w.q)
		w.u, w.v = w.v, w.u
	}
	if w.moved && s.stale != frozen || s.stale == rejected {
		w.log = log
	}
	return sampler.Usable(theta...)
}

// leapfrogs makes leapfrog steps from q with the momenta r, v being ∇log p(q), and returns log p at their end.
func (w *unaware) leapfrogs(s *setup, steps int) (log float64) {
	h := math.Sqrt(s.params.Eps)
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
	return log
}

// rejects puts the chain at θ after a number of rejections there, which leave the energy of the newest proposal. It
// reports whether it came to that in a hundred tries.
func (m *machine) rejects(theta []float64, times int) bool {
	for range 100 {
		m.start(theta)
		k := 0
		for ; k < times; k++ {
			if m.step(); m.wrong.moved {
				break
			}
		}
		if k == times {
			return true
		}
	}
	return false
}

// momenta is the share of the chains' moves, of a few dozen, that one momentum for all coordinates makes in some number
// of leapfrog steps, which is next to 0 in a right chain. It is NaN in one dimension, and where there are too few moves
// or trajectories are too long to try.
func (a *again) momenta(ctx context.Context) float64 {
	s, d := *a.right, a.draws.Dim
	s.heat = 1
	w := newMachine(&s, s.problem.F64, 78, 0, make([]float64, d)).wrong
	cost := float64(s.problem.N()*d+20) * float64(w.leapfrog*w.leapfrog) * 7
	most := min(40, int(simulatedReads/4/cost))
	if w.leapfrog == 0 || d < 2 || s.thin > 1 || most < 10 {
		return math.NaN()
	}
	miss, near := make([]float64, d), make([]float64, d)
	// made reports whether a momentum p leads from one draw to the next, by Gauss and Newton's steps.
	made := func(from, to []float64, steps int) bool {
		// end is by how much the end of a trajectory misses the draw.
		end := func(miss []float64, p float64) (square float64) {
			copy(w.q, from)
			copy(w.v, w.u)
			sampler.Fill(w.r, p)
			w.leapfrogs(&s, steps)
			for i, x := range to {
				miss[i] = w.q[i] - x
				square += float64(miss[i] * miss[i])
			}
			return square
		}
		const tiny = 1e-6
		p := 0.0
		for range 4 {
			if end(miss, p) < 1e-6*distance(from, to) {
				return true
			}
			end(near, p+tiny)
			slope, along := 0.0, 0.0
			for i, x := range miss {
				k := (near[i] - x) / tiny
				slope += float64(k * k)
				along += float64(k * x)
			}
			p -= along / slope
		}
		return false
	}
	found, moves := 0.0, 0
	for from, to := range a.draws.steps(a.draws.Count() / (4 * most)) {
		if moves == most || ctx.Err() != nil {
			break
		}
		if distance(from, to) == 0 {
			continue
		}
		moves++
		w.at(w.u, from, &s)
		for k := range w.leapfrog {
			if made(from, to, k+1) {
				found++
				break
			}
		}
	}
	if moves < 10 {
		return math.NaN()
	}
	return found / float64(moves)
}

// energy is the log p that all proposals would be compared with if none ever changed it: that by which as large a share
// of proposals is accepted as of the draws moves. It is NaN where too few or all but a few do.
func (a *again) energy(ctx context.Context, s *setup) float64 {
	as, d := *s, a.draws.Dim
	as.heat = 1
	m := newMachine(&as, s.problem.F64, 79, 0, make([]float64, d))
	var values []float64
	moved, n := 0.0, 0.0
	for from, to := range a.draws.steps(a.stride) {
		if ctx.Err() != nil {
			break
		}
		if n++; distance(from, to) > 0 {
			moved++
		}
		m.start(from)
		m.step()
		values = append(values, m.wrong.value)
	}
	if min(moved, n-moved) < 60 { // one number more would explain any
		return math.NaN()
	}
	low, high := slices.Min(values)-float64(50*as.params.Temp), slices.Max(values)+float64(50*as.params.Temp)
	for range 60 {
		e, share := float64((low+high)/2), 0.0
		for _, v := range values {
			share += libm.Exp(min(0, (v-e)/as.params.Temp))
		}
		if share > moved {
			low = e
		} else {
			high = e
		}
	}
	return low
}
