//go:build !noasm

package sampler

import "github.com/psgld/psgld-tui/engine/noise"

//go:generate go run -C _gen ./glide -out ../glide_amd64.s -stubs ../glide_stubs_amd64.go -pkg sampler

// glides is glideGeneric by the path of a name, which the machine has.
func glides(path string, theta, v, mean []float32, from int, r *thrust, t *travel, z *noise.Schedule) {
	for path != noise.Generic && len(theta) >= noise.Group {
		n := min(len(theta)&^(noise.Group-1), callSize)
		groups, wide := n/noise.Group, path == noise.AVX512
		switch {
		case z != nil && wide:
			glideAVX512(&theta[0], &v[0], &mean[0], groups, &r.n[0], &t.drift[0], &z[0][0], noise.GroupBlock(from))
		case z != nil:
			glideAVX2(&theta[0], &v[0], &mean[0], groups, &r.n[0], &t.drift[0], &z[0][0], noise.GroupBlock(from))
		case wide:
			glideStillAVX512(&theta[0], &v[0], &mean[0], groups, &r.n[0], &t.drift[0], nil, 0)
		default:
			glideStillAVX2(&theta[0], &v[0], &mean[0], groups, &r.n[0], &t.drift[0], nil, 0)
		}
		theta, v, mean, from = theta[n:], v[n:], mean[n:], from+n
	}
	if len(theta) > 0 {
		glideGeneric(theta, v, mean, from, r, t, z)
	}
}
