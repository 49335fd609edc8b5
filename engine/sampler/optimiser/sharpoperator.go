package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/targets"
)

const (
	tailWidth  = 8 // vectors of the power method for the largest singular value left out
	tailRounds = 2 // its rounds
	// A vector of a sketch counts as dependent on those before it where the squared
	// sine of its angle to their span is below this.
	dependent = 1e-7
	// A singular value below this part of the largest is rounding in float32.
	unresolved = 1e-5
)

// sharpOperator applies the sharp operator of the Schatten-∞ norm (Carlson, Collins, Hsieh,
// Carin and Cevher 2015), which turns X = U diag(σ) Vᵀ into
//
//	X♯ = ‖σ‖₁ U Vᵀ,
//
// without the singular values of zero. A randomised decomposition finds the first k of them (Halko, Martinsson and
// Tropp 2011, algorithms 4.1 and 5.1): Q is an orthonormal basis of XΩ, Ω standard normal of k columns, and the
// singular values and vectors of B = QᵀX are near those of X. The rest, R = X - QQᵀX, is scaled as in the authors'
// released code, so that its largest singular value r becomes that of all others:
//
//	X♯ ≈ s (Q polar(B) + R/r),  s = Σ σ(B) + r,
//
// with r by the power method. No singular value of the approximation is above √2 s.
// Where k exceeds the rank of X by a few it is exact, up to rounding and to singular
// values below about 3e-3 of the largest. Oversampling is left out, as in that code.
//
// lapack's Dpstrf would do the pivoted Cholesky decomposition of triangle, but gonum's
// sums round otherwise, and the digests of recorded sessions hang on these.
type sharpOperator struct {
	most int // the largest k

	y, q, qm        []float32 // m×k
	b               []float32 // k×n
	small, turn     []float32 // k×k, or k×tailWidth
	z, tail, inside []float32 // n×, m× and k×tailWidth
	gram, vectors   []float64 // k×k
	values, work    []float64
	order           []int
}

// newSharpOperator allocates for matrices of up to rows rows and up to cols columns,
// and for up to most singular values.
func newSharpOperator(rows, cols, most int) *sharpOperator {
	most = min(most, rows, cols)
	s := &sharpOperator{
		most: most,
		y:    make([]float32, rows*most), q: make([]float32, rows*most), qm: make([]float32, rows*max(most, tailWidth)),
		b: make([]float32, most*cols), small: make([]float32, most*most), turn: make([]float32, most*most),
		z:      make([]float32, cols*tailWidth),
		tail:   make([]float32, rows*tailWidth),
		inside: make([]float32, most*tailWidth),
		gram:   make([]float64, most*most), vectors: make([]float64, most*most),
		values: make([]float64, most), work: make([]float64, most), order: make([]int, most),
	}
	return s
}

// normals is the number of normal draws that a matrix of n columns takes.
func (s *sharpOperator) normals(n int) int { return n * (s.most + tailWidth) }

// apply writes P to p, given standard normals, and returns c: X♯ is P + cX. X and P are m×n.
func (s *sharpOperator) apply(by targets.Multiplier, p, x []float32, m, n int, normals []float32) (c float32) {
	k := min(s.most, m, n)
	if k == min(m, n) {
		s.exact(by, p, x, m, n)
		return 0
	}
	rank := s.basis(by, x, m, n, k, normals)
	q, b := s.q[:m*rank], s.b[:rank*n]
	if rank > 0 {
		by.MatTMul(b, q, x, rank, m, n)
		s.gramOfRows(b, rank, n)
	}
	largest, sum := s.decompose(rank)
	if largest == 0 {
		clear(p)
		return 0
	}
	scale := 0.0
	if r := s.residual(by, x, m, n, rank, normals[n*k:], unresolved*largest); r > 0 {
		sum += r
		scale = sum / r
	}
	s.polar(rank, largest, sum, scale)
	by.MatMul(s.qm[:m*rank], q, s.small[:rank*rank], m, rank, rank)
	by.MatMul(p, s.qm[:m*rank], b, m, rank, n)
	return float32(scale)
}

