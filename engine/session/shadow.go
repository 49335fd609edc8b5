package session

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
)

// shadow holds the silent companions of a lane's first chain, at half and at a quarter of
// its step, by which the bias of the discretisation is extrapolated ([metrics.Richardson]).
//
// A step of the chain with the noise z is two steps of the first companion with the noises
// (z + ζ)/√2 and (z - ζ)/√2, which are independent standard normals, and each of these is two
// steps of the second in the same way. So all three see one Brownian path, and what noise they
// share cancels in their differences. Minibatches and gradient noise are their own: shared
// ones would be twice and four times as strong at the smaller steps.
type shadow[F sampler.Float] struct {
	levels [2]*chain[F]
	params [2]sampler.Params
	split  [2]*noise.Normals[F] // ζ
	halves [2][2][]F            // of z, and of each half
	sums   *metrics.Richardson
	at     []int // coordinates
	draws  [3][]float64
	why    metrics.Status // why nothing can be told; OK
}

// Numbers of the companions' noise and minibatches among the streams of a lane's chains.
const firstCompanion = 128

// shadowOf makes the companions of the lane's first chain; nil unless they are asked for and
// the target is one in float64, since a gradient of a network takes too long.
func (l *lane[F]) shadowOf(stream int) *shadow[F] {
	if !l.cfg.Bias || l.prob.F64 == nil {
		return nil
	}
	n := l.target.Dim()
	s := &shadow[F]{at: trace.Tracked(len(l.tracked), maxProbed)}
	for i, k := range s.at {
		s.at[i] = l.tracked[k]
	}
	s.sums = metrics.NewRichardson(len(s.at))
	for k := range s.draws {
		s.draws[k] = make([]float64, len(s.at))
	}
	for k := range s.levels {
		c := newChain(l.cfg, l.prob, l.target, stream, firstCompanion+k, l.state.Theta)
		c.state.V = slices.Clone(l.state.V)
		s.levels[k] = c
		s.split[k] = noise.NewNormals[F](noise.New(l.cfg.Seed, stream, noise.Langevin).Chain(firstCompanion+2+k), n)
		s.halves[k] = [2][]F{make([]F, n), make([]F, n)}
	}
	return s
}

// apply puts the lane's setting in force. The companions have kernels of the lane's method.
func (s *shadow[F]) apply(l *lane[F], fresh bool) {
	p := l.params
	for k, c := range s.levels {
		if fresh {
			c.kernel = newKernel[F](l.method, l.target)
		}
		c.grad.n = l.grad.n
		p.Own = slices.Clone(p.Own)
		if l.method.Halve != nil {
			l.method.Halve(&p)
		}
		s.params[k] = p
	}
	shuffled := l.prob.HasData() && l.grad.n > 0 && l.grad.n < l.prob.N() && l.cfg.Draw == noise.Shuffle
	switch {
	case l.method.Halve == nil:
		s.why = metrics.NotHalved
	case l.params.Temp == 0:
		s.why = metrics.NotStationary
	case shuffled: // there is no expansion in ε
		s.why = metrics.Shuffled
	case !l.set.Schedule.Constant():
		s.why = metrics.Uneven
	default:
		s.why = metrics.OK
	}
}

// follow takes the companions to where the chain stands, as after a rewind.
func (s *shadow[F]) follow(c *chain[F]) {
	for k, to := range s.levels {
		to.state.Copy(&c.state)
		to.state.Step = c.state.Step << (k + 1)
	}
}

// open opens a window of statistics. Companions that have diverged begin again where the
// chain stands.
func (s *shadow[F]) open(c *chain[F]) {
	s.sums.Reset()
	for _, to := range s.levels {
		if to.state.Step > 0 && !to.info.OK {
			s.follow(c)
		}
	}
}

// step takes the companions through the chain's next step.
func (s *shadow[F]) step(c *chain[F]) {
	if s.why != metrics.OK {
		return
	}
	step := c.state.Step
	s.halve(0, c.z.At(step), step)
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
func (s *shadow[F]) halve(level int, z []F, step uint64) {
	const half = math.Sqrt2 / 2
	a, b := s.halves[level][0], s.halves[level][1]
	for i, x := range s.split[level].At(step) {
		u, w := F(half*float64(z[i])), F(half*float64(x))
		a[i], b[i] = u+w, u-w
	}
}

// move makes a companion's step with noise z.
func (s *shadow[F]) move(level int, step uint64, z []F) {
	c := s.levels[level]
	c.state.Step = step
	c.z.Put(step, z)
	c.kernel.Step(&c.state, &c.grad, &s.params[level], c.z, &c.info)
	if !c.info.OK {
		s.why = metrics.NotStationary // or of no use at these steps
	}
}

// keep takes the present states of chain and companions as draws of weight w.
func (s *shadow[F]) keep(c *chain[F], w float64) {
	if s.why != metrics.OK {
		return
	}
	for k, theta := range [3][]F{c.state.Theta, s.levels[0].state.Theta, s.levels[1].state.Theta} {
		for i, at := range s.at {
			s.draws[k][i] = float64(theta[at])
		}
	}
	s.sums.Add(w, s.draws)
}

// StepBias is the bias that the step size causes in a tracked coordinate, of the mean and of
// the variance relative to the unbiased one.
func (l *lane[F]) StepBias(i int) (mean, variance metrics.Estimate) {
	s := l.shadow
	if s == nil {
		return metrics.Estimate{}, metrics.Estimate{}
	}
	at := slices.Index(s.at, l.tracked[i])
	switch {
	case s.why != metrics.OK:
		none := metrics.Withheld(s.why, l.draws)
		return none, none
	case at < 0: // of many coordinates some have none
		none := metrics.Withheld(metrics.Unknown, l.draws)
		return none, none
	}
	return s.sums.Bias(at)
}
