package metrics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// Every kernel that the processor has gives the bits of the generic code, reads
// nothing beyond its inputs (NaN stands there) and writes nothing but its sums.
func TestLagKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	defer func(p simd.Path) { path = p }(path)
	for _, path = range simd.Paths {
		for n := range 40 {
			var x, y [2][]float64
			var got, want [2][16]float64
			for k := range x {
				x[k], y[k] = make([]float64, n+2), make([]float64, n+17)
				for i := range x[k] {
					x[k][i] = r.NormFloat64()
				}
				for i := range y[k] {
					y[k][i] = r.NormFloat64() * math.Exp(5*r.NormFloat64())
				}
				x[k][n], y[k][n+15], y[k][n+16] = math.NaN(), math.NaN(), math.NaN()
				for i := range got[k] {
					got[k][i] = r.NormFloat64()
				}
			}
			want = got
			addLags(got[0][:], got[1][:], x[0][:n], y[0][:n+15], x[1][:n], y[1][:n+15])
			addLagsGeneric(want[0][:], want[1][:], x[0][:n], y[0][:n+15], x[1][:n], y[1][:n+15])
			if got != want {
				t.Fatalf("path %v, 16 lags, n = %d: %v, want %v", path, n, got, want)
			}
			y[0][n+7], y[1][n+7] = math.NaN(), math.NaN()
			addLags(got[0][:8], got[1][:8], x[0][:n], y[0][:n+7], x[1][:n], y[1][:n+7])
			addLagsGeneric(want[0][:8], want[1][:8], x[0][:n], y[0][:n+7], x[1][:n], y[1][:n+7])
			if got != want {
				t.Fatalf("path %v, 8 lags, n = %d: %v, want %v", path, n, got, want)
			}
		}
	}
}

// onBoth returns what f does with vectors and without.
func onBoth(f func() []float64) (a, b []float64) {
	defer func(p simd.Path) { path = p }(path)
	a = f()
	path = simd.Generic
	return a, f()
}
