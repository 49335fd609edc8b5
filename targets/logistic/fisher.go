package logistic

// HessianVec writes -(1/n) Σ pᵢ(1-pᵢ)(xᵢᵀv) xᵢ with pᵢ = σ(xᵢᵀθ) to dst.
func (l *Regression) HessianVec(dst, theta, v []float64, batch []int32) {
	clear(dst[:l.train.cols])
	var buf, along [blockRows]float64
	n := l.size(batch)
	share := 1 / float64(n)
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		u := along[:len(z)]
		l.train.margins(z, theta, batch, from)
		l.train.margins(u, v, batch, from)
		SigmoidAll(z)
		for k, p := range z {
			z[k] = -p * (1 - p) * u[k] * share
		}
		l.train.accumulate(dst, z, batch, from)
	}
}

// Fisher writes (1/n) Σ pᵢ(1-pᵢ) xᵢxᵢᵀ to dst. The label enters the gradient
// (y - p) x only, and E(y - p)² = p(1-p); so it is also minus the Hessian.
func (l *Regression) Fisher(dst, theta []float64, batch []int32) {
	d := l.train.cols
	clear(dst[:d*d])
	var buf [blockRows]float64
	n := l.size(batch)
	share := 1 / float64(n)
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		l.train.margins(z, theta, batch, from)
		SigmoidAll(z)
		for k, p := range z {
			z[k] = p * (1 - p) * share
		}
		l.train.accumulateOuter(dst, z, batch, from)
	}
	for i := range d {
		for j := range i {
			dst[i*d+j] = dst[j*d+i]
		}
	}
}

// FisherSlope writes (1/n) Σ pᵢ(1-pᵢ)(1-2pᵢ)(xᵢᵀAxᵢ) xᵢ to dst, since ∂(p(1-p))/∂θ_j = p(1-p)(1-2p) x_j.
func (l *Regression) FisherSlope(dst, theta, a []float64, batch []int32) {
	clear(dst[:l.train.cols])
	var buf, form [blockRows]float64
	n := l.size(batch)
	share := 1 / float64(n)
	for from := 0; from < n; from += blockRows {
		z := buf[:min(blockRows, n-from)]
		q := form[:len(z)]
		l.train.margins(z, theta, batch, from)
		l.train.quadratics(q, a, batch, from)
		SigmoidAll(z)
		for k, p := range z {
			z[k] = p * (1 - p) * (1 - 2*p) * q[k] * share
		}
		l.train.accumulate(dst, z, batch, from)
	}
}
