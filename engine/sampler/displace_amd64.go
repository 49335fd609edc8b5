//go:build !noasm

package sampler

import "github.com/psgld/psgld-tui/engine/noise"

// displace does the first n coordinates of a block by the path of a name, which
// the machine has and is not noise.Generic; n is a multiple of noise.Group.
func displace(path string, kind vector, c *block[float32], n int, table *[tableSize][8]float32, s *sums) {
	for from := 0; from < n; from += callSize {
		displaceGroups(path == noise.AVX512, kind, c, from, min(callSize, n-from)/noise.Group, &table[0][0], &s.drift[0])
	}
}

// displaceGroups is displace on whole groups from a coordinate on, at least one.
func displaceGroups(wide bool, kind vector, c *block[float32], from, n int, table, counts *float32) {
	at := func(x []float32) *float32 {
		if x == nil {
			return nil
		}
		return &x[from]
	}
	theta, mean, v, own, second, gain := at(c.theta), at(c.mean), at(c.v), at(c.own), at(c.second), at(c.gain)
	switch {
	case kind == vectorBall && wide:
		displaceBallAVX512(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorBall:
		displaceBallAVX2(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorRMSBall && wide:
		displaceRMSBallAVX512(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorRMSBall:
		displaceRMSBallAVX2(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorAdagrad && wide:
		displaceAdagradAVX512(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorAdagrad:
		displaceAdagradAVX2(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorAdadelta && wide:
		displaceAdadeltaAVX512(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorAdadelta:
		displaceAdadeltaAVX2(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorAdam && wide:
		displaceAdamAVX512(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorAdam:
		displaceAdamAVX2(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorWhitening && wide:
		displaceWhiteningAVX512(theta, mean, v, own, second, gain, n, table, counts)
	case kind == vectorWhitening:
		displaceWhiteningAVX2(theta, mean, v, own, second, gain, n, table, counts)
	default:
		panic("sampler: a displacer without assembly")
	}
}
