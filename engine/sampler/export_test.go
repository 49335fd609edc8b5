package sampler

// Scalar returns the kernel of NewLangevin32 in the form of NewLangevin64.
func Scalar(k Kernel[float32]) Kernel[float32] { return newLangevin[float32](k.(*langevin32).pre) }
