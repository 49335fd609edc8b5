// Package trace holds what is remembered of a chain's path.
package trace

import (
	"fmt"
	"math"
	"math/bits"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

var (
	_ metrics.Recorder = (*Ring)(nil)
	_ metrics.Recorder = (*Envelope)(nil)
)

// Digest hashes the states of chains, in order. That of one chain is the hash of its state.
func Digest[F sampler.Float](chains ...*sampler.State[F]) string {
	sum := hash(chains[0])
	for _, s := range chains[1:] {
		sum = mix(mix(sum, 1), hash(s)) // mix alone is symmetric
	}
	return fmt.Sprintf("%016x", sum)
}

// hash hashes a state. A network has millions of numbers and every command makes a
// digest, so it hashes words, in four sums that do not wait for each other.
func hash[F sampler.Float](s *sampler.State[F]) uint64 {
	h := [4]uint64{0x9e3779b97f4a7c15, 0xbf58476d1ce4e5b9, 0x94d049bb133111eb, 0xd6e8feb86659fd93}
	for i := range 2 + len(s.Own) {
		v := s.Theta
		switch {
		case i == 1:
			v = s.V
		case i > 1:
			v = s.Own[i-2]
		}
		for ; len(v) >= 4; v = v[4:] {
			h[0] = mix(h[0], math.Float64bits(float64(v[0])))
			h[1] = mix(h[1], math.Float64bits(float64(v[1])))
			h[2] = mix(h[2], math.Float64bits(float64(v[2])))
			h[3] = mix(h[3], math.Float64bits(float64(v[3])))
		}
		for i, x := range v {
			h[i] = mix(h[i], math.Float64bits(float64(x)))
		}
	}
	sum := s.Step
	for _, x := range h {
		sum = mix(sum, x)
	}
	return sum
}

// mix adds a word to a hash. It multiplies by an odd number and rotates. Both can be
// undone, so two words never give the same hash.
func mix(h, word uint64) uint64 {
	h = (h ^ word) * 0xff51afd7ed558ccd
	return bits.RotateLeft64(h, 29) * 0xc4ceb9fe1a85ec53
}

// Tracked is every one of dim coordinates, or most of them spread evenly.
func Tracked(dim, most int) []int {
	n := min(dim, most)
	return list.Map(list.Upto(n), func(i int) int { return i * dim / n })
}
