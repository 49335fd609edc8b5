package optimiser

import (
	"math"
	"math/rand/v2"
	"testing"
)

// A sketch wider than the rank finds all of the matrix, whatever its normals: the
// vectors beyond the rank are left out, and none of those within it.
func TestSharpOfAWiderSketch(t *testing.T) {
	for _, sigma := range [][]float64{{4, 2, 1, 0.5, 0.1}, {1, 1, 1, 3e-3, 3e-3, 3e-3}} {
		// A few roundings of 6e-8 of the largest singular value turn the vectors of the
		// least by that over its share. The worst of 100 seeds were 1.4e-6 and 3.4e-5. A
		// vector that is lost changes X♯ by 0.2 or more.
		bound := 6e-7 * sigma[0] / sigma[len(sigma)-1]
		for seed := range uint64(40) {
			r := rand.New(rand.NewPCG(seed, 9))
			x, want := decomposed(r, 50, 40, sigma)
			if e := relative(applied(r, x, 50, 40, len(sigma)+5), want); e > bound {
				t.Errorf("%g, seed %d: relative error %.2g, want at most %.2g", sigma, seed, e, bound)
			}
		}
	}
}

// The power method that finds the tail's scale starts from normals of its own: with
// those of a sketch as wide as it, it would start within Q's span and find nothing.
func TestSharpTailAtTheTailsWidth(t *testing.T) {
	const m, n, least = 60, 50, tailWidth - 1
	for seed := range uint64(5) {
		r := rand.New(rand.NewPCG(seed, 10))
		var flat, falling []float64
		for i := range 40 {
			flat, falling = append(flat, 1), append(falling, math.Pow(0.9, float64(i)))
		}
		var ninth [3]float64
		for i := range ninth {
			rank := least + i
			// Of 40 singular values of 1 whatever is left out has those of 1 too. So all
			// 40 of the operator are s = rank + 1, within roundings of float32.
			x, _ := decomposed(r, m, n, flat)
			for j, v := range singular(t, applied(r, x, m, n, rank), m, n) {
				want := float64(rank + 1)
				if j >= len(flat) {
					want = 0
				}
				if math.Abs(v-want) > 1e-4 {
					t.Errorf("seed %d, rank %d: singular value %d is %g, want %g", seed, rank, j+1, v, want)
				}
			}
			x, _ = decomposed(r, m, n, falling)
			ninth[i] = singular(t, applied(r, x, m, n, rank), m, n)[tailWidth]
		}
		// At rank 9 it is one of the sketch's, s, and below of the tail's, at most s.
		if low, high := min(ninth[0], ninth[2]), max(ninth[0], ninth[2]); ninth[1] < 0.8*low || ninth[1] > 1.2*high {
			t.Errorf("seed %d: the 9th singular value is %.3f at ranks 7 to 9", seed, ninth)
		}
	}
}
