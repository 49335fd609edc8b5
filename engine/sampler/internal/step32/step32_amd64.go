//go:build !noasm

package step32

import "github.com/psgld/psgld-tui/engine/noise"

//go:generate go run -C _gen . steps -out ../steps_amd64.s -stubs ../steps_stubs_amd64.go -pkg step32
//go:generate go run -C _gen . momentum -out ../momentum_amd64.s -stubs ../momentum_stubs_amd64.go -pkg step32
//go:generate go run -C _gen . meanfield -out ../meanfield_amd64.s -stubs ../meanfield_stubs_amd64.go -pkg step32

// callSize is the most coordinates in a call of assembly. A call takes four to twelve
// microseconds, in which the runtime cannot interrupt it.
const callSize = 128 * noise.Group

// Step advances c by a path that the machine has; z is nil at T = 0.
func (r *Langevin) Step(path string, c Segment, s *Sums, z *noise.Schedule) {
	for path != noise.Generic && len(c.Theta) >= noise.Group {
		var head Segment
		head, c = c.split(min(len(c.Theta)&^(noise.Group-1), callSize))
		r.groups(path == noise.AVX512, head, s, z)
	}
	if len(c.Theta) > 0 {
		r.generic(c, s, z)
	}
}

// groups is Step on whole groups, at least one.
func (r *Langevin) groups(wide bool, c Segment, s *Sums, z *noise.Schedule) {
	var (
		theta, mean = &c.Theta[0], &c.Mean[0]
		v, second   *float32
		schedule    *uint32
		n           = len(c.Theta) / noise.Group
		block       = noise.GroupBlock(c.From)
		numbers     = &r.Alpha[0]
		sums        = &s.Drift[0]
	)
	if c.V != nil {
		v, second = &c.V[0], &c.Second[0]
	}
	if z != nil {
		schedule = &z[0][0]
	}
	switch {
	case v != nil && z != nil && wide:
		langevinPreconditionedAVX512(theta, v, mean, second, n, numbers, sums, schedule, block)
	case v != nil && z != nil:
		langevinPreconditionedAVX2(theta, v, mean, second, n, numbers, sums, schedule, block)
	case v != nil && wide:
		langevinPreconditionedNoiselessAVX512(theta, v, mean, second, n, numbers, sums, schedule, block)
	case v != nil:
		langevinPreconditionedNoiselessAVX2(theta, v, mean, second, n, numbers, sums, schedule, block)
	case z != nil && wide:
		langevinAVX512(theta, v, mean, second, n, numbers, sums, schedule, block)
	case z != nil:
		langevinAVX2(theta, v, mean, second, n, numbers, sums, schedule, block)
	case wide:
		langevinNoiselessAVX512(theta, v, mean, second, n, numbers, sums, schedule, block)
	default:
		langevinNoiselessAVX2(theta, v, mean, second, n, numbers, sums, schedule, block)
	}
}

// Step advances neighbouring coordinates by a path that the machine has. The first
// of them is number from of its vector, a multiple of noise.Group; z is nil without
// noise.
func (r *Momentum) Step(path string, theta, v, mean []float32, from int, s *MomentumSums, z *noise.Schedule) {
	for path != noise.Generic && len(theta) >= noise.Group {
		n := min(len(theta)&^(noise.Group-1), callSize)
		groups, wide := n/noise.Group, path == noise.AVX512
		switch {
		case z != nil && wide:
			momentumAVX512(&theta[0], &v[0], &mean[0], groups, &r.N[0], &s.Drift[0], &z[0][0], noise.GroupBlock(from))
		case z != nil:
			momentumAVX2(&theta[0], &v[0], &mean[0], groups, &r.N[0], &s.Drift[0], &z[0][0], noise.GroupBlock(from))
		case wide:
			momentumNoiselessAVX512(&theta[0], &v[0], &mean[0], groups, &r.N[0], &s.Drift[0], nil, 0)
		default:
			momentumNoiselessAVX2(&theta[0], &v[0], &mean[0], groups, &r.N[0], &s.Drift[0], nil, 0)
		}
		theta, v, mean, from = theta[n:], v[n:], mean[n:], from+n
	}
	if len(theta) > 0 {
		r.generic(theta, v, mean, from, s, z)
	}
}

