//go:build !noasm

package sampler

import "github.com/psgld/psgld-tui/nets/simd"

// vectors steps as many of the first coordinates as fill vectors, at least one, and returns how
// many. All slices have the length of θ.
func vectors(theta, v, gain, drift, inject, mean, second, z []float64, k *numbers) int {
	if simd.Active < simd.AVX2 {
		return 0
	}
	n := len(theta) / lanes * lanes
	preconditionedAVX2(&theta[0], &v[0], &gain[0], &drift[0], &inject[0], &mean[0], &second[0], &z[0], n, k)
	return n
}

// plainVectors is vectors where G = 1.
func plainVectors(theta, drift, inject, mean, z []float64, k *numbers) int {
	if simd.Active < simd.AVX2 {
		return 0
	}
	n := len(theta) / lanes * lanes
	plainAVX2(&theta[0], &drift[0], &inject[0], &mean[0], &z[0], n, k)
	return n
}
