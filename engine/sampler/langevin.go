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
// In float32 see langevin32, which is the same step in one pass over memory.
type langevin[F Float] struct {
	pre *secondMoment[F] // nil for G = 1
	// Of the newest step. g and gamma may be nil, and z is at T = 0.
	mean, g, gamma, z []F
	_                 [24]byte // fills two cache lines: lanes on two cores must not share one
}

// NewLangevin64 returns the kernel of the Langevin step, with G = 1 where the
// preconditioner is nil.
func NewLangevin64(pre SecondMoment) Kernel[float64] { return newLangevin[float64](pre) }

func newLangevin[F Float](pre SecondMoment) *langevin[F] {
	l := &langevin[F]{}
	if pre != nil {
		l.pre = &secondMoment[F]{numbers: pre}
	}
	return l
}

// GainAt implements Kernel.
func (l *langevin[F]) GainAt(i int) F {
	if l.g == nil {
		return 1
	}
	return l.g[i]
}

// Step implements Kernel.
func (l *langevin[F]) Step(s *State[F], grad Gradient[F], p *Params, zs *noise.Normals[F], i *Info) {
	if l.pre == nil {
		l.mean = grad.Eval(s.Theta, 0).Mean
	} else {
		l.mean, l.g, l.gamma = l.pre.precondition(s, grad, p)
	}
	l.z = nil
	if p.Temp != 0 {
		l.z = zs.At(s.Step)
	}
	l.move(s, p, i)
	s.Step++
}

func (l *langevin[F]) move(s *State[F], p *Params, i *Info) {
	var (
		theta          = s.Theta
		mean           = l.mean[:len(theta)]
		half, n, prior = F(p.Eps / 2), F(p.N), F(p.PriorPrec)
		te             = F(p.Temp * p.Eps)
		g, r           = F(1), sqrt(te)
		lo, hi         = F(math.Inf(1)), F(0)
		drift, inject  float64
		bad            int
	)
	for j, x := range theta {
		u := n*mean[j] - prior*x // -∇U
		if l.g != nil {
			g = l.g[j]
			r = sqrt(te * g)
			if g < lo {
				lo = g
			}
			if g > hi {
				hi = g
			}
		}
		d := g * u
		if l.gamma != nil {
			d += F(p.Temp) * l.gamma[j]
		}
		d *= half
		drift += float64(d * d)
		if l.z != nil {
			w := r * l.z[j]
			inject += float64(w * w)
			d += w
		}
		x += d
		theta[j] = x
		if !(x < Limit && x > -Limit) { // also for NaN
			bad++
		}
	}
	if l.g == nil {
		lo, hi = 1, 1
	}
	// Field by field: writing all of Info takes a quarter of a step in the plane.
	i.Drift2, i.Noise2 = drift, inject
	i.GMin, i.GMax = float64(lo), float64(hi)
	i.OK = bad == 0
}

func sqrt[F Float](x F) F { return F(math.Sqrt(float64(x))) }
