package sampler

// moment is the preconditioner
//
//	V = α V + β ḡ ∘ ḡ,  G = c ⊘ (cλ + √V)  (that is 1 ⊘ (λ + √V/c)),
//
// of which a method chooses α, β and c by step. In float32 a V below tiny32 is
// zero. There is no Γ.
type moment[F Float] struct {
	// numbers are those of the step after t steps.
	numbers func(t uint64, p *Params) momentNumbers
	g       []F // made when first needed: fused does without
}

type momentNumbers struct {
	alpha, beta, lambda, c float64
	frozen                 bool // V stays
}

// average implements fusible.
func (m *moment[F]) average(s *State[F], p *Params) (average, bool) {
	q := m.numbers(s.Step, p)
	a := average{lambda: float32(q.c * q.lambda), scale: float32(q.c)}
	if q.frozen {
		a.alpha, a.frozen = 1, true
	} else {
		a.alpha, a.beta = float32(q.alpha), float32(q.beta)
	}
	return a, true
}

func (m *moment[F]) precondition(s *State[F], grad Gradient[F], p *Params) (mean, g, gamma []F) {
	var (
		q            = m.numbers(s.Step, p)
		e            = grad.Eval(s.Theta, 0)
		v            = s.V
		alpha, beta  = F(q.alpha), F(q.beta)
		c, lambda, t = F(q.c), F(q.c * q.lambda), tiny[F]()
	)
	if m.g == nil {
		m.g = Vector[F](len(v))
	}
	g = m.g[:len(v)]
	for i, x := range e.Second[:len(v)] {
		if !q.frozen {
			vi := alpha*v[i] + beta*x*x
			if vi < t {
				vi = 0
			}
			v[i] = vi
		}
		g[i] = c * (1 / (lambda + sqrt(v[i])))
	}
	return e.Mean, g, nil
}