// exact is apply where k is all singular values.
func (s *sharpOperator) exact(by targets.Multiplier, p, x []float32, m, n int) {
	k := min(m, n)
	if k == m {
		s.gramOfRows(x, m, n)
	} else {
		s.gramOfColumns(x, m, n)
	}
	largest, sum := s.decompose(k)
	if largest == 0 {
		clear(p)
		return
	}
	s.polar(k, largest, sum, 0)
	if k == m {
		by.MatMul(p, s.small[:k*k], x, m, m, n)
	} else {
		by.MatMul(p, x, s.small[:k*k], m, n, n)
	}
}

// polar sets small to W diag(sum/σ - scale) Wᵀ, k×k, with the eigenvectors W and the
// singular values σ. The term sum/σ is dropped for a σ that is unresolved.
func (s *sharpOperator) polar(k int, largest, sum, scale float64) {
	for i := range k {
		for j := range k {
			e := 0.0
			for l, v := range s.values[:k] {
				f := -scale
				if v > unresolved*largest {
					f += sum / v
				}
				e += float64(s.vectors[i*k+l] * f * s.vectors[j*k+l])
			}
			s.small[i*k+j] = float32(e)
		}
	}
}

// basis makes Q, an orthonormal basis of XΩ, and returns its number of columns. It goes by way of the Gram matrix,
// which squares the condition number, and so does it twice.
func (s *sharpOperator) basis(by targets.Multiplier, x []float32, m, n, k int, normals []float32) int {
	y := s.y[:m*k]
	by.MatMul(y, x, normals[:n*k], m, n, k)
	rank := k
	for range 2 {
		by.MatTMul(s.small[:rank*rank], y, y, rank, m, rank)
		was := rank
		if rank = s.triangle(was); rank == 0 {
			return 0
		}
		by.MatMul(s.q[:m*rank], y, s.turn[:was*rank], m, was, rank)
		y = s.y[:copy(s.y, s.q[:m*rank])]
	}
	return rank
}

// triangle sets turn, k×rank, to the matrix that makes vectors orthonormal, given their Gram matrix A in small, k×k:
// with the pivoted Cholesky decomposition ΠᵀAΠ = RᵀR it is Π R⁻¹. Vectors that depend on others are left out.
func (s *sharpOperator) triangle(k int) (rank int) {
	a, order := s.gram[:k*k], s.order[:k]
	for i := range a {
		a[i] = float64(s.small[i])
	}
	for i := range order {
		order[i] = i
	}
	first := 0.0
	for i := range k {
		first = max(first, a[i*k+i])
	}
	diagonal := s.values[:k] // what is left of it
	for i := range diagonal {
		diagonal[i] = a[i*k+i]
	}
	r := s.vectors[:k*k] // row i of R: at column j of the vectors' own order
	clear(r)
	for rank < k {
		at := rank
		for j := rank + 1; j < k; j++ {
			if diagonal[order[j]] > diagonal[order[at]] {
				at = j
			}
		}
		order[rank], order[at] = order[at], order[rank]
		pivot := order[rank]
		if !(diagonal[pivot] > dependent*first) {
			break
		}
		root := math.Sqrt(diagonal[pivot])
		r[rank*k+pivot] = root
		for _, j := range order[rank+1:] {
			e := a[pivot*k+j]
			for i := range rank {
				e -= float64(r[i*k+pivot] * r[i*k+j])
			}
			e /= root
			r[rank*k+j] = e
			diagonal[j] -= float64(e * e)
		}
		rank++
	}
	// Columns of R⁻¹, one after the other, to the rows of the vectors' own order.
	turn := s.turn[:k*rank]
	clear(turn)
	column := s.gram[:k] // no longer needed
	for j := range rank {
		clear(column)
		for i := j; i >= 0; i-- {
			e := 0.0
			if i == j {
				e = 1
			}
			for l := i + 1; l <= j; l++ {
				e -= float64(r[i*k+order[l]] * column[l])
			}
			column[i] = e / r[i*k+order[i]]
			turn[order[i]*rank+j] = float32(column[i])
		}
	}
	return rank
}

