// Package simd says which vector instructions kernels are to use.
package simd

import "os"

// A Path is a set of kernels. The generic ones define what all compute.
type Path uint8

// The paths, each with all instructions of those before it.
const (
	Generic Path = iota
	AVX2         // and FMA
	AVX512       // F and DQ
)

func (p Path) String() string { return [...]string{"generic", "avx2", "avx512"}[p] }

// Active is the fastest path that the processor and the system allow, unless the environment
// variable PSGLD_SIMD names a lesser one. The build tag noasm leaves Generic alone.
var Active = choose(best(), os.Getenv("PSGLD_SIMD"))

// choose returns the path named by limit, or have where that is less or limit
// names none.
func choose(have Path, limit string) Path {
	for p := range have {
		if p.String() == limit {
			return p
		}
	}
	return have
}
