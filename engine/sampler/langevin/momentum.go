package langevin

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
)

// momentum is the step of the methods with a velocity v, which is State.Own[0]:
//
//	v' = (1 - a) v + (ε/2) (N ḡ - θ/σ²) + √q z,  z ~ N(0, I),
//	θ' = θ + v'.
//
// v is displacement per step. a is one number, or one for each coordinate. A long vector is stepped in pieces that
// several cores can share. In float32 with one a, a piece takes one pass over memory.
type momentum[F sampler.Float] struct {
	step32.Pieces
	numbers[F]
	c        segment[F]
	all      []F               // the step's normals in float64, nil at T = 0
	key      noise.Schedule    // of those in float32
	drawn    bool              // z is not zero
	shared   *segment[float32] // c where in float32 all coordinates share a, else nil
	shared32 step32.Momentum

	sums  []step32.MomentumTotal // of pieces
	piece func(worker, i int)    // made once: a method value is allocated
}

// numbers are those of a momentum step.
type numbers[F sampler.Float] struct {
	n, prior F // N and 1/σ²
	half     F // ε/2
	keep     F // 1 - a, where all coordinates share it
	spread   F // √q
}

// A segment is neighbouring coordinates and what their step reads.
type segment[F sampler.Float] struct {
	theta, v, mean []F
	a              []F // friction, of which 1 is the most; nil where all coordinates share it
}

func newMomentum[F sampler.Float](dim int) *momentum[F] {
	m := &momentum[F]{Pieces: step32.NewPieces(dim)}
	m.sums = make([]step32.MomentumTotal, m.Count())
	m.piece = func(_, i int) { m.step(i) }
	return m
}

// GainAt implements Kernel: there is no preconditioner.
func (m *momentum[F]) GainAt(int) F { return 1 }

// begin makes v = 0 and the given vectors beside it.
func (m *momentum[F]) begin(s *sampler.State[F], more ...[]F) {
	s.Own = append([][]F{sampler.Vector[F](len(s.Theta))}, more...)
}

// move does a step with noise of variance q and friction a, or with the frictions
// each if that is not nil. It fills in i and returns ‖v'‖².
func (m *momentum[F]) move(s *sampler.State[F], grad sampler.Gradient[F], p *sampler.Params, zs *noise.Normals[F],
	i *sampler.Info, a F, each []F, q float64) float64 {
	m.numbers = numbers[F]{n: F(p.N), prior: F(p.PriorPrec), half: F(p.Eps / 2), keep: 1 - a, spread: F(math.Sqrt(q))}
	m.c = segment[F]{theta: s.Theta, v: s.Own[0], mean: grad.Eval(s.Theta, 0).Mean, a: each}
	m.all, m.drawn = nil, q > 0
	if m.drawn {
		if z, ok := any(zs).(*noise.Normals[float64]); ok {
			m.all, _ = any(z.At(s.Step)).([]F)
		} else {
			zs.Stream().At(s.Step).Schedule(&m.key)
		}
	}
	if m.shared = nil; each == nil {
		if m.shared, _ = any(&m.c).(*segment[float32]); m.shared != nil {
			m.shared32 = step32.Momentum{
				N:     step32.Eight(float32(m.n)),
				Prior: step32.Eight(float32(m.prior)),
				Half:  step32.Eight(float32(m.half)),
				Keep:  step32.Eight(float32(m.keep)), Spread: step32.Eight(float32(m.spread)),
			}
		}
	}
	m.Do(m.piece)
	*i = sampler.Info{GMin: 1, GMax: 1, OK: true}
	kinetic := 0.0
	for _, t := range m.sums { // in order
		i.Drift2 += t.Drift
		i.Noise2 += t.Noise
		i.OK = i.OK && t.Farthest < sampler.Limit
		kinetic += t.Kinetic
	}
	s.Step++
	return kinetic
}

// step does piece i.
func (m *momentum[F]) step(i int) {
	from, end := m.Bounds(i)
	if m.shared == nil {
		m.chunks(i, from, end)
		return
	}
	var (
		c = m.shared.cut(from, end)
		t step32.MomentumSums
		z *noise.Schedule
	)
	if m.drawn {
		z = &m.key
	}
	m.shared32.Step(m.Path(), c.theta, c.v, c.mean, from, &t, z)
	m.sums[i] = t.Total()
}

// chunks does piece i, in chunks whose normals fit the stack.
func (m *momentum[F]) chunks(i, from, end int) {
	var (
		t       step32.MomentumTotal
		normals [noise.Group]F
	)
	for ; from < end; from += noise.Group {
		c := m.c.cut(from, min(from+noise.Group, end))
		var z []F
		switch {
		case m.all != nil:
			z = m.all[from:][:len(c.theta)]
		case m.drawn:
			z = normals[:len(c.theta)]
			if z, ok := any(z).([]float32); ok {
				m.key.Float32(z, from)
			}
		}
		m.chunk(c, z, &t)
	}
	m.sums[i] = t
}

// cut returns the coordinates from ≤ i < to.
func (c *segment[F]) cut(from, to int) segment[F] {
	d := segment[F]{theta: c.theta[from:to], v: c.v[from:to], mean: c.mean[from:to]}
	if c.a != nil {
		d.a = c.a[from:to]
	}
	return d
}

// chunk does the step on a chunk and adds what it did to t; z is nil without noise. Sums are in the arithmetic of F
// within a chunk. Products are converted before anything is added to them: the compiler may otherwise fuse the two, and
// the step would differ between machines.
func (m *numbers[F]) chunk(c segment[F], z []F, t *step32.MomentumTotal) {
	var (
		theta                  = c.theta
		v, mean                = c.v[:len(theta)], c.mean[:len(theta)]
		keep                   = m.keep
		drift, inject, kinetic F
	)
	for i, x := range theta {
		u := F(m.n*mean[i]) - F(m.prior*x) // -∇U
		if c.a != nil {
			keep = max(0, 1-c.a[i])
		}
		d := F(keep*v[i]) + F(u*m.half)
		drift += F(d * d)
		if z != nil {
			w := F(m.spread * z[i])
			inject += F(w * w)
			d += w
		}
		kinetic += F(d * d)
		v[i] = d
		x += d
		theta[i] = x
		if !(x < sampler.Limit && x > -sampler.Limit) { // also for NaN
			t.Farthest = math.Inf(1)
		}
	}
	t.Drift += float64(drift)
	t.Noise += float64(inject)
	t.Kinetic += float64(kinetic)
}
