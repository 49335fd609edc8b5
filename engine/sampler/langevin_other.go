//go:build !(amd64 || arm64) || noasm

package sampler

// vectors is false: there is no assembly.
func vectors() bool { return false }

func plainVectors(_, _, _, _, _, _ *float64, _ int, _ *numbers) {}

func preconditionedVectors(_, _, _, _, _, _, _, _, _ *float64, _ int, _ *numbers) {}
