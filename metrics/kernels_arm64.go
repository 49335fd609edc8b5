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

func addLags8(acc *[8]float64, x, y []float64) { addLags8By(lagPath, acc, x, y) }

func addLags16(acc *[16]float64, x, y []float64) { addLags16By(lagPath, acc, x, y) }

func addLags8By(path int, acc *[8]float64, x, y []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags8Generic(acc, x, y)
		return
	}
	_ = y[len(x)+6]
	lags8NEON(acc, &x[0], &y[0], len(x))
}

func addLags16By(path int, acc *[16]float64, x, y []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags16Generic(acc, x, y)
		return
	}
	_ = y[len(x)+14]
	lags16NEON(acc, &x[0], &y[0], len(x))
}
