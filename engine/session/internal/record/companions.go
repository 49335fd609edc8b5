package record

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// Companions are the silent companions of a lane's first chain, at half and at a quarter of its step, by which the
// bias of the discretisation is extrapolated ([metrics.Richardson]), or by which the chain is compared with itself at a
// quarter of its step where that bias has no expansion in the step.
//
// A step of the chain with the noise z is two steps of the first companion with the noises (z + ζ)/√2 and (z - ζ)/√2,
// which are independent standard normals, and each of these is two steps of the second in the same way. So all three
// see one Brownian path, and what noise they share cancels in their differences. Minibatches and gradient noise are
// their own: shared ones would be twice and four times as strong at the smaller steps.
type Companions[F sampler.Float] struct {
	Plain
	Levels []*Chain[F]
	run    *Run[F]
	params [2]sampler.Params
	sums   *metrics.Richardson
	why    metrics.Status // why nothing can be told; OK
	bare   bool           // there is no expansion in the step

	split  [2]*noise.Normals[F] // ζ
	halves [2][2][]F            // of z, and of each half
	at     []int                // coordinates
	draws  [3][]float64         // there
}

// firstCompanion is the number of the companions' noise and minibatches among the streams of a lane's chains.
const firstCompanion = 128

// newCompanions makes the companions of the first chain. They are nil unless they are asked for and the target is one
// in float64, since a gradient of a network takes too long.
func newCompanions[F sampler.Float](r *Run[F], stream int) *Companions[F] {
	if !r.Config.Bias || r.Problem.F64 == nil {
		return nil
	}
	s := &Companions[F]{run: r, at: spread(r.Tracked)}
	s.sums = metrics.NewRichardson(len(s.at))
	for k := range s.draws {
		s.draws[k] = make([]float64, len(s.at))
	}
	dim := r.Target.Dim()
	for k := range s.split {
		c := NewChain(r.Config, r.Problem, r.Target, stream, firstCompanion+k, r.First.State.Theta)
		c.State.V = slices.Clone(r.First.State.V)
		s.Levels = append(s.Levels, c)
		s.split[k] = noise.NewNormals[F](noise.New(r.Config.Seed, stream, noise.Langevin).Chain(firstCompanion+2+k),
			dim)
		s.halves[k] = [2][]F{make([]F, dim), make([]F, dim)}
	}
	return s
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
		s.params[k] = p
	}
	n := r.First.Grad.N
	shuffled := r.Problem.HasData() && n > 0 && n < r.Problem.N() && r.Config.Draw == noise.Shuffle
	s.bare = r.Method.Halve != nil && (!r.Method.Expands || shuffled || !r.Setting.Schedule.Constant())
	switch {
	case r.Method.Halve == nil:
		s.why = metrics.NotHalved
	case r.Params.Temp == 0:
		s.why = metrics.NotStationary
	default:
		s.why = metrics.OK
	}
}

// Extrapolates reports whether the bias is extrapolated, and Compares whether the chain is compared with itself.
func (s *Companions[F]) Extrapolates() bool { return s != nil && !s.bare }
func (s *Companions[F]) Compares() bool     { return s != nil && s.bare }

// Step takes the companions through the next step of the chain, which is at a state and has noise z.
func (s *Companions[F]) Step(step uint64, z []F) {
	if s.why != metrics.OK {
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
func (s *Companions[F]) halve(level int, z []F, step uint64) {
	const half = math.Sqrt2 / 2
	a, b := s.halves[level][0], s.halves[level][1]
	for i, x := range s.split[level].At(step) {
		u, w := F(half*float64(z[i])), F(half*float64(x))
		a[i], b[i] = u+w, u-w
	}
}

// move makes the step of that number in a level with noise z.
func (s *Companions[F]) move(level int, step uint64, z []F) {
	c := s.Levels[level]
	c.State.Step = step
	c.Noise.Put(step, z)
	s.params[level].Eps = s.run.Params.Eps / float64(int(2)<<level) // which a schedule varies
	if c.Kernel.Step(&c.State, &c.Grad, &s.params[level], c.Noise, &c.Info); !c.Info.OK {
		s.why = metrics.NotStationary // or of no use at these steps
	}
}

// Take takes the first chain's draw together with its companions'.
func (s *Companions[F]) Take(d *Draws[F]) {
	if d.First != 0 || s.why != metrics.OK {
		return
	}
	for k, theta := range [3][]F{d.Theta(0, 0), s.Levels[0].State.Theta, s.Levels[1].State.Theta} {
		theta = s.run.Shown(theta)
		for i, at := range s.at {
			s.draws[k][i] = float64(theta[at])
		}
	}
	s.sums.Add(d.Weight, s.draws)
}

// NewWindow lets companions that have diverged begin again where the chain stands.
func (s *Companions[F]) NewWindow() {
	s.sums.Reset()
	if slices.ContainsFunc(s.Levels, func(c *Chain[F]) bool { return c.State.Step > 0 && !c.Info.OK }) {
		s.Rewound()
	}
}

// Rewound takes the companions to where the chain stands.
func (s *Companions[F]) Rewound() {
	at := &s.run.First.State
	for k, c := range s.Levels {
		c.State.Copy(at)
		c.State.Step = at.Step << (k + 1)
	}
}

// companionsHeld is what a keyframe holds of companions.
type companionsHeld[F sampler.Float] struct {
	levels [2]ChainState[F]
	sums   *metrics.Richardson
	why    metrics.Status
}

func (k *companionsHeld[F]) Bytes() int {
	return k.sums.Bytes() + k.levels[0].State.Bytes() + k.levels[1].State.Bytes()
}

func (s *Companions[F]) Copy() any {
	k := &companionsHeld[F]{sums: s.sums.Clone(), why: s.why}
	for i, c := range s.Levels {
		c.copyTo(&k.levels[i])
	}
	return k
}

func (s *Companions[F]) Set(from any) {
	k := from.(*companionsHeld[F])
	for i, c := range s.Levels {
		k.levels[i].copyTo(&c.ChainState)
	}
	s.sums.Set(k.sums)
	s.why = k.why
}

// StepBias is the bias that the step size causes in a tracked coordinate: of the mean, and of the variance relative to
// the unbiased one. Of nil companions nothing is known. Where it has no expansion it is [metrics.Richardson.Quarter].
func (s *Companions[F]) StepBias(i int) (mean, variance metrics.Estimate) {
	if s == nil {
		return metrics.Estimate{}, metrics.Estimate{}
	}
	why, at := s.why, slices.Index(s.at, s.run.Tracked[i])
	if why == metrics.OK && at < 0 { // of many coordinates some have none
		why = metrics.Unknown
	}
	if why != metrics.OK {
		none := metrics.Withheld(why, s.run.Window.Draws)
		return none, none
	}
	if s.bare {
		return s.sums.Quarter(at)
	}
	return s.sums.Bias(at)
}
