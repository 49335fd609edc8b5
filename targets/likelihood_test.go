package targets

import (
	"math"
	"math/rand/v2"
	"testing"
)

// checkLikelihoodGradient compares GradLogLik with Grad, bit for bit, and its
// value with loglik, the sum over the rows of a batch, to within tol.
func checkLikelihoodGradient(t *testing.T, target LikelihoodGradient[float64], theta []float64, batch []int32, loglik, tol float64) {
	t.Helper()
	d, n := target.Dim(), target.N()
	if batch != nil {
		n = len(batch)
	}
	got, want := make([]float64, d), make([]float64, d)
	for i := range got {
		got[i] = math.NaN()
	}
	value := target.GradLogLik(got, theta, batch)
	target.Grad(want, theta, batch)
	for i := range got {
		if math.Float64bits(got[i]) != math.Float64bits(want[i]) {
			t.Errorf("%d rows, coordinate %d: gradient %v, by Grad %v", n, i, got[i], want[i])
		}
	}
	if off := math.Abs(value*float64(n) - loglik); !(off <= tol) {
		t.Errorf("%d rows: log-likelihood %v, want %v", n, value*float64(n), loglik)
	}
}

// checkHessianVec compares a product with differences of the gradient along v,
// and uᵀ(Hv) with vᵀ(Hu).
func checkHessianVec(t *testing.T, target HessianVec[float64], theta, u, v []float64, batch []int32, tol float64) {
	t.Helper()
	const h = 1e-5
	d := target.Dim()
	hv, hu := make([]float64, d), make([]float64, d)
	target.HessianVec(hv, theta, v, batch)
	target.HessianVec(hu, theta, u, batch)
	up, down, x := make([]float64, d), make([]float64, d), make([]float64, d)
	for i := range x {
		x[i] = theta[i] + h*v[i]
	}
	target.Grad(up, x, batch)
	for i := range x {
		x[i] = theta[i] - h*v[i]
	}
	target.Grad(down, x, batch)
	left, right := 0.0, 0.0
	for i := range x {
		if want := (up[i] - down[i]) / (2 * h); math.Abs(hv[i]-want) > tol*max(1, math.Abs(want)) {
			t.Errorf("coordinate %d: (Hv) is %v, by differences %v", i, hv[i], want)
		}
		left += u[i] * hv[i]
		right += v[i] * hu[i]
	}
	if math.Abs(left-right) > 1e-12*max(1, math.Abs(left)) {
		t.Errorf("uᵀHv is %v, vᵀHu %v", left, right)
	}
}

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
				checkLikelihoodGradient(t, target, theta, nil, loglik, 1e-14*max(1, math.Abs(loglik)))
				u := []float64{r.NormFloat64(), r.NormFloat64()}
				v := []float64{r.NormFloat64(), r.NormFloat64()}
				checkHessianVec(t, p.F64.(HessianVec[float64]), theta, u, v, nil, 1e-6)
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
			if n := testing.AllocsPerRun(100, func() {
				target.GradLogLik(dst, theta, nil)
				p.F64.(HessianVec[float64]).HessianVec(dst, theta, theta, nil)
			}); n != 0 {
				t.Errorf("%v allocations", n)
			}
		})
	}
}

// byRow is the log-likelihood of one row from the definition.
func byRow(z float64, y int32) float64 {
	if y == 0 {
		z = -z
	}
	return min(z, 0) - math.Log1p(math.Exp(-math.Abs(z)))
}

// The sum of 203 terms of order 1 errs by less than 1e-12 in any order.
func TestLogisticLikelihoodGradient(t *testing.T) {
	r := rand.New(rand.NewPCG(6, 2))
	for name, l := range forms(t) {
		t.Run(name, func(t *testing.T) {
			theta := randoms(l.Dim(), 7)
			checkLikelihoodGradient(t, l, theta, nil, l.LogLik(theta), 1e-11)
			x := rowsOf(l)
			for _, size := range []int{1, 2, 5, 8, 15, 16, 17, 63, 64, 65, 130} {
				batch, sum := make([]int32, size), 0.0
				for k := range batch {
					i := r.IntN(l.N())
					batch[k] = int32(i)
					z := 0.0
					for j, t := range theta {
						z += t * x[i][j]
					}
					sum += byRow(z, l.y[i])
				}
				checkLikelihoodGradient(t, l, theta, batch, sum, 1e-11)
			}
		})
	}
}

// The log-likelihood follows margins of any size, though a probability is limited
// to e⁻⁷⁰⁸, and the product of many factors next to ½ does not vanish. The
// error bound is tally's, n·2⁻⁵², and the rounding of sums.
func TestTallyTails(t *testing.T) {
	for _, rows := range []int{2, 64, 83, 10_000} {
		x, y := make([]float64, rows), make([]int32, rows)
		for i := range x {
			x[i], y[i] = 1-2*float64(i%2), int32(1-i%2)
		}
		for path := kernelsGeneric; path <= kernels; path++ {
			l := &Logistic{train: design{rows: rows, cols: 1, dense: x, kernels: path}, y: y}
			if path != kernelsGeneric {
				l.train.tiles = tiled(x, rows, 1)
			}
			dst := make([]float64, 1)
			for _, margin := range []float64{-1e5, -1000, -708, -40, -1, 0, 1e-9, 3, 40, 700, 1e5} {
				want := byRow(margin, 1)
				got := l.GradLogLik(dst, []float64{margin}, nil)
				if math.Abs(got-want) > 0x1p-52+1e-13*math.Abs(want) {
					t.Errorf("%d rows, path %d, margin %v: %v, want %v", rows, path, margin, got, want)
				}
			}
			if got := l.GradLogLik(dst, []float64{math.NaN()}, nil); !math.IsNaN(got) || !math.IsNaN(dst[0]) {
				t.Errorf("%d rows, path %d: NaN became %v with gradient %v", rows, path, got, dst[0])
			}
		}
	}
}
