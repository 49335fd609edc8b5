//go:build !(amd64 || arm64) || noasm

package noise

import "github.com/psgld/psgld-tui/nets/simd"

// pairs is pairsGeneric.
func pairs(_ simd.Path, dst []float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	pairsGeneric(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
}

// groups is groupsGeneric.
func groups(_ simd.Path, dst []float32, block uint32, k *Schedule) { groupsGeneric(dst, block, k) }
