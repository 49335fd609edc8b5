package check

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/gradient"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// old is the step at which a simulation begins: averages no longer correct for their start.
const old = 1 << 20

// fork is the target for one goroutine, and what closes it.
func (s *setup) fork() (t targets.Target[float64], end func()) {
	if f, ok := s.problem.F64.(targets.Forker[float64]); ok {
		fork := f.Fork(1)
		return fork, fork.Close
	}
	return s.problem.F64, func() {}
}

// began is the step at which a simulation begins. Where minibatches are those of shuffled epochs, its draws fall at the
// same places of an epoch as those of a chain from step 0.
func (s *setup) began() uint64 {
	if s.batch == 0 {
		return old
	}
	n, steps := s.problem.N(), s.problem.N() // of a number of whole epochs
	for a := s.batch; a > 0; n, a = a, n%a {
		steps = s.problem.N() / a
	}
	epochs := uint64(steps)
	return old/epochs*epochs + epochs + uint64(s.config.Lanes[0].Or(sampler.KeyBurnIn, 0))
}

// meanSquares is the mean of ḡ², element by element and over all data, at up to 1,000 of the draws.
func (d Draws) meanSquares(t targets.Target[float64]) []float64 {
	mean, g, n := make([]float64, d.Dim), make([]float64, d.Dim), 0.0
	for x := range d.steps(d.Count() / min(1000, 1+int(2e7/float64(t.N()*d.Dim)))) {
		t.Grad(g, x, nil)
		n++
		for i, y := range g {
			mean[i] += (float64(y*y) - mean[i]) / n
		}
	}
	return mean
}

// machine runs a setup.
type machine struct {
	*setup
	state  sampler.State[float64]
	kernel sampler.Kernel[float64]
	grad   *gradient.Gradient[float64]
	z      *noise.Normals[float64]
	info   sampler.Info
	count  uint64
	wrong  *unaware // steps in the kernel's place, if not nil
}

func newMachine(s *setup, t targets.Target[float64], stream, number int, v []float64) *machine {
	d := s.problem.Dim()
	m := &machine{setup: s, state: sampler.NewState(make([]float64, d)), kernel: s.method.New64(t)}
	// The lanes of a session are not as many: no noise is that of draws made here.
	lane := 100 + stream
	m.z = noise.NewNormals[float64](noise.New(s.config.Seed, lane, noise.Langevin).Chain(number), d)
	c := s.config
	c.Seed += uint64(1000 * (1 + stream)) // minibatches are those of no lane
	g := gradient.New(c, s.problem, t, &m.state, &m.count, lane, number)
	g.N = s.batch
	m.grad = &g
	copy(m.state.V, v)
	m.state.Step = s.began()
	if s.heat > 0 {
		m.wrong = newUnaware(m, t, c.Seed, uint64(number))
	}
	return m
}

// start puts the chain at θ.
func (m *machine) start(theta []float64) {
	copy(m.state.Theta, theta)
	if m.wrong != nil {
		m.wrong.known = false
	}
	if b, ok := m.kernel.(sampler.Beginner[float64]); ok {
		b.Begin(&m.state, &m.params)
	}
}

// step reports whether the chain is within bounds.
func (m *machine) step() bool {
	if m.wrong != nil {
		m.state.Step++
		return m.wrong.step(m.setup, m.state.Theta, m.z.At(m.state.Step))
	}
	m.kernel.Step(&m.state, m.grad, &m.params, m.z, &m.info)
	return m.info.OK
}

// beyond counts the draws that are beyond all bounds.
func (d Draws) beyond() int {
	return list.Sum(d.Chains, func(c []float64) (n int) {
		for x := range slices.Chunk(c, d.Dim) {
			if !sampler.Usable(x...) {
				n++
			}
		}
		return n
	})
}
