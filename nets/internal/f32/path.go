package f32

import "github.com/psgld/psgld-tui/nets/simd"

// A path is a set of kernels. The generic ones define what all compute.
type path simd.Path

const (
	generic = path(simd.Generic)
	avx2    = path(simd.AVX2)
	avx512  = path(simd.AVX512)
)

// active is that of the machine.
var active = path(simd.Active)
