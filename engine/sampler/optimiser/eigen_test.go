package optimiser

import (
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// Eigenvalues are LAPACK's, and A = V diag(λ) Vᵀ with orthonormal V, also where eigenvalues
// are equal, zero or far apart.
func TestEigen(t *testing.T) {
	r := rand.New(rand.NewPCG(81, 82))
	for k := 1; k <= 60; k += 1 + k/8 {
		for kind := range 5 {
			a := make([]float64, k*k)
			rank := []int{k, 1 + k/3, 1, 0, k}[kind]
			for c := range rank {
				scale := math.Pow([]float64{1, 1, 1, 1, 0.5}[kind], float64(c))
				u := make([]float64, k)
				for i := range u {
					u[i] = r.NormFloat64()
				}
				for i := range k {
					for j := range k {
						a[i*k+j] += scale * u[i] * u[j]
					}
				}
			}
			if kind == 3 {
				for i := range k {
					a[i*k+i] = 2
				}
			}
			v, d, e := slices.Clone(a), make([]float64, k), make([]float64, k)
			for i := range k {
				for j := range i {
					v[i*k+j] = math.NaN() // not read
				}
			}
			if !eigen(v, d, e, k) {
				t.Fatalf("%d, kind %d: not found", k, kind)
			}
			var want mat.EigenSym
			want.Factorize(mat.NewSymDense(k, slices.Clone(a)), false)
			values := want.Values(nil)
			size := max(math.Abs(values[k-1]), 1e-300)
			sorted := slices.Sorted(slices.Values(d))
			for i := range k {
				if math.Abs(sorted[i]-values[i]) > 1e-13*float64(k)*size {
					t.Errorf("%d, kind %d: eigenvalue %d is %g, want %g", k, kind, i, sorted[i], values[i])
				}
				for j := range k {
					sum, dot := 0.0, 0.0
					for l := range k {
						sum += v[i*k+l] * d[l] * v[j*k+l]
						dot += v[l*k+i] * v[l*k+j]
					}
					one := 0.0
					if i == j {
						one = 1
					}
					if math.Abs(sum-a[i*k+j]) > 1e-13*float64(k)*size || math.Abs(dot-one) > 1e-13*float64(k) {
						t.Fatalf("%d, kind %d: element %d, %d is %g, want %g; the vectors' product is %g", k, kind, i,
							j, sum, a[i*k+j], dot)
					}
				}
			}
		}
	}
	for _, bad := range []float64{math.NaN(), math.Inf(1), math.MaxFloat64} {
		if v := []float64{1, bad, bad, 1}; eigen(v, make([]float64, 2), make([]float64, 2), 2) &&
			bad != math.MaxFloat64 {
			t.Errorf("found those of %g", bad)
		}
	}
}
