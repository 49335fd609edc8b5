//go:build !amd64 || noasm

package sampler

// draw is drawGeneric.
func draw(_ string, theta, z, mu, rho []float32) { drawGeneric(theta, z, mu, rho) }

// moveField is fieldGeneric.
func moveField(_ string, c fieldStretch, r *fieldRule, s *fieldSums) {
	fieldGeneric(c, r, s)
}
