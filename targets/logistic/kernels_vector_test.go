//go:build (amd64 || arm64) && !noasm

package logistic

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// guarded returns n random values between NaNs, which a kernel that reads or
// writes beyond its slice would take or destroy.
func guarded(r *rand.Rand, n int) (all, inner []float64) {
	all = make([]float64, n+64)
	for i := range all {
		all[i] = math.NaN()
	}
	inner = all[32 : 32+n : 32+n]
	for i := range inner {
		inner[i] = r.NormFloat64() * math.Exp(2*r.NormFloat64())
	}
	return all, inner
}

func equalBits(a, b []float64) bool {
	for i := range a {
		if math.Float64bits(a[i]) != math.Float64bits(b[i]) && !(math.IsNaN(a[i]) && math.IsNaN(b[i])) {
			return false
		}
	}
	return len(a) == len(b)
}

// Every kernel that the processor has gives the bits of the generic code, for
// all rests of rows and columns, and touches nothing beside its slices.
func TestDesignKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(8, 8))
	for cols := 1; cols <= 35; cols++ {
		for _, rows := range []int{1, 3, 4, 7, 8, 9, 12, 31, 32, 47, 64, 75} {
			_, x := guarded(r, rows*cols)
			_, theta := guarded(r, cols)
			_, w := guarded(r, rows)
			plain := design{rows: rows, cols: cols, dense: x}
			for _, path := range simd.Paths[1:] {
				_, tiles := guarded(r, rows/tileRows*tileRows*cols)
				copy(tiles, tiled(x, rows, cols))
				fast := design{rows: rows, cols: cols, dense: x, tiles: tiles, path: path}
				for from := 0; from < rows; from += blockRows {
					n := min(blockRows, rows-from)
					all, got := guarded(r, n)
					other := append([]float64(nil), all...)
					fast.margins(got, theta, nil, from)
					plain.margins(other[32:32+n], theta, nil, from)
					if !equalBits(all, other) {
						t.Fatalf("path %v, %d×%d: margins %v, want %v", path, rows, cols, all, other)
					}
					all, got = guarded(r, cols)
					other = append([]float64(nil), all...)
					fast.accumulate(got, w[from:from+n], nil, from)
					plain.accumulate(other[32:32+cols], w[from:from+n], nil, from)
					if !equalBits(all, other) {
						t.Fatalf("path %v, %d×%d: sums %v, want %v", path, rows, cols, all, other)
					}
				}
			}
		}
	}
}

func TestResidualKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(9, 8))
	special := []float64{0, math.Copysign(0, -1), 708, -708, 709, -709, 1e300, -1e300, math.Inf(1), math.Inf(-1),
		math.NaN(), 5e-324, 36.7, -36.7}
	for _, path := range simd.Paths[1:] {
		for n := range blockRows + 1 {
			for range 40 {
				all, z := guarded(r, n)
				y := make([]int32, n)
				for k := range y {
					y[k] = int32(r.IntN(2))
					z[k] *= 30 * r.Float64()
				}
				if n > 0 && r.IntN(4) == 0 {
					z[r.IntN(n)] = special[r.IntN(len(special))]
				}
				other := append([]float64(nil), all...)
				got := newTally()
				for i := range got.below {
					got.below[i] = r.NormFloat64()
				}
				want := got
				talliedResiduals(path, z, y, 1.0/7, &got)
				talliedResiduals(simd.Generic, other[32:32+n], y, 1.0/7, &want)
				if !equalBits(all, other) || !equalBits(got.factor[:], want.factor[:]) {
					t.Fatalf("path %v, n = %d: %v with %v, want %v with %v", path, n, all, got, other, want)
				}
				for i := range got.below {
					// NaN passes to the factor alone here.
					if got.below[i] != want.below[i] && !math.IsNaN(want.factor[i]) {
						t.Fatalf("path %v, n = %d: sums %v, want %v", path, n, got.below, want.below)
					}
				}
			}
		}
	}
}
