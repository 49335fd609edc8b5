package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
)

// langevin is the Langevin step that every sampler of this family shares
// (Li, Chen, Carlson and Carin 2016, equation 3 and algorithm 1):
//
//	θ' = θ + (ε/2) [ G ∘ (-θ/σ² + N ḡ) + T Γ ] + √(T ε G) ∘ z,  z ~ N(0, I).
//
// -θ/σ² is the gradient of the log prior. Without a preconditioner G = 1, Γ = 0.
//
// The paper has T = 1 only. At other temperatures Γ is scaled with T: by the
// Fokker–Planck equation only that makes p^(1/T) the stationary distribution of this
// diffusion. At T = 0 the step is the optimiser's, with Γ or without.
//
// Products are rounded before anything is added to them, so that all machines agree. In
// float32 see langevin32, whose step is in assembly too.
type langevin struct {
	pre SecondMoment // nil for G = 1
	q   Moments
	g   []float64 // of the newest step; nil before, and where G = 1
	_   [56]byte  // fills two cache lines: lanes on two cores must not share one
}

// NewLangevin64 returns the kernel of the Langevin step, with G = 1 where the
// preconditioner is nil.
func NewLangevin64(pre SecondMoment) Kernel[float64] { return &langevin{pre: pre} }

// GainAt implements Kernel.
func (l *langevin) GainAt(i int) float64 {
	if l.g == nil {
		return 1
	}
	return l.g[i]
}

// Step implements Kernel.
func (l *langevin) Step(s *State[float64], grad Gradient[float64], p *Params, zs *noise.Normals[float64], i *Info) {
	var (
		ask Ask
		z   []float64
	)
	if l.pre != nil {
		l.pre(s.Step, p, &l.q)
		if l.q.Gamma {
			ask = AskHess
		}
	}
	e := grad.Eval(s.Theta, ask)
	if p.Temp != 0 {
		z = zs.At(s.Step)
	}
	if l.pre == nil {
		plain(s.Theta, e.Mean, z, p, i)
	} else {
		l.preconditioned(s, e, z, p, i)
	}
	s.Step++
}

// plain moves θ with G = 1. z is nil at T = 0.
func plain(theta, mean, z []float64, p *Params, i *Info) {
	var (
		half, n, prior = p.Eps / 2, p.N, p.PriorPrec
		root           = math.Sqrt(p.Temp * p.Eps)
		t              tally
	)
	mean = mean[:len(theta)]
	for j, x := range theta {
		d, w := float64((float64(n*mean[j])-float64(prior*x))*half), 0.0
		if z != nil {
			w = float64(root * z[j])
		}
		theta[j], t = move(t, x, d, w)
	}
	t.report(i, 1, 1)
}

// preconditioned advances V and moves θ with the G and Γ of it. z is nil at T = 0.
func (l *langevin) preconditioned(s *State[float64], e *Eval[float64], z []float64, p *Params, i *Info) {
	if l.g == nil {
		l.g = Vector[float64](len(s.Theta))
	}
	var (
		theta          = s.Theta
		v, gain        = s.V[:len(theta)], l.g[:len(theta)]
		mean, second   = e.Mean[:len(theta)], e.Second[:len(theta)]
		hess           []float64
		half, n, prior = p.Eps / 2, p.N, p.PriorPrec
		temp, te       = p.Temp, p.Temp * p.Eps
		alpha, beta    = l.q.Alpha, l.q.Beta
		scale, lambda  = l.q.Scale, float64(l.q.Scale * l.q.Lambda)
		lo, hi         = math.Inf(1), 0.0
		t              tally
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
	for j, x := range theta {
		y := second[j]
		vj := float64(alpha*v[j]) + float64(beta*y*y)
		v[j] = vj
		rms := math.Sqrt(vj)
		g := 1 / (lambda + rms)
		if scale != 1 { // a product by 1 would delay the step
			g *= scale
		}
		gain[j] = g
		if g < lo {
			lo = g
		}
		if g > hi {
			hi = g
		}
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
		theta[j], t = move(t, x, d, w)
	}
	t.report(i, lo, hi)
}

// A tally is what a step did, in all coordinates so far.
type tally struct {
	drift, inject float64 // sums of squares
	bad           int     // coordinates beyond Limit
}

// move moves x by the drift d and the noise w, and counts it.
func move(t tally, x, d, w float64) (float64, tally) {
	x += d + w
	t.drift += float64(d * d)
	t.inject += float64(w * w)
	if !(x < Limit && x > -Limit) { // also for NaN
		t.bad++
	}
	return x, t
}

// report fills in i, given the range of G. It does so field by field: writing all of
// Info takes a quarter of a step in the plane.
func (t tally) report(i *Info, least, greatest float64) {
	i.Drift2, i.Noise2 = t.drift, t.inject
	i.GMin, i.GMax = least, greatest
	i.OK = t.bad == 0
}
