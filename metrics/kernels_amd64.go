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

func addLags8(a, b *[8]float64, x, y, u, v []float64) { addLags8By(lagPath, a, b, x, y, u, v) }

func addLags16(a, b *[16]float64, x, y, u, v []float64) { addLags16By(lagPath, a, b, x, y, u, v) }

func addLags8By(path int, a, b *[8]float64, x, y, u, v []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags8Generic(a, b, x, y, u, v)
		return
	}
	_, _, _ = y[len(x)+6], u[len(x)-1], v[len(x)+6]
	if path == lagsAVX512 {
		lags8AVX512(a, b, &x[0], &y[0], &u[0], &v[0], len(x))
	} else {
		lags8AVX2(a, b, &x[0], &y[0], &u[0], &v[0], len(x))
	}
}

func addLags16By(path int, a, b *[16]float64, x, y, u, v []float64) {
	if path == lagsGeneric || len(x) == 0 {
		addLags16Generic(a, b, x, y, u, v)
		return
	}
	_, _, _ = y[len(x)+14], u[len(x)-1], v[len(x)+14]
	if path == lagsAVX512 {
		lags16AVX512(a, b, &x[0], &y[0], &u[0], &v[0], len(x))
	} else {
		lags16AVX2(a, b, &x[0], &y[0], &u[0], &v[0], len(x))
	}
}
