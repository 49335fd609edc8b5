package optimiser

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// optimisers are the methods that elementwise steps, with what they need to be
// stable on a network32 and settings that reach all of their parts.
var optimisers = []struct {
	m   sampler.Method
	eps float64
	own []float64
}{
	{SGD, 1e-7, []float64{0}},
	{SGD, 1e-7, []float64{0.9}},
	{RMSprop, 1e-4, []float64{0.9, 1e-3, 0, 0, 3}},
	{RMSprop, 1e-4, []float64{0.9, 1e-3, 0.9, 1, 3}},
	{RMSprop, 1e-4, []float64{0.9, 1e-3, 0.9, 0, 0}},
	{Adagrad, 1e-4, []float64{1e-3}},
	{Adadelta, 1e-2, []float64{0.9, 1e-6}},
	{Adam, 1e-4, []float64{0.8, 0.95, 1e-3}},
}

// Without momentum SGD is SGLD at T = 0 and RMSprop is pSGLD, to the bit.
func TestOptimisersAreLimitsOfSamplers(t *testing.T) {
	for _, c := range []struct {
		opt, sampler       sampler.Method
		own, samplerOwn    []float64
		eps                float64
		momentum, turnedTo int
	}{
		{opt: SGD, sampler: langevin.SGLD, own: []float64{0}, eps: 1e-7},
		{opt: RMSprop, sampler: langevin.PSGLD, own: []float64{0.9, 1e-3, 0, 0, 0},
			samplerOwn: []float64{0.9, 1e-3, 0, 0, 0}, eps: 1e-4},
		{opt: RMSprop, sampler: langevin.PSGLD, own: []float64{0.9, 1e-3, 0, 1, 4},
			samplerOwn: []float64{0.9, 1e-3, 0, 1, 4}, eps: 1e-4},
	} {
		p, q := samplertest.Params(c.opt, c.eps, 0, c.own...), samplertest.Params(c.sampler, c.eps, 0, c.samplerOwn...)
		p.N, p.PriorPrec, q.N, q.PriorPrec = 300, 0.9, 300, 0.9

		const dim = step32.PieceSize + noise.Group + 3
		k, a := samplertest.Begun(c.opt, samplertest.Start32(dim), p)
		l, b := samplertest.Begun(c.sampler, samplertest.Start32(dim), q)
		g := samplertest.NewNetwork32(dim, true)
		z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
		for range 8 {
			var i, j sampler.Info
			k.Step(&a, g, p, z, &i)
			l.Step(&b, g, q, z, &j)
			if !slices.Equal(a.Theta, b.Theta) || !slices.Equal(a.V, b.V) || i != j || !i.OK ||
				k.GainAt(7) != l.GainAt(7) {
				t.Fatalf("%s in float32: step %d is not %s's: %+v, %+v", c.opt.Name, a.Step, c.sampler.Name, i, j)
			}
		}
		if a.Own != nil {
			t.Errorf("%s keeps a velocity that it has no use for", c.opt.Name)
		}

		p.Eps, q.Eps = 1e-3, 1e-3
		x := []float64{0.5, 1, -2}
		k64, a64 := samplertest.Begun(c.opt, x, p)
		l64, b64 := samplertest.Begun(c.sampler, x, q)
		for range 200 {
			var i, j sampler.Info
			k64.Step(&a64, samplertest.NewNormal(0.16, 1, 3), p, nil, &i)
			l64.Step(&b64, samplertest.NewNormal(0.16, 1, 3), q, nil, &j)
			if !slices.Equal(a64.Theta, b64.Theta) || !slices.Equal(a64.V, b64.V) || i != j {
				t.Fatalf("%s in float64: step %d is not %s's", c.opt.Name, a64.Step, c.sampler.Name)
			}
		}
	}
}

