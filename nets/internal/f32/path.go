package f32

import "os"

// A path is a set of kernels. The generic ones define what all compute.
type path uint8

const (
	generic path = iota
	avx2
	avx512
)

var pathNames = [...]string{"generic", "avx2", "avx512"}

// active is set once, from what the processor has.
var active = choose(best(), os.Getenv("PSGLD_SIMD"))

// choose returns the path named by limit, or have where that is less or limit
// names none.
func choose(have path, limit string) path {
	for p, name := range pathNames {
		if name == limit {
			return min(path(p), have)
		}
	}
	return have
}

// Path names the kernels that are used on this machine: "avx512", "avx2" or
// "generic". The environment variable PSGLD_SIMD, set to one of the names, forces
// a lesser one; the build tag noasm leaves generic only. Paths differ in the
// order and the rounding of sums.
func Path() string { return pathNames[active] }
