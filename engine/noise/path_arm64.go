//go:build !noasm

package noise

import "github.com/psgld/psgld-tui/nets/simd"

// pairs is pairsGeneric by a path that the machine has.
func pairs(p simd.Path, dst []float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	checkPairs(dst, n, stride)
	if p == simd.NEON {
		pairsNEON(&dst[0], n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	} else {
		pairsGeneric(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	}
}

// groups is groupsGeneric by a path that the machine has.
func groups(p simd.Path, dst []float32, block uint32, k *Schedule) {
	if p == simd.NEON {
		groupsNEON(dst, block, &k[0][0])
	} else {
		groupsGeneric(dst, block, k)
	}
}
