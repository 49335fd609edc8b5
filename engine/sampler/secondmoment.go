package sampler

import "github.com/psgld/psgld-tui/engine/sampler/internal/step32"

// A SecondMoment makes the diagonal G of a Langevin step from a running average of
// squared gradients,
//
//	V_t = α V_{t-1} + β ḡ ∘ ḡ,  G_t = c ⊘ (cλ + √V_t)  (that is 1 ⊘ (λ + √V_t/c)).
//
// It sets q to the numbers of the step that follows t steps. In float32 a V below
// 2⁻¹²⁶ is zero.
type SecondMoment func(t uint64, p *Params, q *Moments)

// Moments are the numbers of a SecondMoment at a step.
type Moments struct {
	Alpha, Beta, Lambda, Scale float64 // α, β, λ and c

	Frozen bool // V stays as it is
	First  bool // V is ḡ² before the step

	// Gamma asks for Γ, at c = 1, with h the diagonal of the mean log-likelihood's
	// Hessian:
	//
	//	Γ_i = ∂G_ii/∂θ_i = -β ḡ_i h_i / [√V_i (λ + √V_i)²].
	//
	// It is taken as zero where V_i = 0, that is at a gradient of zero, where G has a
	// cusp.
	Gamma bool
}

// secondMoment is what a SecondMoment needs beside State.
type secondMoment[F Float] struct {
	numbers  SecondMoment
	q        Moments
	g, gamma []F // made when first needed: langevin32 does without
}

// precondition evaluates the gradient at s.Theta, advances s.V and returns ḡ, G_t
// and Γ_t, which is nil where it is zero. The slices are good until the next call.
func (m *secondMoment[F]) precondition(s *State[F], grad Gradient[F], p *Params) (mean, g, gamma []F) {
	q := &m.q
	m.numbers(s.Step, p, q)
	var (
		v             = s.V
		alpha, beta   = F(q.Alpha), F(q.Beta)
		scale, lambda = F(q.Scale), F(q.Scale * q.Lambda)
		tiny          = step32.TinyOf[F]()
		ask           Ask
	)
	if q.Gamma {
		ask = AskHess
	}
	e := grad.Eval(s.Theta, ask)
	if m.g == nil {
		m.g = Vector[F](len(v))
	}
	g = m.g[:len(v)]
	second := e.Second[:len(v)]
	if q.First {
		for i, x := range second {
			v[i] = x * x
		}
	}
	if q.Frozen {
		alpha, beta = 1, 0
		second = v // 0·V² and not 0·ḡ², as V is finite
	}
	for i, x := range second {
		vi := alpha*v[i] + beta*x*x
		if vi < tiny {
			vi = 0
		}
		v[i] = vi
		g[i] = scale * (1 / (lambda + sqrt(vi)))
	}
	if !q.Gamma {
		return e.Mean, g, nil
	}
	if m.gamma == nil {
		m.gamma = Vector[F](len(v))
	}
	gamma = m.gamma[:len(v)]
	for i, x := range second {
		gamma[i] = 0
		if root := sqrt(v[i]); root > 0 {
			gamma[i] = -beta * x * e.Hess[i] / root * g[i] * g[i]
		}
	}
	return e.Mean, g, gamma
}
