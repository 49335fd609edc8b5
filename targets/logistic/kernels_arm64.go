//go:build !noasm

package logistic

import "github.com/psgld/psgld-tui/nets/tool/simd"

func marginsVectors(_ simd.Path, z, tiles, theta *float64, count, cols int) {
	marginsNEON(z, tiles, theta, count, cols)
}

func accumulateVectors(_ simd.Path, dst, w, x *float64, quads, cols int) {
	accumulateNEON(dst, w, x, quads, cols)
}

func residualsVectors(_ simd.Path, z *float64, y *int32, count int, share float64, factor, below *[lanes]float64) {
	residualsNEON(z, y, count, share, factor, below)
}