// gramOfRows sets the upper half of vectors to BBᵀ, k×k. Its sums are in float64: in
// float32 singular values below 1e-3 of the largest would drown.
func (s *sharpOperator) gramOfRows(b []float32, k, n int) {
	for i := range k {
		p := b[i*n:][:n]
		for j := i; j < k; j++ {
			q := b[j*n:][:n]
			var e, f float64 // two sums, which do not wait for each other
			l := 0
			for ; l+1 < n; l += 2 {
				e += float64(float64(p[l]) * float64(q[l]))
				f += float64(float64(p[l+1]) * float64(q[l+1]))
			}
			if l < n {
				e += float64(float64(p[l]) * float64(q[l]))
			}
			s.vectors[i*k+j] = e + f
		}
	}
}

// gramOfColumns sets the upper half of vectors to XᵀX, k×k.
func (s *sharpOperator) gramOfColumns(x []float32, m, k int) {
	a := s.vectors[:k*k]
	clear(a)
	for r := range m {
		row := x[r*k:][:k]
		for i, e := range row {
			if e != 0 {
				to := a[i*k:][:k]
				for j := i; j < k; j++ {
					to[j] += float64(float64(e) * float64(row[j]))
				}
			}
		}
	}
}

// decompose replaces the Gram matrix in vectors by its eigenvectors, as columns, and
// writes the roots of its eigenvalues to values. It returns the largest of these and
// their sum, or zeros where the matrix is zero or not finite.
func (s *sharpOperator) decompose(k int) (largest, sum float64) {
	if k == 0 || !eigen(s.vectors[:k*k], s.values[:k], s.work[:k], k) {
		return 0, 0
	}
	for i, v := range s.values[:k] {
		s.values[i] = math.Sqrt(max(v, 0))
		largest = max(largest, s.values[i])
		sum += s.values[i]
	}
	if !(sum < math.Inf(1)) {
		return 0, 0
	}
	return largest, sum
}

// residual estimates the largest singular value of R = X - QQᵀX from below, by the
// power method on RᵀR with several vectors. It returns 0 for one below least.
func (s *sharpOperator) residual(by targets.Multiplier, x []float32, m, n, rank int, normals []float32,
	least float64) float64 {
	z, y := s.z[:n*tailWidth], s.tail[:m*tailWidth]
	copy(z, normals)
	normalise(z)
	best := 0.0
	for range tailRounds {
		by.MatMul(y, x, z, m, n, tailWidth)
		s.project(by, y, m, rank)
		if normalise(y) <= least {
			return 0
		}
		s.project(by, y, m, rank) // again: the rest may be little more than rounding
		by.MatTMul(z, x, y, n, m, tailWidth)
		best = normalise(z)
	}
	return best
}

// project makes y orthogonal to Q.
func (s *sharpOperator) project(by targets.Multiplier, y []float32, m, rank int) {
	inside, back := s.inside[:rank*tailWidth], s.qm[:m*tailWidth]
	by.MatTMul(inside, s.q[:m*rank], y, rank, m, tailWidth)
	by.MatMul(back, s.q[:m*rank], inside, m, rank, tailWidth)
	for i, e := range back {
		y[i] -= e
	}
}

// normalise makes unit vectors of the columns of a matrix of tailWidth, and returns the length of the longest.
func normalise(x []float32) float64 {
	var sum [tailWidth]float64
	for i := 0; i < len(x); i += tailWidth {
		for j, e := range x[i:][:tailWidth] {
			sum[j] += float64(float64(e) * float64(e))
		}
	}
	longest := 0.0
	var by [tailWidth]float32
	for j, e := range sum {
		if e > 0 {
			by[j] = float32(1 / math.Sqrt(e))
		}
		longest = max(longest, math.Sqrt(e))
	}
	for i := 0; i < len(x); i += tailWidth {
		for j, e := range by {
			x[i+j] *= e
		}
	}
	return longest
}
