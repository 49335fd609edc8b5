package logistic

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets/internal/targettest"
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
			theta, u, v := targettest.Randoms(l.Dim(), 1), targettest.Randoms(l.Dim(), 2),
				targettest.Randoms(l.Dim(), 3)
			for _, batch := range fisherBatches {
				targettest.HessianVec(t, l, theta, u, v, batch, 1e-6)
			}
		})
	}
}

// The definition: both labels of every row of the batch, weighted by their
// probabilities, with the gradient that the target itself has for each.
func TestFisherSumsBothLabels(t *testing.T) {
	for name, l := range forms(t) {
		d := l.Dim()
		theta := targettest.Randoms(d, 4)
		ones := make([]int32, l.N())
		for i := range ones {
			ones[i] = 1
		}
		of := [2]*Regression{{train: l.train, y: make([]int32, l.N())}, {train: l.train, y: ones}}
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
			v, hv := targettest.Randoms(d, 5), make([]float64, d)
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

// symmetric is a random symmetric D×D matrix.
func symmetric(d int, seed uint64) []float64 {
	a := targettest.Randoms(d*d, seed)
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
				targettest.FisherSlope(t, l, targettest.Randoms(d, 6), symmetric(d, 7), batch, 1e-7)
			}
		})
	}
}

func TestFisherAllocatesNothing(t *testing.T) {
	for name, l := range forms(t) {
		d := l.Dim()
		dst, f, theta, batch := make([]float64, d), make([]float64, d*d), targettest.Randoms(d, 5), every(20)
		if n := alloctest.PerRun(20, func() {
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
