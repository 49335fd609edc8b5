//go:build !noasm

package sampler

import "github.com/psgld/psgld-tui/nets/simd"

// vectors reports whether the processor has those of the assembly.
func vectors() bool { return simd.Active >= simd.AVX2 }
