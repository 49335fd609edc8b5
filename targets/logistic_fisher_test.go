package targets

import (
	"math"
	"testing"
)

// fisherBatches are all rows and minibatches with repeats, of sizes about a block's.
var fisherBatches = [][]int32{nil, {3}, {5, 5, 202, 0, 17}, every(70)}

// every is a batch that jumps through the 203 rows of forms.
func every(n int) []int32 {
	batch := make([]int32, n)
	for k := range batch {
		batch[k] = int32(k * 37 % 203)
	}
	return batch
}

// Differences of 203 terms of order 1 with step 1e-5 err by 1e-8 as in
// TestLogisticDerivatives, here times |v|² ≈ D.
func TestLogisticHessianVec(t *testing.T) {
	for name, l := range forms(t) {
		t.Run(name, func(t *testing.T) {
			theta, u, v := randoms(l.Dim(), 1), randoms(l.Dim(), 2), randoms(l.Dim(), 3)
			for _, batch := range fisherBatches {
				checkHessianVec(t, l, theta, u, v, batch, 1e-6)
			}
		})
	}
}

// The definition: both labels of every row of the batch, weighted by their
// probabilities, with the gradient that the target itself has for each.
func TestFisherSumsBothLabels(t *testing.T) {
	for name, l := range forms(t) {
		d := l.Dim()
		theta := randoms(d, 4)
		ones := make([]int32, l.N())
		for i := range ones {
			ones[i] = 1
		}
		of := [2]*Logistic{{train: l.train, y: make([]int32, l.N())}, {train: l.train, y: ones}}
		x := rowsOf(l)
		f, want, grad := make([]float64, d*d), make([]float64, d*d), make([]float64, d)
		for _, batch := range fisherBatches {
			for i := range f {
				f[i], want[i] = math.NaN(), 0
			}
			l.Fisher(f, theta, batch)
			n := l.size(batch)
			for k := range n {
				i := rowAt(batch, k)
				z := 0.0
				for j, t := range theta {
					z += t * x[i][j]
				}
				for y, p := range []float64{1 / (1 + math.Exp(z)), 1 / (1 + math.Exp(-z))} {
					of[y].Grad(grad, theta, []int32{int32(i)})
					for a := range d {
						for b := range d {
							want[a*d+b] += p * grad[a] * grad[b] / float64(n)
						}
					}
				}
			}
			for a := range d {
				for b := range d {
					// Both are means of terms of order 10 at most; 1 - p of p near 1
					// loses nothing that counts in a mean.
					if math.Abs(f[a*d+b]-want[a*d+b]) > 1e-13 {
						t.Errorf("%s, %d rows: F[%d][%d] is %v, want %v", name, n, a, b, f[a*d+b], want[a*d+b])
					}
					if f[a*d+b] != f[b*d+a] {
						t.Errorf("%s: F[%d][%d] is not symmetric", name, a, b)
					}
				}
			}
			// It is minus the Hessian.
			v, hv := randoms(d, 5), make([]float64, d)
			l.HessianVec(hv, theta, v, batch)
			for a := range d {
				sum := hv[a]
				for b := range d {
					sum += f[a*d+b] * v[b]
				}
				if math.Abs(sum) > 1e-13 {
					t.Errorf("%s: (Fv + Hv)[%d] is %v", name, a, sum)
				}
			}
		}
	}
}

// checkFisherSlope compares c_a = Σ_{b,j} ∂F_ab/∂θ_j A_bj with differences of F.
func checkFisherSlope(t *testing.T, target Fisher[float64], theta, a []float64, batch []int32, tol float64) {
	t.Helper()
	const h = 1e-5
	d := target.Dim()
	got, want := make([]float64, d), make([]float64, d)
	target.FisherSlope(got, theta, a, batch)
	up, down := make([]float64, d*d), make([]float64, d*d)
	x := append([]float64(nil), theta...)
	for j := range d {
		x[j] = theta[j] + h
		target.Fisher(up, x, batch)
		x[j] = theta[j] - h
		target.Fisher(down, x, batch)
		x[j] = theta[j]
		for i := range d {
			for b := range d {
				want[i] += (up[i*d+b] - down[i*d+b]) / (2 * h) * a[b*d+j]
			}
		}
	}
	for i := range got {
		if math.Abs(got[i]-want[i]) > tol*max(1, math.Abs(want[i])) {
			t.Errorf("coordinate %d: slope %v, by differences %v", i, got[i], want[i])
		}
	}
}

// symmetric is a random symmetric D×D matrix.
func symmetric(d int, seed uint64) []float64 {
	a := randoms(d*d, seed)
	for i := range d {
		for j := range i {
			a[i*d+j] = a[j*d+i]
		}
	}
	return a
}

// The differences err by h²/6 of third derivatives of p(1-p), below 1e-10 a term,
// and by rounding of 1e-16/h; D² terms are added.
func TestFisherSlope(t *testing.T) {
	for name, l := range forms(t) {
		t.Run(name, func(t *testing.T) {
			d := l.Dim()
			for _, batch := range fisherBatches {
				checkFisherSlope(t, l, randoms(d, 6), symmetric(d, 7), batch, 1e-7)
			}
		})
	}
}

// A Gaussian's Fisher information is its precision: times the covariance it is 1.
func TestGaussianFisher(t *testing.T) {
	for _, spec := range []string{"gaussian", "gaussian:a=2", "gaussian:cov=2,-0.9,-0.9,0.7"} {
		g := open(t, spec, Options{}).F64.(*Gaussian)
		var f [4]float64
		g.Fisher(f[:], []float64{1, 2}, nil)
		one := product(f, [4]float64(g.Truth().Cov))
		for i, want := range []float64{1, 0, 0, 1} {
			if math.Abs(one[i]-want) > 1e-14 {
				t.Errorf("%s: Σ⁻¹Σ has entry %v, want %v", spec, one[i], want)
			}
		}
		if f[1] != f[2] {
			t.Errorf("%s: %v is not symmetric", spec, f)
		}
		checkFisherSlope(t, g, []float64{1, 2}, []float64{1, 0.5, 0.5, 2}, nil, 0)
	}
}

func TestFisherAllocatesNothing(t *testing.T) {
	for name, l := range forms(t) {
		d := l.Dim()
		dst, f, theta, batch := make([]float64, d), make([]float64, d*d), randoms(d, 5), every(20)
		if n := testing.AllocsPerRun(20, func() {
			l.GradLogLik(dst, theta, nil)
			l.GradLogLik(dst, theta, batch)
			l.HessianVec(dst, theta, theta, batch)
			l.Fisher(f, theta, batch)
			l.FisherSlope(dst, theta, f, batch)
		}); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}
