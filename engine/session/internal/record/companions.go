package record

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/companion"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// Companions are the silent companions of a lane's first chain, by which the bias of the step size is estimated.
type Companions[F sampler.Float] struct {
	plain
	*companion.Pair[F]
	Levels []*Chain[F] // at half and at a quarter of the step size
	run    *Run[F]
}

// firstCompanion is the number of the companions' noise and minibatches among the streams of a lane's chains.
const firstCompanion = 128

// newCompanions makes the companions of the first chain. They are nil unless they are asked for and the target is one in
// float64, since a gradient of a network takes too long.
func newCompanions[F sampler.Float](r *Run[F], stream int) *Companions[F] {
	if !r.Config.Bias || r.Problem.F64 == nil {
		return nil
	}
	s := &Companions[F]{run: r}
	var chains [2]companion.Chain[F]
	var split [2]*noise.Normals[F]
	for k := range chains {
		c := NewChain(r.Config, r.Problem, r.Target, stream, firstCompanion+k, r.First.State.Theta)
		c.State.V = slices.Clone(r.First.State.V)
		s.Levels, chains[k] = append(s.Levels, c), c
		split[k] = noise.NewNormals[F](noise.New(r.Config.Seed, stream, noise.Langevin).Chain(firstCompanion+2+k), r.Target.Dim())
	}
	s.Pair = companion.New(chains, split, spread(r.Tracked))
	return s
}

// Where implements [companion.Chain].
func (c *Chain[F]) Where() *sampler.State[F] { return &c.State }

// Move implements [companion.Chain].
func (c *Chain[F]) Move(step uint64, z []F, p *sampler.Params) bool {
	c.State.Step = step
	c.Noise.Put(step, z)
	c.Kernel.Step(&c.State, &c.Grad, p, c.Noise, &c.Info)
	return c.Info.OK
}

// InForce gives the companions the lane's setting, and kernels of its method.
func (s *Companions[F]) InForce(fresh bool) {
	r, p := s.run, s.run.Params
	for k, c := range s.Levels {
		if fresh {
			c.Kernel = NewKernel[F](r.Method, r.Target)
		}
		c.Grad.N = r.First.Grad.N
		p.Own = slices.Clone(p.Own)
		if r.Method.Halve != nil {
			r.Method.Halve(&p)
		}
		s.Params[k] = p
	}
	n := r.First.Grad.N
	shuffled := r.Problem.HasData() && n > 0 && n < r.Problem.N() && r.Config.Draw == noise.Shuffle
	switch {
	case r.Method.Halve == nil:
		s.Why = metrics.NotHalved
	case r.Params.Temp == 0:
		s.Why = metrics.NotStationary
	case shuffled: // there is no expansion in ε
		s.Why = metrics.Shuffled
	case !r.Setting.Schedule.Constant():
		s.Why = metrics.Uneven
	default:
		s.Why = metrics.OK
	}
}

// Take takes the first chain's draw together with its companions'.
func (s *Companions[F]) Take(d *Draws[F]) {
	if d.First == 0 {
		s.Keep(d.Theta(0, 0), d.Weight)
	}
}

// NewWindow lets companions that have diverged begin again where the chain stands.
func (s *Companions[F]) NewWindow() {
	s.Sums.Reset()
	if slices.ContainsFunc(s.Levels, func(c *Chain[F]) bool { return c.State.Step > 0 && !c.Info.OK }) {
		s.Rewound()
	}
}

// Rewound takes the companions to where the chain stands.
func (s *Companions[F]) Rewound() { s.Follow(&s.run.First.State) }

// companionsHeld is what a keyframe holds of companions.
type companionsHeld[F sampler.Float] struct {
	levels [2]ChainState[F]
	sums   *metrics.Richardson
	why    metrics.Status
}

func (k *companionsHeld[F]) Bytes() int {
	return k.sums.Bytes() + k.levels[0].State.Bytes() + k.levels[1].State.Bytes()
}

func (s *Companions[F]) Copy() Held {
	k := &companionsHeld[F]{sums: s.Sums.Clone(), why: s.Why}
	for i, c := range s.Levels {
		c.copyTo(&k.levels[i])
	}
	return k
}

func (s *Companions[F]) Set(from Held) {
	k := from.(*companionsHeld[F])
	for i, c := range s.Levels {
		k.levels[i].copyTo(&c.ChainState)
	}
	s.Sums.Set(k.sums)
	s.Why = k.why
}

// StepBias is the bias that the step size causes in a tracked coordinate.
func (s *Companions[F]) StepBias(i int) (mean, variance metrics.Estimate) {
	if s == nil {
		return metrics.Estimate{}, metrics.Estimate{}
	}
	return s.Bias(s.run.Tracked[i], s.run.Window.Draws)
}
