//go:build !amd64 || noasm

package sampler

// displace is not called: there is only noise.Generic.
func displace(string, vector, *block[float32], int, *[tableSize][8]float32, *sums) {
	panic("sampler: no assembly here")
}
