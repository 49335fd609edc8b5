package targets

import (
	"math"
	"math/rand/v2"
)

// walk runs PAPER §1's update without Γ and at T = 1 with constant ε, for
// the tests of default step sizes. It hands each state to visit and returns
// the step at which a coordinate left ±bound or was NaN, else -1.
type walk struct {
	target Target[float64]
	eps    float64
	prior  float64 // σ²; 0 for none
	alpha  float64 // 0 for SGLD
	batch  int     // 0 for all data
	steps  int
	bound  float64
}

func (w walk) run(theta []float64, seed uint64, visit func(theta []float64)) int {
	const lambda = 1e-5
	r := rand.New(rand.NewPCG(seed, 1))
	d, n := w.target.Dim(), float64(w.target.N())
	g, v := make([]float64, d), make([]float64, d)
	var batch []int32
	if w.batch > 0 {
		batch = make([]int32, w.batch)
	}
	for step := range w.steps {
		for i := range batch {
			batch[i] = int32(r.IntN(w.target.N()))
		}
		w.target.Grad(g, theta, batch)
		for i := range theta {
			pre := 1.0
			if w.alpha > 0 {
				v[i] = w.alpha*v[i] + (1-w.alpha)*g[i]*g[i]
				pre = 1 / (lambda + math.Sqrt(v[i]))
			}
			drift := n * g[i]
			if w.prior > 0 {
				drift -= theta[i] / w.prior
			}
			theta[i] += w.eps/2*pre*drift + math.Sqrt(w.eps*pre)*r.NormFloat64()
			if !(math.Abs(theta[i]) < w.bound) {
				return step
			}
		}
		if visit != nil {
			visit(theta)
		}
	}
	return -1
}
