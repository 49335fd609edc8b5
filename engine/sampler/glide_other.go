//go:build !amd64 || noasm

package sampler

import "github.com/psgld/psgld-tui/engine/noise"

// glides is glideGeneric.
func glides(_ string, theta, v, mean []float32, from int, r *thrust, t *travel, z *noise.Schedule) {
	glideGeneric(theta, v, mean, from, r, t, z)
}
