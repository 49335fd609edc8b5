package sampler

//go:generate go run -C _gen . -out ../langevin_amd64.s -stubs ../langevin_stubs_amd64.go -pkg sampler
//go:generate go run -C _gen . neon -out ../langevin_arm64.s -stubs ../langevin_stubs_arm64.go -pkg sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// langevin is the Langevin step that every sampler of this family shares
// (Li, Chen, Carlson and Carin 2016, equation 3 and algorithm 1):
//
//	θ' = θ + (ε/2) [ G ∘ (-θ/σ² + N ḡ) + T Γ ] + √(T ε G) ∘ z,  z ~ N(0, I).
//
// -θ/σ² is the gradient of the log prior. Without a preconditioner G = 1, Γ = 0.
//
// The paper has T = 1 only. At other temperatures Γ is scaled with T: by the Fokker–Planck equation only that makes
// p^(1/T) the stationary distribution of this diffusion. At T = 0 the step is the optimiser's, with Γ or without.
//
// Products are rounded before anything is added to them, so that all machines agree. In
// float32 see langevin32, whose step is in assembly too.
type langevin struct {
	pre SecondMoment // nil for G = 1
	q   Moments
	// G, the drift and the noise of the newest step. The first is nil where G = 1.
	g, drift, inject []float64
	k                numbers
	_                [8]byte // fills three cache lines: lanes on two cores must not share one
}

// NewLangevin64 returns the kernel of the Langevin step, with G = 1 where the preconditioner is nil.
func NewLangevin64(pre SecondMoment) Kernel[float64] { return &langevin{pre: pre} }

var _ Joint[float64] = (*langevin)(nil)

func (l *langevin) GainAt(i int) float64 {
	if l.g == nil {
		return 1
	}
	return l.g[i]
}

func (l *langevin) Step(s *State[float64], grad Gradient[float64], p *Params, zs *noise.Normals[float64], i *Info) {
	if l.drift == nil {
		l.begin(len(s.Theta))
	}
	l.advance(s.Theta, s, grad.Eval(s.Theta, l.ask(s, p)), p, zs)
	l.report(s.Theta, i)
}

func (l *langevin) Steps(s *State[float64], grad Gradient[float64], p *Params, zs *noise.Normals[float64],
	path []float64, n int) {
	if l.drift == nil {
		l.begin(len(s.Theta))
	}
	own := s.Theta
	var target targets.Several[float64]
	var e *Eval[float64]
	if bare, ok := grad.(Bare[float64]); ok {
		target, e = bare.Bare()
	}
	for range n {
		to := path[:len(own):len(own)]
		if ask := l.ask(s, p); target != nil && ask == 0 {
			target.GradEach(e.Mean, s.Theta)
			l.advance(to, s, e, p, zs)
		} else {
			l.advance(to, s, grad.Eval(s.Theta, ask), p, zs)
		}
		s.Theta, path = to, path[len(own):]
	}
	copy(own, s.Theta)
	s.Theta = own
}

// ask returns what a step needs beside the gradient.
func (l *langevin) ask(s *State[float64], p *Params) Ask {
	if l.pre != nil {
		if l.pre(s.Step, p, &l.q); l.q.Gamma {
			return AskHess
		}
	}
	return 0
}

// begin makes the vectors of a state of n coordinates.
func (l *langevin) begin(n int) {
	l.drift, l.inject = Vector[float64](n), Vector[float64](n)
	if l.pre != nil {
		l.g = Vector[float64](n)
	}
}

// lanes is how many coordinates a vector of the assembly has.
const lanes = 4

// numbers are those of a step, for the assembly: ε/2, N, 1/σ² and √(Tε) where G = 1, and else
// Tε, with α, β, cλ and c of Moments.
type numbers = [8]float64

