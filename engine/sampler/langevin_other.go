//go:build !(amd64 || arm64) || noasm

package sampler

// There is no assembly, and no path that asks for it.

func plainVectors(_, _, _, _, _, _ *float64, _ int, _ *numbers)                   {}
func preconditionedVectors(_, _, _, _, _, _, _, _, _ *float64, _ int, _ *numbers) {}
