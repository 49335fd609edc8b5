package engine

import (
	"fmt"
	"hash/fnv"
	"math"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// A Digest is a lane's fingerprint: FNV-1a of the bits of θ, V and the step.
// Two runs with the same digest went through the same states, but for a chance
// of 2⁻⁶⁴.
type Digest struct {
	Lane   int    `json:"lane"`
	At     uint64 `json:"at"` // steps executed since the lane was made
	Digest string `json:"digest"`
}

func digest[F sampler.Float](s *sampler.State[F]) string {
	h := fnv.New64a()
	var b [8]byte
	put := func(u uint64) {
		for i := range b {
			b[i] = byte(u >> (8 * i))
		}
		h.Write(b[:])
	}
	for _, v := range [...][]F{s.Theta, s.V} {
		for _, x := range v {
			put(math.Float64bits(float64(x)))
		}
	}
	put(s.Step)
	return fmt.Sprintf("%016x", h.Sum64())
}

// firstDigest is the step of the first periodic digest; they come at its
// doublings, so that a session of any length has few.
const firstDigest = 1024
