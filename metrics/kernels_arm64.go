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

func lags8(a, b *[8]float64, x, y, u, v *float64, n int)   { lags8NEON(a, b, x, y, u, v, n) }
func lags16(a, b *[16]float64, x, y, u, v *float64, n int) { lags16NEON(a, b, x, y, u, v, n) }
