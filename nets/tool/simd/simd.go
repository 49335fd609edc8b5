// Package simd says which vector instructions kernels are to use.
package simd

import "os"

// A Path is a set of kernels. The generic ones are Go. All give the same bits, but for the
// networks' sums of products: assembly fuses these, as Exact does.
type Path uint8

// The paths.
const (
	Generic Path = iota
	AVX2         // and FMA
	AVX512       // F and DQ, and AVX2
	NEON         // of arm64
)

func (p Path) String() string { return [...]string{"generic", "avx2", "avx512", "neon"}[p] }

// Paths are those that the processor and the system allow, up to Active.
var Paths = upTo(have(), os.Getenv(variable))

// Active is the fastest path that the processor and the system allow, unless the environment
// variable PSGLD_SIMD names a lesser one. The build tag noasm leaves Generic alone.
var Active = Paths[len(Paths)-1]

// Exact is whether the networks' generic kernels emulate the fused multiply-adds of
// assembly, to the same bits and many times slower. It is asked for by PSGLD_SIMD=exact.
var Exact = os.Getenv(variable) == exact

const variable, exact = "PSGLD_SIMD", "exact"

// upTo cuts the paths of a machine behind the one named by limit. It leaves all where limit names none of them.
func upTo(have []Path, limit string) []Path {
	if limit == exact {
		limit = Generic.String()
	}
	for i, p := range have {
		if p.String() == limit {
			return have[:i+1]
		}
	}
	return have
}

// OtherDigits reports whether networks have other digits than on the paths with fused multiply-adds.
func OtherDigits() bool { return Active == Generic && !Exact }

// Kernels names the active path, and says what it means for networks.
func Kernels() string {
	switch {
	case Exact:
		return "generic, exact for networks"
	case OtherDigits():
		return "generic, " + Others
	}
	return Active.String()
}

// Others says that networks have other digits.
const Others = "other digits for networks"
