//go:build !noasm

package sampler

import "github.com/psgld/psgld-tui/engine/noise"

//go:generate go run -C _gen . -out ../move_amd64.s -stubs ../move_stubs_amd64.go -pkg sampler

// callSize is how many coordinates a call in assembly steps at most, which takes
// four to twelve microseconds: the runtime cannot interrupt it.
const callSize = 128 * noise.Group

// move is moveGeneric by the path of a name, which the machine has.
func move(path string, c stretch, r *rule, s *sums, z *noise.Schedule) {
	for path != noise.Generic && len(c.theta) >= noise.Group {
		var head stretch
		head, c = c.split(min(len(c.theta)&^(noise.Group-1), callSize))
		moveGroups(path, head, r, s, z)
	}
	if len(c.theta) > 0 {
		moveGeneric(c, r, s, z)
	}
}

// moveGroups is move on whole groups, at least one.
func moveGroups(path string, c stretch, r *rule, s *sums, z *noise.Schedule) {
	var (
		theta, mean = &c.theta[0], &c.mean[0]
		v, second   *float32
		schedule    *uint32
		n           = len(c.theta) / noise.Group
		block       = noise.GroupBlock(c.from)
		numbers     = &r.alpha[0]
		counts      = &s.drift[0]
		wide        = path == noise.AVX512
	)
	if c.v != nil {
		v, second = &c.v[0], &c.second[0]
	}
	if z != nil {
		schedule = &z[0][0]
	}
	switch {
	case v != nil && z != nil && wide:
		movePreconditionedAVX512(theta, v, mean, second, n, numbers, counts, schedule, block)
	case v != nil && z != nil:
		movePreconditionedAVX2(theta, v, mean, second, n, numbers, counts, schedule, block)
	case v != nil && wide:
		movePreconditionedStillAVX512(theta, v, mean, second, n, numbers, counts, schedule, block)
	case v != nil:
		movePreconditionedStillAVX2(theta, v, mean, second, n, numbers, counts, schedule, block)
	case z != nil && wide:
		moveAVX512(theta, v, mean, second, n, numbers, counts, schedule, block)
	case z != nil:
		moveAVX2(theta, v, mean, second, n, numbers, counts, schedule, block)
	case wide:
		moveStillAVX512(theta, v, mean, second, n, numbers, counts, schedule, block)
	default:
		moveStillAVX2(theta, v, mean, second, n, numbers, counts, schedule, block)
	}
}
