package langevin

import (
	"math"
	"math/rand/v2"
	"testing"
)

// positive returns a positive definite matrix.
func positive(r *rand.Rand, n int) []float64 {
	b, a := make([]float64, n*n), make([]float64, n*n)
	for i := range b {
		b[i] = r.NormFloat64()
	}
	for i := range n {
		for j := range n {
			a[i*n+j] = inner(b[i*n:][:n], b[j*n:][:n])
		}
		a[i*n+i] += 0.5
	}
	return a
}

func TestCholesky(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 9))
	for _, n := range []int{1, 2, 3, 4, 5, 8, 15, 40} {
		a := positive(r, n)
		l, w, g := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		copy(l, a)
		for i := range n { // of which nothing is read
			for j := i + 1; j < n; j++ {
				l[i*n+j] = math.NaN()
			}
		}
		for i := range w {
			w[i] = math.NaN()
		}
		cholesky(l, n)
		invertLower(w, l, n)
		outerUpper(g, w, n)
		for i := range n {
			for j := range n {
				ll, ag := 0.0, 0.0
				for k := range n {
					if k <= min(i, j) {
						ll += l[i*n+k] * l[j*n+k]
					}
					ag += a[i*n+k] * g[k*n+j]
				}
				want := 0.0
				if i == j {
					want = 1
				}
				// Condition numbers are up to a few hundred here.
				if math.Abs(ll-a[i*n+j]) > 1e-12*math.Abs(a[0])*float64(n) || math.Abs(ag-want) > 1e-10 {
					t.Fatalf("n = %d: LLᵀ = %g, want %g; AG = %g, want %g", n, ll, a[i*n+j], ag, want)
				}
			}
		}
	}
	bad := []float64{1, 0, 2, 1}
	if cholesky(bad, 2); !math.IsNaN(bad[3]) {
		t.Errorf("a matrix that is not positive definite has the factor %v", bad)
	}
}

func BenchmarkMetric(b *testing.B) {
	for _, n := range []int{15, 123} {
		a := positive(rand.New(rand.NewPCG(1, 9)), n)
		l, w, g := make([]float64, n*n), make([]float64, n*n), make([]float64, n*n)
		b.Run(map[int]string{15: "D=15", 123: "D=123"}[n], func(b *testing.B) {
			b.ReportAllocs()
			for range b.N {
				copy(l, a)
				cholesky(l, n)
				invertLower(w, l, n)
				outerUpper(g, w, n)
			}
		})
	}
}
