// Package companion runs silent companions of a chain, at half and at a quarter of its step, by which the bias of the
// discretisation is extrapolated ([metrics.Richardson]).
//
// A step of the chain with the noise z is two steps of the first companion with the noises
// (z + ζ)/√2 and (z - ζ)/√2, which are independent standard normals, and each of these is two
// steps of the second in the same way. So all three see one Brownian path, and what noise they
// share cancels in their differences. Minibatches and gradient noise are their own: shared
// ones would be twice and four times as strong at the smaller steps.
package companion

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// A Chain makes steps with noise that it is given.
type Chain[F sampler.Float] interface {
	Where() *sampler.State[F]
	// Move makes the step of that number with noise z. It reports whether its state can be used.
	Move(step uint64, z []F, p *sampler.Params) bool
}

// Pair is the companions of a chain.
type Pair[F sampler.Float] struct {
	Levels [2]Chain[F]
	Params [2]sampler.Params
	Sums   *metrics.Richardson
	Why    metrics.Status // why nothing can be told; OK

	split  [2]*noise.Normals[F] // ζ
	halves [2][2][]F            // of z, and of each half
	at     []int                // coordinates
	draws  [3][]float64
}

// New makes a pair of chains, each with its ζ, that tells of the coordinates at.
func New[F sampler.Float](levels [2]Chain[F], split [2]*noise.Normals[F], at []int) *Pair[F] {
	s := &Pair[F]{Levels: levels, split: split, at: at, Sums: metrics.NewRichardson(len(at))}
	for k := range s.draws {
		s.draws[k] = make([]float64, len(at))
	}
	for k, c := range levels {
		n := len(c.Where().Theta)
		s.halves[k] = [2][]F{make([]F, n), make([]F, n)}
	}
	return s
}

// Follow takes the companions to where the chain stands, as after a rewind.
func (s *Pair[F]) Follow(chain *sampler.State[F]) {
	for k, c := range s.Levels {
		to := c.Where()
		to.Copy(chain)
		to.Step = chain.Step << (k + 1)
	}
}

// Step takes the companions through the next step of the chain, which is at a state and has noise z.
func (s *Pair[F]) Step(step uint64, z []F) {
	if s.Why != metrics.OK {
		return
	}
	s.halve(0, z, step)
	for j, half := range s.halves[0] {
		at := 2*step + uint64(j)
		s.move(0, at, half)
		s.halve(1, half, at)
		for i, quarter := range s.halves[1] {
			s.move(1, 2*at+uint64(i), quarter)
		}
	}
}

// halve makes the noises of a level's two steps out of z, that of a step of the level above.
func (s *Pair[F]) halve(level int, z []F, step uint64) {
	const half = math.Sqrt2 / 2
	a, b := s.halves[level][0], s.halves[level][1]
	for i, x := range s.split[level].At(step) {
		u, w := F(half*float64(z[i])), F(half*float64(x))
		a[i], b[i] = u+w, u-w
	}
}

func (s *Pair[F]) move(level int, step uint64, z []F) {
	if !s.Levels[level].Move(step, z, &s.Params[level]) {
		s.Why = metrics.NotStationary // or of no use at these steps
	}
}

// Keep takes the present states of the chain and its companions as draws of weight w.
func (s *Pair[F]) Keep(theta []F, w float64) {
	if s.Why != metrics.OK {
		return
	}
	for k, theta := range [3][]F{theta, s.Levels[0].Where().Theta, s.Levels[1].Where().Theta} {
		for i, at := range s.at {
			s.draws[k][i] = float64(theta[at])
		}
	}
	s.Sums.Add(w, s.draws)
}

// Bias is the bias that the step size causes in a coordinate, of the mean and of the variance relative to the unbiased one.
// The window has so many draws.
func (s *Pair[F]) Bias(coord int, draws uint64) (mean, variance metrics.Estimate) {
	why, at := s.Why, slices.Index(s.at, coord)
	if why == metrics.OK && at < 0 { // of many coordinates some have none
		why = metrics.Unknown
	}
	if why != metrics.OK {
		none := metrics.Withheld(why, draws)
		return none, none
	}
	return s.Sums.Bias(at)
}
