//go:build !noasm

package metrics

import "os"

// lagPath is that of NEON, which every processor has, unless PSGLD_SIMD names the generic one.
var lagPath = chooseLagPath(os.Getenv("PSGLD_SIMD"))

const (
	lagsNEON = iota
	lagsGeneric
)

// vectors reports whether NEON is to be used.
var vectors = lagPath == lagsNEON

func chooseLagPath(most string) int {
	if most == "generic" {
		return lagsGeneric
	}
	return lagsNEON
}

func addLags8(a, b *[8]float64, x, y, u, v []float64) { addLags8By(lagPath, a, b, x, y, u, v) }

func addLags16(a, b *[16]float64, x, y, u, v []float64) { addLags16By(lagPath, a, b, x, y, u, v) }

func addLags8By(path int, a, b *[8]float64, x, y, u, v []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags8Generic(a, b, x, y, u, v)
		return
	}
	_, _, _ = y[len(x)+6], u[len(x)-1], v[len(x)+6]
	lags8NEON(a, b, &x[0], &y[0], &u[0], &v[0], len(x))
}

func addLags16By(path int, a, b *[16]float64, x, y, u, v []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags16Generic(a, b, x, y, u, v)
		return
	}
	_, _, _ = y[len(x)+14], u[len(x)-1], v[len(x)+14]
	lags16NEON(a, b, &x[0], &y[0], &u[0], &v[0], len(x))
}
