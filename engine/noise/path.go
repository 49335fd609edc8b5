package noise

import "os"

// A path is a way to make the normals. All give the same bits; pairsGeneric and
// groupsGeneric define them.
type path uint8

const (
	generic path = iota
	avx2
	avx512
)

// The names of the paths.
const (
	Generic = "generic"
	AVX2    = "avx2"
	AVX512  = "avx512"
)

var pathNames = [...]string{Generic, AVX2, AVX512}

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

// Path names the way that normals are made on this machine: AVX512, AVX2 or
// Generic. The environment variable PSGLD_SIMD, set to one of the names, forces
// a lesser one; the build tag noasm leaves generic only. The normals are the
// same bits on all of them.
func Path() string { return pathNames[active] }
