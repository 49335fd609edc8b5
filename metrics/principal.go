package metrics

import (
	"math"
	"slices"

	"gonum.org/v1/gonum/mat"
)

// A Direction is a principal direction of draws: a unit eigenvector of their covariance with its
// eigenvalue. The sign is that which makes the largest component positive.
type Direction struct {
	Of       []float64
	Variance float64 // along it
	Share    float64 // of the sum of the variances
}

// Principal returns the n directions of the largest variance, n <= dim, of a covariance of dim rows;
// none if an entry is not finite.
func Principal(cov []float64, dim, n int) []Direction {
	if slices.ContainsFunc(cov, func(c float64) bool { return !finite(c) }) {
		return nil
	}
	var eigen mat.EigenSym
	if !eigen.Factorize(mat.NewSymDense(dim, cov), true) {
		return nil
	}
	values := eigen.Values(nil) // ascending
	total := 0.0
	for _, x := range values {
		total += x
	}
	var vectors mat.Dense
	eigen.VectorsTo(&vectors)
	all := make([]Direction, n)
	for k := range all {
		u, largest, v := mat.Col(nil, dim-1-k, &vectors), 0.0, max(0, values[dim-1-k])
		for _, x := range u {
			if math.Abs(x) > math.Abs(largest) {
				largest = x
			}
		}
		for i := range u {
			u[i] *= math.Copysign(1, largest)
		}
		all[k] = Direction{u, v, v / total}
	}
	return all
}
