package langevin

import "math"

// cholesky replaces the lower triangle of a symmetric matrix A (row-major n×n) by its factor L with A = LLᵀ. It reads
// no other part of A. Where A is not positive definite, L has NaNs.
func cholesky(a []float64, n int) {
	for i := range n {
		row := a[i*n:][:i+1]
		for j := range i {
			other := a[j*n:][:j+1]
			row[j] = (row[j] - inner(row[:j], other[:j])) / other[j]
		}
		row[i] = math.Sqrt(row[i] - inner(row[:i], row[:i]))
	}
}

// invertLower writes Wᵀ to dst, the transposed inverse of a lower triangle L. Row i of
// dst is column i of W; its numbers before i are left as they are.
//
// Column i of W solves L w = e_i from its place i on.
func invertLower(dst, l []float64, n int) {
	for i := range n {
		w := dst[i*n:][:n]
		w[i] = 1 / l[i*n+i]
		for k := i + 1; k < n; k++ {
			row := l[k*n:][:k+1]
			w[k] = -inner(row[i:k], w[i:k]) / row[k]
		}
	}
}

// outerUpper writes G = WᵀW to dst, all of it, given Wᵀ as invertLower has it.
func outerUpper(dst, w []float64, n int) {
	for i := range n {
		for j := i; j < n; j++ {
			g := inner(w[i*n+j:(i+1)*n], w[j*n+j:(j+1)*n])
			dst[i*n+j], dst[j*n+i] = g, g
		}
	}
}

// inner is the scalar product. It adds every fourth term to one of four sums, and
// rounds products before they are added, on every machine.
func inner(x, y []float64) float64 {
	y = y[:len(x)]
	var s0, s1, s2, s3 float64
	i := 0
	for ; i <= len(x)-4; i += 4 {
		a, b := (*[4]float64)(x[i:]), (*[4]float64)(y[i:])
		s0 += float64(a[0] * b[0])
		s1 += float64(a[1] * b[1])
		s2 += float64(a[2] * b[2])
		s3 += float64(a[3] * b[3])
	}
	for ; i < len(x); i++ {
		s0 += float64(x[i] * y[i])
	}
	return (s0 + s1) + (s2 + s3)
}
