package sampler

// InParts returns the kernel of NewLangevin32 as one that steps in parts, the
// preconditioner first.
func InParts(k Kernel[float32]) Kernel[float32] {
	return newLangevin[float32](k.(*langevin32).pre)
}

// Precondition does the first of these parts.
func Precondition(pre SecondMoment, s *State[float64], g Gradient[float64], p *Params) (mean, gain, gamma []float64) {
	return (&secondMoment[float64]{numbers: pre}).precondition(s, g, p)
}
