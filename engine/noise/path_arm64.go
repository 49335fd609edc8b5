//go:build !noasm

package noise

import "github.com/psgld/psgld-tui/nets/tool/simd"

func pairsVectors(_ simd.Path, dst *float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	pairsNEON(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
}

func groupsVectors(_ simd.Path, dst []float32, block uint32, schedule *uint32) {
	groupsNEON(dst, block, schedule)
}
