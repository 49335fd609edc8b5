package f32

import "github.com/psgld/psgld-tui/nets/tool/simd"

//go:generate go run -C _gen . tiles512 -out ../tiles512_amd64.s -stubs ../tiles512_amd64.go -pkg f32
//go:generate go run -C _gen . tiles256 -out ../tiles256_amd64.s -stubs ../tiles256_amd64.go -pkg f32
//go:generate go run -C _gen . elements -out ../elements_amd64.s -stubs ../elements_amd64.go -pkg f32
//go:generate go run -C _gen . pack -out ../pack_amd64.s -stubs ../pack_amd64.go -pkg f32
//go:generate go run -C _gen . sparse -out ../sparse_amd64.s -stubs ../sparse_amd64.go -pkg f32
//go:generate go run -C _gen . winograd -out ../winograd_amd64.s -stubs ../winograd_amd64.go -pkg f32
//go:generate go run -C _gen . peak -out ../peaktest/peak_amd64.s -stubs ../peaktest/peak_amd64.go -pkg peaktest
//go:generate go run -C _gen . neon -out ../neon_arm64.s -stubs ../neon_stubs_arm64.go -pkg f32
//go:generate go run -C _gen . dispatch

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