// advance makes a step by its gradient and writes θ to to, which may be s.Theta.
func (l *langevin) advance(to []float64, s *State[float64], e *Eval[float64], p *Params, zs *noise.Normals[float64]) {
	var z []float64 // nil at T = 0
	if p.Temp != 0 {
		z = zs.At(s.Step)
	}
	s.Step++
	if l.pre != nil {
		l.preconditioned(to, s, e, z, p)
		return
	}
	var (
		theta          = s.Theta[:len(to)]
		mean           = e.Mean[:len(theta)]
		drift, inject  = l.drift[:len(theta)], l.inject[:len(theta)]
		half, n, prior = p.Eps / 2, p.N, p.PriorPrec
		root           = math.Sqrt(p.Temp * p.Eps)
	)
	j := 0
	if len(theta) >= lanes && z != nil && simd.Active != simd.Generic {
		j = len(theta) / lanes * lanes
		k := &l.k
		k[0], k[1], k[2], k[3] = half, n, prior, root
		plainVectors(&to[0], &theta[0], &drift[0], &inject[0], &mean[0], &z[0], j, k)
	}
	for ; j < len(theta); j++ {
		x := theta[j]
		d, w := float64((float64(n*mean[j])-float64(prior*x))*half), 0.0
		if z != nil {
			w = float64(root * z[j])
		}
		drift[j], inject[j], to[j] = d, w, x+(d+w)
	}
}

// preconditioned advances V and moves θ with the G and Γ of it.
func (l *langevin) preconditioned(to []float64, s *State[float64], e *Eval[float64], z []float64, p *Params) {
	var (
		theta          = s.Theta[:len(to)]
		v, gain        = s.V[:len(theta)], l.g[:len(theta)]
		drift, inject  = l.drift[:len(theta)], l.inject[:len(theta)]
		mean, second   = e.Mean[:len(theta)], e.Second[:len(theta)]
		hess           []float64
		half, n, prior = p.Eps / 2, p.N, p.PriorPrec
		temp, te       = p.Temp, p.Temp * p.Eps
		alpha, beta    = l.q.Alpha, l.q.Beta
		scale, lambda  = l.q.Scale, float64(l.q.Scale * l.q.Lambda)
	)
	if l.q.First {
		for j, x := range second {
			v[j] = x * x
		}
	}
	if l.q.Frozen {
		alpha, beta = 1, 0
		second = v // 0·V² and not 0·ḡ², as V is finite
	}
	if l.q.Gamma {
		hess = e.Hess[:len(theta)]
	}
	j := 0
	if len(theta) >= lanes && z != nil && hess == nil && simd.Active != simd.Generic {
		j = len(theta) / lanes * lanes
		k := &l.k
		k[0], k[1], k[2], k[3], k[4], k[5], k[6], k[7] = half, n, prior, te, alpha, beta, lambda, scale
		preconditionedVectors(&to[0], &theta[0], &v[0], &gain[0], &drift[0], &inject[0], &mean[0], &second[0],
			&z[0], j, k)
	}
	for ; j < len(theta); j++ {
		x, y := theta[j], second[j]
		vj := float64(alpha*v[j]) + float64(beta*y*y)
		v[j] = vj
		rms := math.Sqrt(vj)
		g := 1 / (lambda + rms)
		if scale != 1 { // a product by 1 would delay the step
			g *= scale
		}
		gain[j] = g
		d, w := float64((float64(n*mean[j])-float64(prior*x))*g), 0.0
		if hess != nil {
			gamma := 0.0
			if rms > 0 {
				gamma = -beta * y * hess[j] / rms * g * g
			}
			d += float64(temp * gamma)
		}
		d = float64(d * half)
		if z != nil {
			w = float64(math.Sqrt(te*g) * z[j])
		}
		drift[j], inject[j], to[j] = d, w, x+(d+w)
	}
}

// report says what the newest step did. It sets i field by field: writing all of Info
// takes a quarter of a step in the plane.
func (l *langevin) report(theta []float64, i *Info) {
	drift, inject := l.drift[:len(theta)], l.inject[:len(theta)]
	drift2, noise2, bad := 0.0, 0.0, 0
	for j, x := range theta {
		drift2 += float64(drift[j] * drift[j])
		noise2 += float64(inject[j] * inject[j])
		if !(x < Limit && x > -Limit) { // as in Usable
			bad++
		}
	}
	least, most := 1.0, 1.0
	if l.g != nil {
		least, most = math.Inf(1), 0
		for _, g := range l.g {
			if g < least {
				least = g
			}
			if g > most {
				most = g
			}
		}
	}
	i.Drift2, i.Noise2, i.GMin, i.GMax, i.OK = drift2, noise2, least, most, bad == 0
}
