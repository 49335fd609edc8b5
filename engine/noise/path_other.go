//go:build !(amd64 || arm64) || noasm

package noise

import "github.com/psgld/psgld-tui/nets/tool/simd"

// There is no assembly, and no path that asks for it.

func pairsVectors(_ simd.Path, _ *float64, _, _ int, _, _, _, _, _, _, _, _ uint32) {}
func groupsVectors(_ simd.Path, _ []float32, _ uint32, _ *uint32)                   {}
