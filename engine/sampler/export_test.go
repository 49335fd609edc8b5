package sampler

// PreOf returns the preconditioner of a kernel of NewLangevin32.
func PreOf(k Kernel[float32]) SecondMoment { return k.(*langevin32).pre }
