//go:build !noasm

package logistic

import "github.com/psgld/psgld-tui/nets/tool/simd"

func marginsVectors(p simd.Path, z, tiles, theta *float64, count, cols int) {
	if p == simd.AVX512 {
		marginsAVX512(z, tiles, theta, count, cols)
	} else {
		marginsAVX2(z, tiles, theta, count, cols)
	}
}

func accumulateVectors(p simd.Path, dst, w, x *float64, quads, cols int) {
	if p == simd.AVX512 {
		accumulateAVX512(dst, w, x, quads, cols)
	} else {
		accumulateAVX2(dst, w, x, quads, cols)
	}
}

func residualsVectors(p simd.Path, z *float64, y *int32, count int, share float64, factor, below *[lanes]float64) {
	if p == simd.AVX512 {
		residualsAVX512(z, y, count, share, factor, below)
	} else {
		residualsAVX2(z, y, count, share, factor, below)
	}
}
