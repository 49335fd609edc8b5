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

func addLags8(acc *[8]float64, x, y []float64) { addLags8By(lagPath, acc, x, y) }

func addLags16(acc *[16]float64, x, y []float64) { addLags16By(lagPath, acc, x, y) }

func addLags8By(path int, acc *[8]float64, x, y []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags8Generic(acc, x, y)
		return
	}
	_ = y[len(x)+6]
	if path == lagsAVX512 {
		lags8AVX512(acc, &x[0], &y[0], len(x))
	} else {
		lags8AVX2(acc, &x[0], &y[0], len(x))
	}
}

func addLags16By(path int, acc *[16]float64, x, y []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags16Generic(acc, x, y)
		return
	}
	_ = y[len(x)+14]
	if path == lagsAVX512 {
		lags16AVX512(acc, &x[0], &y[0], len(x))
	} else {
		lags16AVX2(acc, &x[0], &y[0], len(x))
	}
}
