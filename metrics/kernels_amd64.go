//go:build !noasm

package metrics

import "github.com/psgld/psgld-tui/nets/tool/simd"

func lags8(a, b *[8]float64, x, y, u, v *float64, n int) {
	if path == simd.AVX512 {
		lags8AVX512(a, b, x, y, u, v, n)
	} else {
		lags8AVX2(a, b, x, y, u, v, n)
	}
}

func lags16(a, b *[16]float64, x, y, u, v *float64, n int) {
	if path == simd.AVX512 {
		lags16AVX512(a, b, x, y, u, v, n)
	} else {
		lags16AVX2(a, b, x, y, u, v, n)
	}
}