// Three steps in one dimension, worked by hand: the gradient of the mean objective
// is x = ḡ - θ/(Nσ²), with ḡ = -θ/0.16, and h = εN/2.
func TestOptimisersByHand(t *testing.T) {
	const variance, eps, n, prec = 0.16, 0.004, 7.0, 0.2
	const h = eps * n / 2
	type hand struct{ theta, v, own float64 }
	for _, c := range []struct {
		m    sampler.Method
		own  []float64
		step func(s *hand, x, g float64, t int)
	}{
		{SGD, []float64{0.7}, func(s *hand, x, _ float64, _ int) {
			s.own = 0.7*s.own + h*x
			s.theta += s.own
		}},
		{RMSprop, []float64{0.9, 1e-3, 0.7, 0, 0}, func(s *hand, x, g float64, _ int) {
			s.v = 0.9*s.v + 0.1*g*g
			s.own = 0.7*s.own + h*x/(1e-3+math.Sqrt(s.v))
			s.theta += s.own
		}},
		{RMSprop, []float64{0.9, 1e-3, 0.7, 1, 2}, func(s *hand, x, g float64, t int) {
			if t == 1 {
				s.v = g * g
			} else if t <= 2 {
				s.v = 0.9*s.v + 0.1*g*g
			}
			s.own = 0.7*s.own + h*x/(1e-3+math.Sqrt(s.v))
			s.theta += s.own
		}},
		{Adagrad, []float64{1e-3}, func(s *hand, x, _ float64, _ int) {
			s.v += x * x
			s.theta += h * x / (1e-3 + math.Sqrt(s.v))
		}},
		{Adadelta, []float64{0.9, 1e-4}, func(s *hand, x, _ float64, _ int) {
			s.v = 0.9*s.v + 0.1*x*x
			d := math.Sqrt(s.own+1e-4) / math.Sqrt(s.v+1e-4) * x
			s.own = 0.9*s.own + 0.1*d*d
			s.theta += h * d
		}},
		{Adam, []float64{0.8, 0.95, 1e-3}, func(s *hand, x, _ float64, t int) {
			s.own = 0.8*s.own + 0.2*x
			s.v = 0.95*s.v + 0.05*x*x
			m, v := s.own/(1-math.Pow(0.8, float64(t))), s.v/(1-math.Pow(0.95, float64(t)))
			s.theta += h * m / (math.Sqrt(v) + 1e-3)
		}},
	} {
		p := samplertest.Params(c.m, eps, 0, c.own...)
		p.N, p.PriorPrec = n, prec
		k, s := samplertest.Begun(c.m, []float64{0.4}, p)
		want := hand{theta: 0.4}
		for step := 1; step <= 3; step++ {
			g := -want.theta / variance
			x := g - want.theta*prec/n
			was := want
			c.step(&want, x, g, step)
			var info sampler.Info
			k.Step(&s, samplertest.NewNormal(variance), p, nil, &info)
			near := func(what string, got, want float64) {
				t.Helper()
				if !(math.Abs(got-want) <= 1e-12*math.Abs(want)) {
					t.Errorf("%s, step %d: %s = %.17g, want %.17g", c.m.Name, step, what, got, want)
				}
			}
			near("θ", s.Theta[0], want.theta)
			near("V", s.V[0], want.v)
			if len(s.Own) > 0 {
				near("what it keeps", s.Own[0][0], want.own)
			}
			near("‖drift‖²", info.Drift2, (want.theta-was.theta)*(want.theta-was.theta))
			near("G", info.GMin, info.GMax)
			near("G", info.GMin, k.GainAt(0))
			if !info.OK || info.Noise2 != 0 {
				t.Errorf("%s: %+v", c.m.Name, info)
			}
		}
	}
}

// The momentum of a step is turned off and on again from a velocity of zero.
func TestMomentumIsTurned(t *testing.T) {
	p := samplertest.Params(SGD, 0.01, 0, 0.9)
	k, s := samplertest.Begun(SGD, []float64{1, -1}, p)
	g := samplertest.NewNormal(1, 2)
	for range 3 {
		k.Step(&s, g, p, nil, new(sampler.Info))
	}
	if len(s.Own) != 1 || s.Own[0][0] == 0 {
		t.Fatalf("velocity %v", s.Own)
	}
	p.Own[sgdMomentum] = 0
	k.Step(&s, g, p, nil, new(sampler.Info))
	if s.Own != nil {
		t.Errorf("velocity %v without momentum", s.Own)
	}
	p.Own[sgdMomentum] = 0.9
	k.Step(&s, g, p, nil, new(sampler.Info))
	if want := -p.Eps / 2 * (s.Theta[0] / (1 - p.Eps/2)); math.Abs(s.Own[0][0]-want) > 1e-15 {
		t.Errorf("velocity %v, want that of one step, %g", s.Own, want)
	}
}

