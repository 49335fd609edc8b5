package formula

// mostExplored is how many instructions a look at the density may take.
const mostExplored = 1 << 15

// Stepped is Scale.Stepped, empty without bounds.
func (p *Posterior) Stepped() string {
	if p.Scale == nil {
		return ""
	}
	return p.Scale.Stepped()
}

// Dim is the number of parameters.
func (p *Posterior) Dim() int { return len(p.Params) }

// N is the number of rows.
func (p *Posterior) N() int { return p.rows.n }

// Grad writes the gradient of the mean over a batch, all rows for nil, to dst. It is NaN where the
// density is not defined.
func (p *Posterior) Grad(dst, theta []float64, batch []int32) { p.mean(dst, theta, batch, false) }

// GradLogLik is Grad, and returns the mean.
func (p *Posterior) GradLogLik(dst, theta []float64, batch []int32) float64 {
	return p.mean(dst, theta, batch, true)
}

func (p *Posterior) mean(dst, theta []float64, batch []int32, value bool) float64 {
	n, every := float64(p.rows.count(batch)), float64(p.rows.n)
	prior := p.prior.Grad(dst, theta)
	for i, x := range dst {
		dst[i] = x / every * n
	}
	y := p.rows.Sum(dst, theta, batch, value)/n + prior/every
	for i, x := range dst {
		dst[i] = x / n
	}
	if y != y {
		undefined(dst)
	}
	return y
}

// LogLik is the log density over all rows.
func (p *Posterior) LogLik(theta []float64) float64 {
	return p.rows.Sum(nil, theta, nil, true) + p.prior.Value(theta)
}

// GradHessian writes the gradient to dst, and the diagonal of the Hessian to hess.
func (p *Posterior) GradHessian(dst, hess, theta []float64, batch []int32) {
	p.prior.GradHessian(dst, hess, theta)
	p.second(hess, theta, nil, batch)
	p.Grad(dst, theta, batch)
}

// HessianVec writes the Hessian's product with v to dst.
func (p *Posterior) HessianVec(dst, theta, v []float64, batch []int32) {
	p.prior.HessianVec(dst, theta, v)
	p.second(dst, theta, v, batch)
}

// second adds the rows' part to the prior's.
func (p *Posterior) second(dst, theta, v []float64, batch []int32) {
	n, every := float64(p.rows.count(batch)), float64(p.rows.n)
	for i, x := range dst {
		dst[i] = x / every * n
	}
	p.rows.Second(dst, theta, v, batch)
	for i, x := range dst {
		dst[i] = x / n
	}
}

// An Explored is a Posterior as package landscape explores it: by some of its rows where there are many, each of which
// counts for as many as are left out.
type Explored struct {
	*Posterior
	rows []int32 // nil for all
}

// Explored is p to be explored.
func (p *Posterior) Explored() Explored {
	e := Explored{Posterior: p}
	if most := max(1, mostExplored/p.rows.cost(1)); p.rows.n > most {
		for i := range most {
			e.rows = append(e.rows, int32(i*p.rows.n/most))
		}
	}
	return e
}

// Len is what a look takes, in instructions.
func (e Explored) Len() int {
	return e.Posterior.rows.cost(e.Posterior.rows.count(e.rows)) + len(e.prior.code)
}

// Value is the log density.
func (e Explored) Value(theta []float64) float64 {
	n := float64(e.Posterior.rows.count(e.rows))
	sum := e.Posterior.rows.Sum(nil, theta, e.rows, true)
	return float64(sum/n*float64(e.N())) + e.prior.Value(theta)
}

// Grad writes the gradient to dst, and returns the log density.
func (e Explored) Grad(dst, theta []float64) float64 {
	y := e.Posterior.GradLogLik(dst, theta, e.rows)
	e.times(dst)
	return y * float64(e.N())
}

// GradHessian writes the gradient and the diagonal of the Hessian.
func (e Explored) GradHessian(dst, hess, theta []float64) {
	e.Posterior.GradHessian(dst, hess, theta, e.rows)
	e.times(dst)
	e.times(hess)
}

// HessianVec writes the Hessian's product with v.
func (e Explored) HessianVec(dst, theta, v []float64) {
	e.Posterior.HessianVec(dst, theta, v, e.rows)
	e.times(dst)
}

func (e Explored) times(x []float64) {
	for i := range x {
		x[i] *= float64(e.N())
	}
}
