package optimiser

import (
	"math"
	"math/rand/v2"
	"testing"

	"gonum.org/v1/gonum/mat"
)

// plainly multiplies matrices in Go.
type plainly struct{}

func (plainly) MatMul(dst, a, b []float32, m, k, n int) {
	for i := range m {
		for j := range n {
			s := 0.0
			for l := range k {
				s += float64(a[i*k+l]) * float64(b[l*n+j])
			}
			dst[i*n+j] = float32(s)
		}
	}
}

func (plainly) MatTMul(dst, a, b []float32, m, k, n int) {
	for i := range m {
		for j := range n {
			s := 0.0
			for l := range k {
				s += float64(a[l*m+i]) * float64(b[l*n+j])
			}
			dst[i*n+j] = float32(s)
		}
	}
}

// decomposed is U diag(σ) Vᵀ with random U and V of so many columns, and ‖σ‖₁ U Vᵀ.
func decomposed(r *rand.Rand, m, n int, sigma []float64) (x []float32, sharp []float64) {
	basis := func(rows int) *mat.Dense {
		a := mat.NewDense(rows, len(sigma), nil)
		for i := range rows {
			for j := range len(sigma) {
				a.Set(i, j, r.NormFloat64())
			}
		}
		var qr mat.QR
		qr.Factorize(a)
		var q mat.Dense
		qr.QTo(&q)
		return mat.DenseCopyOf(q.Slice(0, rows, 0, len(sigma)))
	}
	u, v := basis(m), basis(n)
	sum := 0.0
	for _, s := range sigma {
		sum += s
	}
	var us, all, polar mat.Dense
	us.Mul(u, mat.NewDiagDense(len(sigma), sigma))
	all.Mul(&us, v.T())
	polar.Mul(u, v.T())
	for i := range m {
		for j := range n {
			x = append(x, float32(all.At(i, j)))
			sharp = append(sharp, sum*polar.At(i, j))
		}
	}
	return x, sharp
}

// applied is X♯ with a rank.
func applied(r *rand.Rand, x []float32, m, n, rank int) []float64 {
	s := newSharpOperator(m, n, rank)
	z := make([]float32, s.normals(n))
	for i := range z {
		z[i] = float32(r.NormFloat64())
	}
	p := make([]float32, m*n)
	c := s.apply(plainly{}, p, x, m, n, z)
	out := make([]float64, m*n)
	for i := range out {
		out[i] = float64(p[i]) + float64(c)*float64(x[i])
	}
	return out
}

// singular are the singular values of a matrix, by gonum.
func singular(t *testing.T, x []float64, m, n int) []float64 {
	t.Helper()
	var svd mat.SVD
	if !svd.Factorize(mat.NewDense(m, n, x), mat.SVDNone) {
		t.Fatal("no singular values")
	}
	return svd.Values(nil)
}

func relative(got, want []float64) float64 {
	d, n := 0.0, 0.0
	for i := range want {
		d += (got[i] - want[i]) * (got[i] - want[i])
		n += want[i] * want[i]
	}
	return math.Sqrt(d / n)
}

// With all singular values the operator is ‖σ‖₁ U Vᵀ by gonum's decomposition.
func TestSharpIsExactAtFullRank(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for _, shape := range [][2]int{{2, 2}, {7, 3}, {3, 7}, {40, 10}, {25, 32}, {60, 30}} {
		m, n := shape[0], shape[1]
		x := make([]float32, m*n)
		wide := make([]float64, m*n)
		for i := range x {
			x[i] = float32(r.NormFloat64() * math.Exp(r.NormFloat64()))
			wide[i] = float64(x[i])
		}
		var svd mat.SVD
		if !svd.Factorize(mat.NewDense(m, n, wide), mat.SVDThin) {
			t.Fatal("no decomposition")
		}
		var u, v, polar mat.Dense
		svd.UTo(&u)
		svd.VTo(&v)
		polar.Mul(&u, v.T())
		sum, sigma := 0.0, svd.Values(nil)
		for _, s := range sigma {
			sum += s
		}
		polar.Scale(sum, &polar)
		got := applied(r, x, m, n, 128)
		// The polar factor errs by the error of X over its least singular values. The
		// products err by a few roundings of 6e-8 of the largest.
		bound := 2e-6 * sigma[0] / sigma[len(sigma)-1]
		if e := relative(got, polar.RawMatrix().Data); e > bound {
			t.Errorf("%d×%d: relative error %.2g, want at most %.2g", m, n, e, bound)
		}
	}
}

// Where the rank is less than the matrix has room for, zero stays zero.
func TestSharpOfLowRank(t *testing.T) {
	r := rand.New(rand.NewPCG(3, 4))
	for _, c := range []struct{ m, n, rank int }{{50, 40, 20}, {40, 50, 20}, {30, 20, 30}, {50, 40, 5}} {
		x, want := decomposed(r, c.m, c.n, []float64{4, 2, 1, 0.5, 0.1})
		// 1e-5 of X is below what float32 keeps; the least σ is 1/40 of the largest.
		if e := relative(applied(r, x, c.m, c.n, c.rank), want); e > 1e-4 {
			t.Errorf("%+v: relative error %.2g", c, e)
		}
	}
	if got := applied(r, make([]float32, 12), 4, 3, 2); relative(append(got, 1), make([]float64, 13)) == 0 {
		t.Errorf("of zero: %v", got)
	}
}

// What a sketch leaves out is scaled too, and the whole goes uphill with X.
func TestSharpWithATail(t *testing.T) {
	r := rand.New(rand.NewPCG(5, 6))
	const m, n, rank = 60, 50, 10
	var sigma []float64
	for i := range n {
		sigma = append(sigma, math.Pow(0.9, float64(i)))
	}
	x, _ := decomposed(r, m, n, sigma)
	got := applied(r, x, m, n, rank)
	values := singular(t, got, m, n)
	dot, norm := 0.0, 0.0
	for i, e := range got {
		dot += e * float64(x[i])
		norm += float64(x[i]) * float64(x[i])
	}
	// Q polar(B) has ten singular values s. R/r is on the left orthogonal to Q and has
	// norm 1, or up to 1.3 as two rounds of the power method find r from below; so
	// the sum has ten from s up to s √(1 + 1.3²).
	if values[0] > 1.65*values[rank-1] || values[rank] < values[rank-1]/3 {
		t.Errorf("singular values %.3f", values)
	}
	if dot <= norm {
		t.Errorf("X·X♯ = %g, ‖X‖² = %g", dot, norm)
	}
}

// A matrix that is not finite does not stop the program.
func TestSharpOfNaN(t *testing.T) {
	r := rand.New(rand.NewPCG(7, 8))
	for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1))} {
		x := make([]float32, 20*30)
		for i := range x {
			x[i] = float32(r.NormFloat64())
		}
		x[77] = bad
		applied(r, x, 20, 30, 8)
	}
}
