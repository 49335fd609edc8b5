//go:build !noasm

package noise

import "github.com/psgld/psgld-tui/nets/simd"

//go:generate go run -C _gen . -out ../pairs_amd64.s -stubs ../stubs_amd64.go -pkg noise
//go:generate go run -C _gen . neon -out ../pairs_arm64.s -stubs ../stubs_arm64.go -pkg noise
//go:generate go run -C _gen ./groups -out ../groups_amd64.s -stubs ../groups_stubs_amd64.go -pkg noise
//go:generate go run -C _gen ./groups neon -out ../groups_arm64.s -stubs ../groups_stubs_arm64.go -pkg noise

// pairs is pairsGeneric by a path that the machine has. The calls are direct, so
// that dst can stay on the caller's stack.
func pairs(p simd.Path, dst []float64, n, stride int, c0, d0, c1, d1, c2, c3, k0, k1 uint32) {
	checkPairs(dst, n, stride)
	switch p {
	case simd.AVX512:
		pairsAVX512(&dst[0], n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	case simd.AVX2:
		pairsAVX2(&dst[0], n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	default:
		pairsGeneric(dst, n, stride, c0, d0, c1, d1, c2, c3, k0, k1)
	}
}

// groups is groupsGeneric by a path that the machine has.
func groups(p simd.Path, dst []float32, block uint32, k *Schedule) {
	switch p {
	case simd.AVX512:
		groupsAVX512(dst, block, &k[0][0])
	case simd.AVX2:
		groupsAVX2(dst, block, &k[0][0])
	default:
		groupsGeneric(dst, block, k)
	}
}
