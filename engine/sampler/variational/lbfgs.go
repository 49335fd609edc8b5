package variational

// lbfgs is the L-BFGS approximation H of an inverse Hessian, applied by the two loops of Nocedal and Wright (2006,
// algorithm 7.4): from H₀ = γ diag(h) and the newest pairs (s, y) of a step and the change of the gradient over it,
//
//	H_k+1 = (I - ϱ s yᵀ) H_k (I - ϱ y sᵀ) + ϱ s sᵀ,  ϱ = 1/(sᵀy),
//	γ = sᵀy/(yᵀ diag(h) y) of the newest pair,
//
// with a given γ where there is no pair. The pairs are plain vectors of a State, in a ring of len(alpha) pairs.
type lbfgs struct {
	s, y  []float64 // the pairs, one after another
	count int       // pairs ever added
	first float64   // γ without pairs
	alpha []float64 // scratch, a number for each pair
}

// pair is the k-th newest pair, from 0 on.
func (l *lbfgs) pair(k, dim int) (s, y []float64) {
	at := (l.count - 1 - k) % len(l.alpha) * dim
	return l.s[at : at+dim], l.y[at : at+dim]
}

// apply replaces v by Hv.
func (l *lbfgs) apply(v, h []float64) {
	dim, pairs := len(v), min(l.count, len(l.alpha))
	for k := range pairs {
		s, y := l.pair(k, dim)
		a := dot(s, v) / dot(s, y)
		l.alpha[k] = a
		for i, x := range y {
			v[i] -= float64(a * x)
		}
	}
	gamma := l.first
	if pairs > 0 {
		s, y := l.pair(0, dim)
		yhy := 0.0
		for i, x := range y {
			yhy += float64(h[i] * x * x)
		}
		gamma = dot(s, y) / yhy
	}
	for i, x := range h {
		v[i] *= gamma * x
	}
	for k := pairs - 1; k >= 0; k-- {
		s, y := l.pair(k, dim)
		b := l.alpha[k] - dot(y, v)/dot(s, y)
		for i, x := range s {
			v[i] += float64(b * x)
		}
	}
}
