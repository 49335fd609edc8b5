package f32

import "github.com/psgld/psgld-tui/nets/simd"

// A path is a set of kernels. The exact ones define what all compute but the generic
// ones, which do the same with two roundings for each term.
type path int8

const (
	exact   path = iota - 1
	generic      // the same code as exact, without the emulation
	avx2
	avx512
	neon
)

// active is that of the machine.
var active = choose()

func choose() path {
	if simd.Exact {
		return exact
	}
	return generic + path(simd.Active)
}
