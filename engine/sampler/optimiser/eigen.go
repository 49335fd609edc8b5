package optimiser

import (
	"math"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// eigen replaces a symmetric k×k matrix, of which it reads the upper half of v, by its eigenvectors as columns, and
// writes the eigenvalues to d; e is scratch of k. It reports whether they were found: not where a number is not finite.
// Householder's reduction to a tridiagonal matrix and QL with implicit shifts, as in tred2 and tql2 of EISPACK (Martin,
// Reinsch and Wilkinson 1968; Bowdler et al. 1968). lapack's Dsyev does the same, but gonum's sums round otherwise from
// one processor to the next.
func eigen(v, d, e []float64, k int) bool {
	for i := range k {
		for j := range i {
			v[i*k+j] = v[j*k+i]
		}
	}
	tridiagonal(v, d, e, k)
	copy(e, e[1:k])
	e[k-1] = 0
	const most = 60 // turns for an eigenvalue, of which two are usual
	size := 0.0
	for l := range k {
		size = max(size, math.Abs(d[l])+math.Abs(e[l]))
		if !(size < math.Inf(1)) {
			return false
		}
		for turn := 0; ; turn++ {
			m := l
			for math.Abs(e[m]) > 0x1p-52*size {
				m++
			}
			if m == l {
				break
			}
			if turn == most {
				return false
			}
			implicit(v, d, e, k, l, m)
		}
	}
	return true
}

// tridiagonal replaces a symmetric matrix v by the orthogonal Q for which QᵀvQ is
// tridiagonal, with diagonal d and e[1:] beside it.
func tridiagonal(v, d, e []float64, k int) {
	for i := k - 1; i > 0; i-- {
		row := v[i*k:][:i] // left of the diagonal
		norm := 0.0
		for _, x := range row {
			norm += float64(x * x)
		}
		f := row[i-1]
		if d[i] = 0; norm == float64(f*f) { // nothing to reduce
			e[i] = f
			continue
		}
		e[i] = -math.Copysign(math.Sqrt(norm), f)
		h := norm - float64(f*e[i]) // half of |u|²
		d[i] = h
		row[i-1] = f - e[i]
		// p = Au/h in e[:i], and column i keeps u/h for Q.
		sum := 0.0
		for j := range i {
			v[j*k+i] = row[j] / h
			g := 0.0
			for l := 0; l <= j; l++ {
				g += float64(v[j*k+l] * row[l])
			}
			for l := j + 1; l < i; l++ {
				g += float64(v[l*k+j] * row[l])
			}
			e[j] = g / h
			sum += float64(e[j] * row[j])
		}
		// A' = A - quᵀ - uqᵀ with q = p - u (uᵀp)/2h.
		half := sum / (h + h)
		for j := range i {
			f := row[j]
			g := e[j] - float64(half*f)
			e[j] = g
			for l := 0; l <= j; l++ {
				v[j*k+l] -= float64(f*e[l]) + float64(g*row[l])
			}
		}
	}
	d[0], e[0] = 0, 0
	for i := range k {
		if d[i] != 0 { // a reflection is to be multiplied in
			for j := range i {
				g := 0.0
				for l := range i {
					g += float64(v[i*k+l] * v[l*k+j])
				}
				for l := range i {
					v[l*k+j] -= float64(g * v[l*k+i])
				}
			}
		}
		d[i], v[i*k+i] = v[i*k+i], 1
		for j := range i {
			v[i*k+j], v[j*k+i] = 0, 0
		}
	}
}

// implicit does a QL turn with Wilkinson's shift on rows l to m of a tridiagonal matrix.
func implicit(v, d, e []float64, k, l, m int) {
	g := (d[l+1] - d[l]) / (2 * e[l])
	r := libm.Hypot(g, 1)
	g = d[m] - d[l] + e[l]/(g+math.Copysign(r, g))
	sin, cos, p := 1.0, 1.0, 0.0
	for i := m - 1; i >= l; i-- {
		f, b := float64(sin*e[i]), float64(cos*e[i])
		r = libm.Hypot(f, g)
		e[i+1] = r
		if r == 0 { // the matrix falls apart
			d[i+1] -= p
			e[m] = 0
			return
		}
		sin, cos = f/r, g/r
		g = d[i+1] - p
		r = float64((d[i]-g)*sin) + float64(2*cos*b)
		p = float64(sin * r)
		d[i+1] = g + p
		g = float64(cos*r) - b
		for j := 0; j < k*k; j += k {
			x, y := v[j+i], v[j+i+1]
			v[j+i+1] = float64(sin*x) + float64(cos*y)
			v[j+i] = float64(cos*x) - float64(sin*y)
		}
	}
	d[l] -= p
	e[l], e[m] = g, 0
}
