package targets

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/alloctest"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
)

// The value errs by the rounding of a few operations. The differences err by h²/6
// of the third derivative along v, which grows with |v|³, some ten times beyond
// TestDensityDerivatives.
func TestDensityLikelihoodGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 2))
	for _, spec := range densities {
		t.Run(spec, func(t *testing.T) {
			p := open(t, spec, Options{})
			target := p.F64.(LikelihoodGradient[float64])
			for range 50 {
				theta := []float64{2 * r.NormFloat64(), 2 * r.NormFloat64()}
				loglik := p.F64.(LogDensity[float64]).LogLik(theta)
				targettest.LikelihoodGradient(t, target, theta, nil, loglik, 1e-14*max(1, math.Abs(loglik)))
				u := []float64{r.NormFloat64(), r.NormFloat64()}
				v := []float64{r.NormFloat64(), r.NormFloat64()}
				targettest.HessianVec(t, p.F64.(HessianVec[float64]), theta, u, v, nil, 1e-6)
				// Along an axis the product is a column, with GradHessian's entry.
				grad, hess, col := make([]float64, 2), make([]float64, 2), make([]float64, 2)
				p.F64.(HessianDiag[float64]).GradHessian(grad, hess, theta, nil)
				for i := range hess {
					p.F64.(HessianVec[float64]).HessianVec(col, theta, []float64{float64(1 - i), float64(i)}, nil)
					if math.Abs(col[i]-hess[i]) > 1e-13*max(1, math.Abs(hess[i])) {
						t.Errorf("H[%d][%d] is %v, by GradHessian %v", i, i, col[i], hess[i])
					}
				}
			}
			dst, theta := make([]float64, 2), []float64{0.3, -0.2}
			if n := alloctest.PerRun(100, func() {
				target.GradLogLik(dst, theta, nil)
				p.F64.(HessianVec[float64]).HessianVec(dst, theta, theta, nil)
			}); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}
