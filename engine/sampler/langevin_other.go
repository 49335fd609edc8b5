//go:build !amd64 || noasm

package sampler

// vectors leaves all coordinates to the caller.
func vectors(_, _, _, _, _, _, _, _ []float64, _ *numbers) int { return 0 }

// plainVectors leaves all coordinates to the caller.
func plainVectors(_, _, _, _, _ []float64, _ *numbers) int { return 0 }