// The same bits on every path and by any number of workers, sums and all, and
// those of the generic form.
func TestElementwisePathsAgree(t *testing.T) {
	innerlooptest.Skip(t, "each method on each path")
	type result struct {
		s sampler.State[float32]
		i sampler.Info
		g float32
	}
	for _, c := range optimisers {
		for _, dim := range []int{1, 63, 64, 65, 1000, step32.PieceSize, step32.PieceSize + noise.Group + 3,
			3*step32.PieceSize + 77} {
			var want *result
			for _, path := range simd.Paths {
				for workers := range 3 { // none: the caller alone
					p := samplertest.Params(c.m, c.eps, 0, c.own...)
					p.N, p.PriorPrec = 300, 0.9
					k, s := samplertest.Begun(c.m, samplertest.Start32(dim), p)
					samplertest.OnPath(k, path)
					if workers > 0 {
						k.(sampler.Parallel).Spread(samplertest.Workers(workers))
					}
					g := samplertest.NewNetwork32(dim, true)
					var i sampler.Info
					for range 6 {
						k.Step(&s, g, p, nil, &i)
					}
					got := result{s, i, k.GainAt(dim - 1)}
					if !i.OK || i.Drift2 == 0 {
						t.Fatalf("%s %v, dim %d: %+v", c.m.Name, c.own, dim, i)
					}
					if want == nil {
						want = &got
					}
					if !slices.Equal(s.Theta, want.s.Theta) || !slices.Equal(s.V, want.s.V) || i != want.i ||
						got.g != want.g ||
						!slices.EqualFunc(s.Own, want.s.Own, slices.Equal) {
						t.Fatalf("%s %v, %s, %d workers, dim %d: %+v, want %+v", c.m.Name, c.own, path, workers,
							dim, i, want.i)
					}
					all := make([]float32, dim)
					for j := range all {
						all[j] = k.GainAt(j)
					}
					if slices.Min(all) < float32(i.GMin)*(1-1e-6) || slices.Max(all) > float32(i.GMax)*(1+1e-6) {
						t.Fatalf("%s: G from %g to %g, said to be from %g to %g", c.m.Name, slices.Min(all),
							slices.Max(all), i.GMin, i.GMax)
					}
				}
			}
		}
	}
}

// SetPath has both kernels step by a path.
func (k *heavyBall[F]) SetPath(path simd.Path) {
	k.still.(interface{ SetPath(simd.Path) }).SetPath(path)
	k.moving.SetPath(path)
}

// Float32 steps as float64 does, from the same gradients.
func TestOptimisersInFloat32(t *testing.T) {
	for _, c := range optimisers {
		p := samplertest.Params(c.m, 0.02, 0, c.own...)
		k, s := samplertest.Begun(c.m, []float64{0.5, 1}, p)
		k32, s32 := samplertest.Begun(c.m, []float32{0.5, 1}, p)
		for range 20 {
			k.Step(&s, samplertest.NewNormal(0.16, 1), p, nil, new(sampler.Info))
			k32.Step(&s32, (*samplertest.Normal32)(nil), p, nil, new(sampler.Info))
		}
		for i := range s.Theta {
			// Twenty roundings of 6e-8 with momentum of up to tenfold; the map contracts.
			if math.Abs(s.Theta[i]-float64(s32.Theta[i])) > 2e-5 {
				t.Errorf("%s %v: θ[%d] = %g in float64 and %g in float32", c.m.Name, c.own, i, s.Theta[i], s32.Theta[i])
			}
		}
	}
}

func TestOptimisersSeeDivergence(t *testing.T) {
	const dim = 2*step32.PieceSize + 1
	for _, c := range optimisers {
		for _, path := range simd.Paths {
			for _, at := range []int{5, dim - 1} {
				p := samplertest.Params(c.m, 1e-12, 0, c.own...)
				k, s := samplertest.Begun(c.m, samplertest.Start32(dim), p)
				samplertest.OnPath(k, path)
				s.Theta[at] = float32(math.NaN())
				var info sampler.Info
				if k.Step(&s, samplertest.NewNetwork32(dim, false), p, nil, &info); info.OK {
					t.Errorf("%s, %s: NaN passes", c.m.Name, path)
				}
			}
		}
	}
}

func TestOptimisersDoNotAllocate(t *testing.T) {
	const dim = step32.PieceSize + 99
	for _, c := range optimisers {
		p := samplertest.Params(c.m, 1e-9, 0, c.own...)
		k, s := samplertest.Begun(c.m, samplertest.Start32(dim), p)
		k64, s64 := samplertest.Begun(c.m, []float64{1, 2}, p)
		g, g64 := samplertest.NewNetwork32(dim, false), samplertest.NewNormal(1, 2)
		var info sampler.Info
		for _, f := range []func(int, func(int, int)){nil, alone} {
			k.(sampler.Parallel).Spread(f)
			for _, path := range simd.Paths {
				samplertest.OnPath(k, path)
				if n := alloctest.PerRun(2, func() { k.Step(&s, g, p, nil, &info) }); n != 0 {
					t.Errorf("%s allocates %g times a step", c.m.Name, n)
				}
			}
		}
		if n := alloctest.PerRun(10, func() { k64.Step(&s64, g64, p, nil, &info) }); n != 0 {
			t.Errorf("%s allocates %g times a step in float64", c.m.Name, n)
		}
	}
}

// alone is a Parallel.Spread without goroutines.
func alone(n int, task func(worker, i int)) {
	for i := range n {
		task(0, i)
	}
}
