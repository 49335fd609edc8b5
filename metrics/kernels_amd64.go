//go:build !noasm

package metrics

import (
	"os"

	"golang.org/x/sys/cpu"
)

// lagPath is the fastest kernel that the processor has, unless PSGLD_SIMD names
// a lesser one.
var lagPath = chooseLagPath(os.Getenv("PSGLD_SIMD"))

const (
	lagsAVX512 = iota
	lagsAVX2
	lagsGeneric
)

// vectors reports whether the processor has those of AVX2.
var vectors = lagPath <= lagsAVX2

func chooseLagPath(most string) int {
	switch {
	case cpu.X86.HasAVX512F && most != "avx2" && most != "generic":
		return lagsAVX512
	case cpu.X86.HasAVX2 && most != "generic":
		return lagsAVX2
	}
	return lagsGeneric
}

func lags8(a, b *[8]float64, x, y, u, v *float64, n int) {
	if lagPath == lagsAVX512 {
		lags8AVX512(a, b, x, y, u, v, n)
	} else {
		lags8AVX2(a, b, x, y, u, v, n)
	}
}

func lags16(a, b *[16]float64, x, y, u, v *float64, n int) {
	if lagPath == lagsAVX512 {
		lags16AVX512(a, b, x, y, u, v, n)
	} else {
		lags16AVX2(a, b, x, y, u, v, n)
	}
}