// Displace advances as many groups of a block as it can by a path of the machine
// and returns how many coordinates those are.
func Displace(path string, kind Displacer, c *Block[float32], numbers *Numbers, s *Sums) (done int) {
	if path == noise.Generic {
		return 0
	}
	done = len(c.Theta) &^ (noise.Group - 1)
	for from := 0; from < done; from += callSize {
		displaceGroups(path == noise.AVX512, kind, c, from, min(callSize, done-from)/noise.Group, &numbers[0][0], &s.Drift[0])
	}
	return done
}

// displaceGroups is Displace on n whole groups from a coordinate on, at least one.
func displaceGroups(wide bool, kind Displacer, c *Block[float32], from, n int, numbers, sums *float32) {
	at := func(x []float32) *float32 {
		if x == nil {
			return nil
		}
		return &x[from]
	}
	theta, mean, v, own, second, gain := at(c.Theta), at(c.Mean), at(c.V), at(c.Own), at(c.Second), at(c.Gain)
	switch {
	case kind == HeavyBall && wide:
		displaceBallAVX512(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == HeavyBall:
		displaceBallAVX2(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == RMSHeavyBall && wide:
		displaceRMSBallAVX512(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == RMSHeavyBall:
		displaceRMSBallAVX2(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Adagrad && wide:
		displaceAdagradAVX512(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Adagrad:
		displaceAdagradAVX2(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Adadelta && wide:
		displaceAdadeltaAVX512(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Adadelta:
		displaceAdadeltaAVX2(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Adam && wide:
		displaceAdamAVX512(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Adam:
		displaceAdamAVX2(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Whitening && wide:
		displaceWhiteningAVX512(theta, mean, v, own, second, gain, n, numbers, sums)
	case kind == Whitening:
		displaceWhiteningAVX2(theta, mean, v, own, second, gain, n, numbers, sums)
	default:
		panic("step32: a displacer without assembly")
	}
}

// meanFieldCall is the most coordinates in a call of assembly, which takes some ten
// microseconds.
const meanFieldCall = 128 * meanFieldLanes

// DrawMeanField writes a draw of q, μ + σ∘z, to theta by a path that the machine
// has.
func DrawMeanField(path string, theta, z, mu, rho []float32) {
	for path != noise.Generic && len(theta) >= meanFieldLanes {
		n := min(len(theta)&^(meanFieldLanes-1), meanFieldCall)
		if path == noise.AVX512 {
			drawAVX512(&theta[0], &z[0], &mu[0], &rho[0], n/meanFieldLanes)
		} else {
			drawAVX2(&theta[0], &z[0], &mu[0], &rho[0], n/meanFieldLanes)
		}
		theta, z, mu, rho = theta[n:], z[n:], mu[n:], rho[n:]
	}
	drawGeneric(theta, z, mu, rho)
}

// Step advances c by a path that the machine has.
func (r *MeanField) Step(path string, c MeanFieldSegment, s *MeanFieldSums) {
	for path != noise.Generic && len(c.Theta) >= meanFieldLanes {
		n := min(len(c.Theta)&^(meanFieldLanes-1), meanFieldCall)
		r.groups(path == noise.AVX512, c.Between(0, n), s)
		c = c.Between(n, len(c.Theta))
	}
	r.generic(c, s)
}

// groups is Step on whole groups, at least one.
func (r *MeanField) groups(wide bool, c MeanFieldSegment, s *MeanFieldSums) {
	theta, z, mean := &c.Theta[0], &c.Z[0], &c.Mean[0]
	mu, rho, muV, rhoV := &c.Mu[0], &c.Rho[0], &c.MuV[0], &c.RhoV[0]
	n, numbers, sums := len(c.Theta)/meanFieldLanes, &r.Alpha[0], &s.Drift[0]
	switch {
	case r.Mixture && wide:
		meanFieldMixtureAVX512(theta, z, mean, mu, rho, muV, rhoV, n, numbers, sums)
	case r.Mixture:
		meanFieldMixtureAVX2(theta, z, mean, mu, rho, muV, rhoV, n, numbers, sums)
	case wide:
		meanFieldAVX512(theta, z, mean, mu, rho, muV, rhoV, n, numbers, sums)
	default:
		meanFieldAVX2(theta, z, mean, mu, rho, muV, rhoV, n, numbers, sums)
	}
}
