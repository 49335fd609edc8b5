//go:build !noasm

package noise

import "github.com/psgld/psgld-tui/nets/tool/simd"

func pairsVectors(p simd.Path, dst *float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	if p == simd.AVX512 {
		pairsAVX512(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	} else {
		pairsAVX2(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	}
}

func groupsVectors(p simd.Path, dst []float32, block uint32, schedule *uint32) {
	if p == simd.AVX512 {
		groupsAVX512(dst, block, schedule)
	} else {
		groupsAVX2(dst, block, schedule)
	}
}
