package step32

import (
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

//go:generate go run -C _gen . steps -out ../steps_amd64.s -stubs ../steps_stubs_amd64.go -pkg step32
//go:generate go run -C _gen . momentum -out ../momentum_amd64.s -stubs ../momentum_stubs_amd64.go -pkg step32
//go:generate go run -C _gen . meanfield -out ../meanfield_amd64.s -stubs ../meanfield_stubs_amd64.go -pkg step32
//go:generate go run -C _gen . neon -out ../neon_arm64.s -stubs ../neon_stubs_arm64.go -pkg step32
//go:generate go run -C _gen . dispatch

// callSize is the most coordinates in a call of assembly. A call takes four to twelve
// microseconds, in which the runtime cannot interrupt it.
const callSize = 128 * noise.Group

// Step advances c by a path that the machine has; z is nil at T = 0.
func (r *Langevin) Step(path simd.Path, c Segment, s *Sums, z *noise.Schedule) {
	for path != simd.Generic && len(c.Theta) >= noise.Group {
		n := callOf(len(c.Theta))
		langevinGroups(path == simd.AVX512, &c.Theta[0], first(c.V), &c.Mean[0], first(c.Second), n/noise.Group,
			&r.Alpha[0], &s.Drift[0], words(z), noise.GroupBlock(c.From))
		c = c.Between(n, len(c.Theta))
	}
	if len(c.Theta) > 0 {
		r.generic(c, s, z)
	}
}

// callOf is how many of n coordinates a call of assembly takes.
func callOf(n int) int { return min(n&^(noise.Group-1), callSize) }

// first is where the numbers of x are; nil if there are none.
func first(x []float32) *float32 {
	if len(x) == 0 {
		return nil
	}
	return &x[0]
}

// words is where those of a schedule are; nil if there is none.
func words(z *noise.Schedule) *uint32 {
	if z == nil {
		return nil
	}
	return &z[0][0]
}

// Step advances neighbouring coordinates by a path that the machine has. The first of them is number from of its
// vector, a multiple of noise.Group; z is nil without noise.
func (r *Momentum) Step(path simd.Path, theta, v, mean []float32, from int, s *MomentumSums, z *noise.Schedule) {
	for path != simd.Generic && len(theta) >= noise.Group {
		n := callOf(len(theta))
		momentumGroups(path == simd.AVX512, &theta[0], &v[0], &mean[0], n/noise.Group, &r.N[0], &s.Drift[0],
			words(z), noise.GroupBlock(from))
		theta, v, mean, from = theta[n:], v[n:], mean[n:], from+n
	}
	if len(theta) > 0 {
		r.generic(theta, v, mean, from, s, z)
	}
}

// Displace advances as many groups of a block as it can by a path of the machine
// and returns how many coordinates those are.
func Displace(path simd.Path, kind Displacer, c *Block[float32], numbers *Numbers, s *Sums) (done int) {
	if path == simd.Generic {
		return 0
	}
	done = len(c.Theta) &^ (noise.Group - 1)
	for from := 0; from < done; from += callSize {
		at := func(x []float32) *float32 { return first(x[min(from, len(x)):]) }
		displace(path == simd.AVX512, kind, at(c.Theta), at(c.Mean), at(c.V), at(c.Own), at(c.Second), at(c.Gain),
			min(callSize, done-from)/noise.Group, &numbers[0][0], &s.Drift[0])
	}
	return done
}

// meanFieldCall is the most coordinates in a call of assembly, which takes some ten microseconds.
const meanFieldCall = 128 * meanFieldLanes

// DrawMeanField writes a draw of q, μ + σ∘z, to theta by a path that the machine has.
func DrawMeanField(path simd.Path, theta, z, mu, rho []float32) {
	for path != simd.Generic && len(theta) >= meanFieldLanes {
		n := min(len(theta)&^(meanFieldLanes-1), meanFieldCall)
		drawGroups(path == simd.AVX512, &theta[0], &z[0], &mu[0], &rho[0], n/meanFieldLanes)
		theta, z, mu, rho = theta[n:], z[n:], mu[n:], rho[n:]
	}
	drawGeneric(theta, z, mu, rho)
}

// Step advances c by a path that the machine has.
func (r *MeanField) Step(path simd.Path, c MeanFieldSegment, s *MeanFieldSums) {
	for path != simd.Generic && len(c.Theta) >= meanFieldLanes {
		n := min(len(c.Theta)&^(meanFieldLanes-1), meanFieldCall)
		meanFieldGroups(path == simd.AVX512, r.Mixture, &c.Theta[0], &c.Z[0], &c.Mean[0], &c.Mu[0], &c.Rho[0],
			&c.MuV[0], &c.RhoV[0],
			n/meanFieldLanes, &r.Alpha[0], &s.Drift[0])
		c = c.Between(n, len(c.Theta))
	}
	r.generic(c, s)
}
