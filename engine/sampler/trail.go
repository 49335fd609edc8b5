package sampler

import "math"

// A Trail follows from draw to draw what a step of a method hangs on beside θ, where every state is a draw, and says
// how the next displacement is made. With v the displacement before it, each coordinate has
//
//	θ' - θ = K v + (ε/2) G (∇log p(θ) + N ḡ) + B + √Q z,  z ~ N(0, 1).
type Trail interface {
	// At writes the parts of step t, from 0, by the gradient ḡ, the one that V sees and the diagonal of the Hessian of
	// the mean log-likelihood, which is nil where the target has none.
	At(t uint64, p *Params, mean, second, hess []float64, to *Parts)
	// Moved is told of the displacement that step At came to.
	Moved(p *Params, v []float64)
	// Forgets is after how many steps the state tells next to nothing of its start, and Never where it always does.
	Forgets(p *Params) int
}

// Never is the number of steps after which a Trail forgets that sums from its start.
const Never = -1

// Parts are those of a step, a coordinate each: K, G, B and Q.
type Parts struct{ Keep, Gain, Shift, Noise []float64 }

// NewParts returns the parts of a step without a velocity, with G = 1 and neither B nor Q.
func NewParts(dim int) *Parts {
	p := &Parts{make([]float64, dim), make([]float64, dim), make([]float64, dim), make([]float64, dim)}
	Fill(p.Gain, 1)
	return p
}

// Fill sets all of x to v.
func Fill(x []float64, v float64) {
	for i := range x {
		x[i] = v
	}
}

// NewLangevinTrail returns the Trail of the Langevin step, with G = 1 where the preconditioner is nil.
func NewLangevinTrail(pre SecondMoment) func(dim int) Trail {
	return func(dim int) Trail { return &langevinTrail{pre: pre, v: make([]float64, dim)} }
}

type langevinTrail struct {
	pre SecondMoment
	q   Moments
	v   []float64
}

// At implements Trail. What it writes is langevin's preconditioned step.
func (l *langevinTrail) At(t uint64, p *Params, mean, second, hess []float64, to *Parts) {
	if l.pre == nil {
		Fill(to.Noise, p.Temp*p.Eps)
		return
	}
	l.pre(t, p, &l.q)
	for i, y := range second {
		if l.q.First {
			l.v[i] = y * y
		}
		v := float64(l.q.Alpha*l.v[i]) + float64(l.q.Beta*y*y)
		root := math.Sqrt(v)
		g := l.q.Scale / (float64(l.q.Scale*l.q.Lambda) + root)
		l.v[i], to.Gain[i], to.Noise[i] = v, g, p.Temp*p.Eps*g
		if to.Shift[i] = 0; l.q.Gamma && hess != nil && root > 0 {
			to.Shift[i] = -p.Eps / 2 * p.Temp * l.q.Beta * mean[i] * hess[i] / root * g * g
		}
	}
}

func (l *langevinTrail) Moved(*Params, []float64) {}

// Forgets implements Trail: e⁻⁷ of V is left.
func (l *langevinTrail) Forgets(p *Params) int {
	if l.pre == nil {
		return 0
	}
	if l.pre(1<<20, p, &l.q); l.q.Alpha == 1 {
		return Never
	}
	return int(7/(1-l.q.Alpha)) + 1
}
