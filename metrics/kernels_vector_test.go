//go:build (amd64 || arm64) && !noasm

package metrics

import (
	"math"
	"math/rand/v2"
	"testing"
)

// Every kernel that the processor has gives the bits of the generic code, reads
// nothing beyond its inputs (NaN stands there) and writes nothing but acc.
func TestLagKernelsAgree(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 2))
	for path := chooseLagPath(""); path <= lagsGeneric; path++ {
		for n := range 40 {
			x, y := make([]float64, n+2), make([]float64, n+17)
			for i := range x {
				x[i] = r.NormFloat64()
			}
			for i := range y {
				y[i] = r.NormFloat64() * math.Exp(5*r.NormFloat64())
			}
			x[n], y[n+15], y[n+16] = math.NaN(), math.NaN(), math.NaN()
			var got, want [16]float64
			for i := range got {
				got[i] = r.NormFloat64()
			}
			want = got
			addLags16By(path, &got, x[:n], y[:n+15])
			addLags16Generic(&want, x[:n], y[:n+15])
			if got != want {
				t.Fatalf("path %d, 16 lags, n = %d: %v, want %v", path, n, got, want)
			}
			y[n+7] = math.NaN()
			g8, w8 := (*[8]float64)(got[:8]), (*[8]float64)(want[:8])
			addLags8By(path, g8, x[:n], y[:n+7])
			addLags8Generic(w8, x[:n], y[:n+7])
			if got != want {
				t.Fatalf("path %d, 8 lags, n = %d: %v, want %v", path, n, got, want)
			}
		}
	}
}

// onBoth returns what f does with vectors and without.
func onBoth(f func() []float64) (a, b []float64) {
	defer func(v bool) { vectors = v }(vectors)
	a = f()
	vectors = false
	return a, f()
}
