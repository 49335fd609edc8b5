package lane

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/companion"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
)

// companions are the silent companions of a lane's first chain.
type companions[F sampler.Float] struct {
	*companion.Pair[F]
	levels [2]*chain[F] // at half and at a quarter of the step size
}

// Numbers of the companions' noise and minibatches among the streams of a lane's chains.
const firstCompanion = 128

// companionsOf makes the companions of the lane's first chain. They are nil unless they are asked
// for and the target is one in float64, since a gradient of a network takes too long.
func (l *lane[F]) companionsOf(stream int) *companions[F] {
	if !l.cfg.Bias || l.prob.F64 == nil {
		return nil
	}
	s := &companions[F]{}
	at := trace.Tracked(len(l.tracked), maxProbed)
	for i, k := range at {
		at[i] = l.tracked[k]
	}
	var chains [2]companion.Chain[F]
	var split [2]*noise.Normals[F]
	for k := range s.levels {
		c := newChain(l.cfg, l.prob, l.target, stream, firstCompanion+k, l.first.state.Theta)
		c.state.V = slices.Clone(l.first.state.V)
		s.levels[k], chains[k] = c, c
		split[k] = noise.NewNormals[F](noise.New(l.cfg.Seed, stream, noise.Langevin).Chain(firstCompanion+2+k), l.target.Dim())
	}
	s.Pair = companion.New(chains, split, at)
	return s
}

// Where implements [companion.Chain].
func (c *chain[F]) Where() *sampler.State[F] { return &c.state }

// Move implements [companion.Chain].
func (c *chain[F]) Move(step uint64, z []F, p *sampler.Params) bool {
	c.state.Step = step
	c.z.Put(step, z)
	c.kernel.Step(&c.state, &c.grad, p, c.z, &c.info)
	return c.info.OK
}

// apply puts the lane's setting in force. The companions have kernels of the lane's method.
func (s *companions[F]) apply(l *lane[F], fresh bool) {
	p := l.params
	for k, c := range s.levels {
		if fresh {
			c.kernel = newKernel[F](l.method, l.target)
		}
		c.grad.N = l.first.grad.N
		p.Own = slices.Clone(p.Own)
		if l.method.Halve != nil {
			l.method.Halve(&p)
		}
		s.Params[k] = p
	}
	shuffled := l.prob.HasData() && l.first.grad.N > 0 && l.first.grad.N < l.prob.N() && l.cfg.Draw == noise.Shuffle
	switch {
	case l.method.Halve == nil:
		s.Why = metrics.NotHalved
	case l.params.Temp == 0:
		s.Why = metrics.NotStationary
	case shuffled: // there is no expansion in ε
		s.Why = metrics.Shuffled
	case !l.set.Schedule.Constant():
		s.Why = metrics.Uneven
	default:
		s.Why = metrics.OK
	}
}

// open opens a window of statistics. Companions that have diverged begin again where the
// chain stands.
func (s *companions[F]) open(at *sampler.State[F]) {
	s.Sums.Reset()
	if slices.ContainsFunc(s.levels[:], func(c *chain[F]) bool { return c.state.Step > 0 && !c.info.OK }) {
		s.Follow(at)
	}
}

// StepBias is the bias that the step size causes in a tracked coordinate.
func (l *lane[F]) StepBias(i int) (mean, variance metrics.Estimate) {
	if l.first.companions == nil {
		return metrics.Estimate{}, metrics.Estimate{}
	}
	return l.first.companions.Bias(l.tracked[i], l.draws)
}
