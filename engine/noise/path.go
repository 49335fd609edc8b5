package noise

import "github.com/psgld/psgld-tui/nets/simd"

// A path is a way to make the normals. All give the same bits; pairsGeneric and
// groupsGeneric define them.
type path simd.Path

const (
	generic = path(simd.Generic)
	avx2    = path(simd.AVX2)
	avx512  = path(simd.AVX512)
	neon    = path(simd.NEON)
)

// active is that of the machine.
var active = path(simd.Active)
