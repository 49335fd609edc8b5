//go:build (amd64 || arm64) && !noasm

package sampler

import "github.com/psgld/psgld-tui/nets/simd"

// vectors reports whether the processor has those of the assembly.
func vectors() bool { return simd.Active != simd.Generic }
