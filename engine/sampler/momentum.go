package sampler

import (
	"math"

	"github.com/psgld/psgld-tui/engine/noise"
)

// momentum is the step of the methods with a velocity v, which is State.Own[0]:
//
//	v' = (1 - a) v + (ε/2) (N ḡ - θ/σ²) + √q z,  z ~ N(0, I),
//	θ' = θ + v'.
//
// v is displacement per step. a is one number, or one for each coordinate. A
// large float32 step is made of pieces that several cores can share, and with one
// a done in one pass over memory.
type momentum[F Float] struct {
	rate[F]
	c     course[F]
	all   []F              // the step's normals in float64, nil at T = 0
	key   noise.Schedule   // of those in float32
	drawn bool             // z is not zero
	path  string           // of float32
	whole *course[float32] // c with one friction in float32, else nil
	fast  thrust

	sums  []motion // of pieces
	each  func(n int, task func(worker, i int))
	piece func(worker, i int) // made once: a method value is allocated
}

// rate is a momentum step's numbers.
type rate[F Float] struct {
	n, prior F // N and 1/σ²
	half     F // ε/2
	keep     F // 1 - a, where all coordinates share it
	spread   F // √q
}

// A course is neighbouring coordinates and what their step reads.
type course[F Float] struct {
	theta, v, mean []F
	a              []F // friction, of which 1 is the most; nil where all coordinates share it
}

// motion is what a momentum step did.
type motion struct {
	drift, inject float64 // squared norms of v' without its noise, and of the noise
	virial        float64 // θ·(-∇U)
	kinetic       float64 // ‖v'‖²
	bad           bool
}

func newMomentum[F Float](dim int) *momentum[F] {
	m := &momentum[F]{path: noise.Path(), sums: make([]motion, (dim+pieceSize-1)/pieceSize)}
	m.piece = func(_, i int) { m.step(i) }
	return m
}

// Spread implements Parallel.
func (m *momentum[F]) Spread(each func(n int, task func(worker, i int))) { m.each = each }

// Gain implements Kernel: there is no preconditioner.
func (m *momentum[F]) Gain() []F { return nil }

// GainAt implements Kernel.
func (m *momentum[F]) GainAt(int) F { return 1 }

// begin makes v = 0 and the given vectors beside it.
func (m *momentum[F]) begin(s *State[F], more ...[]F) {
	s.Own = append([][]F{Vector[F](len(s.Theta))}, more...)
}

// move does a step with noise of variance q and friction a, or each, if that is
// not nil, fills in i and returns ‖v'‖².
func (m *momentum[F]) move(s *State[F], grad Gradient[F], p *Params, zs *noise.Normals[F], i *Info, a F, each []F, q float64) float64 {
	m.rate = rate[F]{n: F(p.N), prior: F(p.PriorPrec), half: F(p.Eps / 2), keep: 1 - a, spread: F(math.Sqrt(q))}
	m.c = course[F]{theta: s.Theta, v: s.Own[0], mean: grad.Eval(s.Theta, 0).Mean, a: each}
	m.all, m.drawn = nil, q > 0
	if m.drawn {
		if z, ok := any(zs).(*noise.Normals[float64]); ok {
			m.all, _ = any(z.At(s.Step)).([]F)
		} else {
			zs.Stream().At(s.Step).Schedule(&m.key)
		}
	}
	if m.whole = nil; each == nil {
		if m.whole, _ = any(&m.c).(*course[float32]); m.whole != nil {
			m.fast = thrust{
				n: eight(float32(m.n)), prior: eight(float32(m.prior)), half: eight(float32(m.half)),
				keep: eight(float32(m.keep)), spread: eight(float32(m.spread)),
			}
		}
	}
	if m.each != nil && len(m.sums) > 1 {
		m.each(len(m.sums), m.piece)
	} else {
		for k := range m.sums {
			m.step(k)
		}
	}
	var t motion
	for _, k := range m.sums {
		t.add(k)
	}
	*i = Info{Drift2: t.drift, Noise2: t.inject, Virial: -t.virial, GMin: 1, GMax: 1, OK: !t.bad}
	s.Step++
	return t.kinetic
}

// step does piece i, in chunks whose normals fit the stack.
func (m *momentum[F]) step(i int) {
	var (
		t       motion
		normals [noise.Group]F
		from    = i * pieceSize
		end     = min(from+pieceSize, len(m.c.theta))
	)
	if m.whole != nil {
		m.sums[i] = m.race(m.whole.cut(from, end), from)
		return
	}
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
		t.add(m.glide(c, z))
	}
	m.sums[i] = t
}

// race does a piece in one pass.
func (m *momentum[F]) race(c course[float32], from int) motion {
	var (
		t travel
		z *noise.Schedule
	)
	if m.drawn {
		z = &m.key
	}
	glides(m.path, c.theta, c.v, c.mean, from, &m.fast, &t, z)
	return t.motion()
}

// cut returns the coordinates from ≤ i < to.
func (c *course[F]) cut(from, to int) course[F] {
	d := course[F]{theta: c.theta[from:to], v: c.v[from:to], mean: c.mean[from:to]}
	if c.a != nil {
		d.a = c.a[from:to]
	}
	return d
}

// glide does the step on a chunk, with z nil for none. Sums are in the arithmetic
// of F within a chunk. Products are converted before anything is added to them, as
// the compiler may otherwise fuse the two and the step differ between machines.
func (r *rate[F]) glide(c course[F], z []F) motion {
	var (
		theta                          = c.theta
		v, mean                        = c.v[:len(theta)], c.mean[:len(theta)]
		keep                           = r.keep
		drift, inject, virial, kinetic F
		bad                            int
	)
	for i, x := range theta {
		u := F(r.n*mean[i]) - F(r.prior*x) // -∇U
		virial += F(x * u)
		if c.a != nil {
			keep = max(0, 1-c.a[i])
		}
		d := F(keep*v[i]) + F(u*r.half)
		drift += F(d * d)
		if z != nil {
			w := F(r.spread * z[i])
			inject += F(w * w)
			d += w
		}
		kinetic += F(d * d)
		v[i] = d
		x += d
		theta[i] = x
		if !(x < Limit && x > -Limit) { // also for NaN
			bad++
		}
	}
	return motion{
		drift: float64(drift), inject: float64(inject), virial: float64(virial),
		kinetic: float64(kinetic), bad: bad > 0,
	}
}

func (t *motion) add(o motion) {
	t.drift += o.drift
	t.inject += o.inject
	t.virial += o.virial
	t.kinetic += o.kinetic
	t.bad = t.bad || o.bad
}
