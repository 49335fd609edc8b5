//go:build !noasm

package sampler

import "github.com/psgld/psgld-tui/engine/noise"

//go:generate go run -C _gen ./field -out ../field_amd64.s -stubs ../field_stubs_amd64.go -pkg sampler

// fieldCall is how many coordinates a call in assembly steps at most, which takes
// some ten microseconds: the runtime cannot interrupt it.
const fieldCall = 128 * fieldLanes

// draw is drawGeneric by the path of a name, which the machine has.
func draw(path string, theta, z, mu, rho []float32) {
	for path != noise.Generic && len(theta) >= fieldLanes {
		n := min(len(theta)&^(fieldLanes-1), fieldCall)
		if path == noise.AVX512 {
			drawAVX512(&theta[0], &z[0], &mu[0], &rho[0], n/fieldLanes)
		} else {
			drawAVX2(&theta[0], &z[0], &mu[0], &rho[0], n/fieldLanes)
		}
		theta, z, mu, rho = theta[n:], z[n:], mu[n:], rho[n:]
	}
	drawGeneric(theta, z, mu, rho)
}

// moveField is fieldGeneric by the path of a name, which the machine has.
func moveField(path string, c fieldStretch, r *fieldRule, s *fieldSums) {
	for path != noise.Generic && len(c.theta) >= fieldLanes {
		n := min(len(c.theta)&^(fieldLanes-1), fieldCall)
		fieldGroups(path == noise.AVX512, c.between(0, n), r, s)
		c = c.between(n, len(c.theta))
	}
	fieldGeneric(c, r, s)
}

// fieldGroups is moveField on whole groups, at least one.
func fieldGroups(wide bool, c fieldStretch, r *fieldRule, s *fieldSums) {
	theta, z, mean := &c.theta[0], &c.z[0], &c.mean[0]
	mu, rho, muV, rhoV := &c.mu[0], &c.rho[0], &c.muV[0], &c.rhoV[0]
	n, numbers, counts := len(c.theta)/fieldLanes, &r.alpha[0], &s.drift[0]
	switch {
	case r.mixture && wide:
		fieldMixtureAVX512(theta, z, mean, mu, rho, muV, rhoV, n, numbers, counts)
	case r.mixture:
		fieldMixtureAVX2(theta, z, mean, mu, rho, muV, rhoV, n, numbers, counts)
	case wide:
		fieldAVX512(theta, z, mean, mu, rho, muV, rhoV, n, numbers, counts)
	default:
		fieldAVX2(theta, z, mean, mu, rho, muV, rhoV, n, numbers, counts)
	}
}
