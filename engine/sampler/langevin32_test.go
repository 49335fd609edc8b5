package sampler_test

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/engine/sampler/langevin"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/nets/tool/simd"
)

// scalar is the Langevin step of package sampler in float32, coordinate by coordinate and
// with its sums in float64.
type scalar struct {
	pre sampler.SecondMoment
	g   []float32
}

func (k *scalar) GainAt(i int) float32 { return k.g[i] }

func (k *scalar) Step(s *sampler.State[float32], grad sampler.Gradient[float32], p *sampler.Params,
	zs *noise.Normals[float32], i *sampler.Info) {
	sqrt := func(x float32) float32 { return float32(math.Sqrt(float64(x))) }
	e, z, te := grad.Eval(s.Theta, 0), make([]float32, len(s.Theta)), float32(p.Temp*p.Eps)
	if p.Temp != 0 {
		z = zs.At(s.Step)
	}
	var q sampler.Moments
	if k.pre != nil {
		k.pre(s.Step, p, &q)
	}
	k.g = make([]float32, len(s.Theta))
	*i = sampler.Info{GMin: math.Inf(1), OK: true}
	for j, x := range s.Theta {
		g, y, v := float32(1), e.Second[j], &s.V[j]
		if k.pre != nil {
			if q.First {
				*v = y * y
			}
			if !q.Frozen {
				*v = float32(float32(q.Alpha)**v) + float32(float32(q.Beta)*y*y)
			}
			if *v < step32.Tiny {
				*v = 0
			}
			g = float32(q.Scale) * (1 / (float32(q.Scale*q.Lambda) + sqrt(*v)))
		}
		u := float32(float32(p.N)*e.Mean[j]) - float32(float32(p.PriorPrec)*x)
		d, w := float32(g*u*float32(p.Eps/2)), float32(sqrt(te*g)*z[j])
		s.Theta[j], k.g[j] = x+(d+w), g
		i.Drift2, i.Noise2 = i.Drift2+float64(d*d), i.Noise2+float64(w*w)
		i.GMin, i.GMax = min(i.GMin, float64(g)), max(i.GMax, float64(g))
	}
	s.Step++
}

// The step of langevin32 is the scalar one: θ, V and the range of G to the bit, and the
// sums within what langevin32 states.
func TestFusedIsTheLangevinStep(t *testing.T) {
	innerlooptest.Skip(t, "each path on many steps")
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		for _, path := range simd.Paths {
			for _, dim := range []int{1, 2, 63, 64, 65, 1000, step32.PieceSize - 1, step32.PieceSize,
				step32.PieceSize + noise.Group + 3, 3*step32.PieceSize + 77} {
				for c := range 16 {
					if dim > 1000 && c%5 != 0 {
						continue
					}
					temp, own := float64(c&1), []float64{0.9, 1e-3, 0, float64(c >> 1 & 1), float64(c >> 2 & 1 * 3)}
					p := samplertest.Params(m, stable32(m), temp, own[:len(m.Params)]...)
					p.N, p.PriorPrec = 300, 0.9
					k := m.New32(samplertest.OfDim[float32](dim))
					samplertest.OnPath(k, path)
					ref := &scalar{pre: sampler.PreOf(k)}
					a, b := sampler.NewState(samplertest.Start32(dim)), sampler.NewState(samplertest.Start32(dim))
					g := samplertest.NewNetwork32(dim, c&8 != 0)
					z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
					for range 6 {
						var i, j sampler.Info
						k.Step(&a, g, p, z, &i)
						ref.Step(&b, g, p, z, &j)
						if !slices.Equal(a.Theta, b.Theta) || !slices.Equal(a.V, b.V) || a.Step != b.Step {
							t.Fatalf("%s, %s, dim %d, case %d: step %d differs", m.Name, path, dim, c, a.Step)
						}
						if i.GMin != j.GMin || i.GMax != j.GMax || i.OK != j.OK || !i.OK {
							t.Fatalf("%s, %s, dim %d, case %d: %+v, want %+v", m.Name, path, dim, c, i, j)
						}
						for q := range dim {
							if k.GainAt(q) != ref.GainAt(q) {
								t.Fatalf("%s, %s, dim %d, case %d: G = %g, want %g", m.Name, path, dim, c, k.GainAt(q),
									ref.GainAt(q))
							}
						}
						// That of langevin32, and a rounding of each product.
						const bound = (step32.PieceSize/noise.Group + 4) * 0x1p-24
						near := func(what string, got, want float64) {
							t.Helper()
							if !(math.Abs(got-want) <= bound*want) {
								t.Fatalf("%s, %s, dim %d, case %d: %s = %g, want %g", m.Name, path, dim, c,
									what, got, want)
							}
						}
						near("‖drift‖²", i.Drift2, j.Drift2)
						near("‖noise‖²", i.Noise2, j.Noise2)
						if temp == 0 && i.Noise2 != 0 {
							t.Fatalf("noise at T = 0")
						}
					}
				}
			}
		}
	}
}

// Before the first step G is 1.
func TestFusedBeginsWithoutG(t *testing.T) {
	if k := langevin.PSGLD.New32(samplertest.OfDim[float32](100)); k.GainAt(0) != 1 {
		t.Errorf("G = %g, want 1", k.GainAt(0))
	}
}

// A V that decays ends at zero and not at a denormal number.
func TestVEndsAtZero(t *testing.T) {
	const dim = noise.Group + 1
	g := samplertest.NewGiven(make([]float32, dim))
	for _, path := range simd.Paths {
		k, s := sampler.NewLangevin32(dim, langevin.RMS), sampler.NewState(samplertest.Start32(dim))
		samplertest.OnPath(k, path)
		for i := range s.V {
			s.V[i] = 1.02 * step32.Tiny
		}
		for step, want := range []float32{0.99 * 1.02 * step32.Tiny, 0, 0} {
			k.Step(&s, g, samplertest.Params(langevin.PSGLD, 1e-4, 0), nil, new(sampler.Info))
			for i, v := range s.V {
				if math.Abs(float64(v-want)) > 1e-6*float64(want) {
					t.Fatalf("%s: after %d steps V[%d] = %g, want %g", path, step+1, i, v, want)
				}
			}
		}
	}
}

// At T = 0 the float32 samplers are RMSprop and SGD, to the bit.
func TestZeroTemperature32(t *testing.T) {
	const dim = 2*noise.Group + 3
	for _, path := range simd.Paths {
		g := samplertest.NewNetwork32(dim, false)
		rms, sgd := sampler.NewState(samplertest.Start32(dim)), sampler.NewState(samplertest.Start32(dim))
		x, v, y := samplertest.Start32(dim), make([]float32, dim), samplertest.Start32(dim)
		k, k2 := sampler.NewLangevin32(dim, langevin.RMS), sampler.NewLangevin32(dim, nil)
		samplertest.OnPath(k, path)
		samplertest.OnPath(k2, path)
		const eps, alpha, lambda, n, prec = 0.002, 0.9, 1e-3, 50.0, 0.7
		p, p2 := samplertest.Params(langevin.PSGLD, eps, 0, alpha, lambda),
			samplertest.Params(langevin.SGLD, eps/100, 0)
		p.N, p.PriorPrec, p2.N, p2.PriorPrec = n, prec, n, prec
		// Variables, since constant arithmetic is exact and the sampler's is not.
		half, half2, a, b, l, N, w := float32(eps/2), float32(eps/200), float32(alpha), float32(1-alpha),
			float32(lambda), float32(n), float32(prec)
		var info sampler.Info
		for step := range 50 {
			for i := range x {
				gi := -g.Scale[i] * x[i]
				v[i] = float32(a*v[i]) + float32(float32(b*gi)*gi)
				u := float32(N*gi) - float32(w*x[i])
				x[i] += float32(float32(1/(l+float32(math.Sqrt(float64(v[i]))))*u) * half)
				u = float32(N*(-g.Scale[i]*y[i])) - float32(w*y[i])
				y[i] += float32(u * half2)
			}
			k.Step(&rms, g, p, nil, &info)
			k2.Step(&sgd, g, p2, nil, &info)
			if !slices.Equal(rms.Theta, x) || !slices.Equal(rms.V, v) || !slices.Equal(sgd.Theta, y) {
				t.Fatalf("%s: step %d differs", path, step+1)
			}
		}
	}
}

// The results do not depend on how many cores share a step, or in what order.
func TestSpread(t *testing.T) {
	const dim = 7*step32.PieceSize + 99
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		var want sampler.State[float32]
		var wantInfo sampler.Info
		for workers := range 6 { // none: the caller alone
			k, p := m.New32(samplertest.OfDim[float32](dim)), samplertest.Params(m, stable32(m), 1)
			p.N, p.PriorPrec = 300, 0.9
			if workers > 0 {
				k.(sampler.Parallel).Spread(samplertest.Workers(workers))
			}
			s, g := sampler.NewState(samplertest.Start32(dim)), samplertest.NewNetwork32(dim, false)
			z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
			var info sampler.Info
			for range 3 {
				k.Step(&s, g, p, z, &info)
			}
			if workers == 0 {
				want, wantInfo = s, info
				continue
			}
			if !slices.Equal(s.Theta, want.Theta) || !slices.Equal(s.V, want.V) || info != wantInfo {
				t.Fatalf("%s: %d workers get another result: %+v, want %+v", m.Name, workers, info, wantInfo)
			}
		}
	}
}

func TestDivergenceIsSeen32(t *testing.T) {
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), 2 * sampler.Limit} {
			const dim = 2*step32.PieceSize + 1
			s := sampler.NewState(samplertest.Start32(dim))
			s.Theta[step32.PieceSize+5] = bad
			var info sampler.Info
			if m.New32(samplertest.OfDim[float32](dim)).Step(&s, samplertest.NewNetwork32(dim, false), samplertest.Params(m, 1e-12, 0), nil, &info); info.OK {
				t.Errorf("%s: θ = %g passes", m.Name, bad)
			}
		}
	}
}

func TestFusedDoesNotAllocate(t *testing.T) {
	const dim = 3*step32.PieceSize + 5
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		for _, path := range simd.Paths {
			k := m.New32(samplertest.OfDim[float32](dim))
			samplertest.OnPath(k, path)
			s, g, p := sampler.NewState(samplertest.Start32(dim)), samplertest.NewNetwork32(dim, false),
				samplertest.Params(m, 1e-9, 1)
			z := noise.NewNormals[float32](noise.New(1, 0, 0), dim)
			var info sampler.Info
			for _, f := range []func(int, func(int, int)){nil, alone} {
				k.(sampler.Parallel).Spread(f)
				if n := alloctest.PerRun(2, func() { k.Step(&s, g, p, z, &info) }); n != 0 {
					t.Errorf("%s allocates %g times a step", m.Name, n)
				}
			}
		}
	}
}

// BenchmarkStepNetwork takes steps of the size of a network 784-1200-1200-10, the gradient given. It reports the share
// of the best step's time that memory alone would take, by copies of as many bytes as a step reads and writes: θ, V and
// the gradient are read, θ and V are written (SGLD has no V).
func BenchmarkStepNetwork(b *testing.B) {
	const dim = 785*1200 + 1201*1200 + 1201*10
	for _, m := range []sampler.Method{langevin.PSGLD, langevin.SGLD} {
		for _, temp := range []float64{1, 0} {
			for _, path := range simd.Paths {
				b.Run(fmt.Sprintf("%s/T=%g/%s", m.Name, temp, path), func(b *testing.B) {
					theta, grad := samplertest.Start32(dim), samplertest.Start32(dim)
					for i := range grad {
						grad[i] *= 0.01
					}
					k, g := m.New32(samplertest.OfDim[float32](dim)), samplertest.NewGiven(grad)
					samplertest.OnPath(k, path)
					s, p := sampler.NewState(theta), samplertest.Params(m, 5e-4/60000, temp)
					p.N, p.PriorPrec = 60000, 1
					z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), dim)
					var info sampler.Info
					took := make([]time.Duration, b.N)
					arrays := 3
					if len(s.V) > 0 {
						arrays = 5
					}
					moved := time.Duration(math.MaxInt64)
					from, to := make([]float32, dim*arrays/2), make([]float32, dim*arrays/2)
					for range 10 {
						start := time.Now()
						copy(to, from)
						moved = min(moved, time.Since(start))
					}
					b.ReportAllocs()
					b.ResetTimer()
					for i := range took {
						start := time.Now()
						k.Step(&s, g, p, z, &info)
						took[i] = time.Since(start)
					}
					// The machine may do other things in between.
					slices.Sort(took)
					b.ReportMetric(took[0].Seconds()*1e3, "best-ms")
					b.ReportMetric(took[len(took)/2].Seconds()*1e3, "median-ms")
					b.ReportMetric(moved.Seconds()/took[0].Seconds(), "of-memory")
					if !info.OK {
						b.Fatal("diverged")
					}
				})
			}
		}
	}
}

// The step of langevin32 is the scalar one, but for where c is multiplied in:
// a few roundings, in θ of what a step adds to it.
func TestMomentsFused(t *testing.T) {
	for _, m := range []sampler.Method{langevin.PSGLDAdagrad, langevin.PSGLDAdam} {
		for _, freeze := range []float64{0, 4} {
			for _, path := range simd.Paths {
				const dim = step32.PieceSize + noise.Group + 3
				own := []float64{0.9, 1e-3, freeze}
				if m.Name == langevin.PSGLDAdagrad.Name {
					own = own[1:]
				}
				p := samplertest.Params(m, 1e-4, 1, own...)
				p.N, p.PriorPrec = 300, 0.9
				k, a := samplertest.Begun(m, samplertest.Start32(dim), p)
				samplertest.OnPath(k, path)
				ref, b := &scalar{pre: sampler.PreOf(k)}, sampler.NewState(samplertest.Start32(dim))
				g, z := samplertest.NewNetwork32(dim, true),
					noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
				for range 6 {
					var i, j sampler.Info
					b.Copy(&a)
					k.Step(&a, g, p, z, &i)
					ref.Step(&b, g, p, z, &j)
					if !(math.Abs(i.GMin/j.GMin-1) < 1e-6) || !(math.Abs(i.GMax/j.GMax-1) < 1e-6) || !i.OK || !j.OK {
						t.Fatalf("%s, %s: %+v, want %+v", m.Name, path, i, j)
					}
					for q := range dim {
						// θ and the noise added
						size := math.Abs(float64(b.Theta[q])) + math.Sqrt(p.Eps*float64(k.GainAt(q)))
						if math.Abs(float64(a.Theta[q]-b.Theta[q])) > 1e-6*size ||
							a.V[q] != b.V[q] || math.Abs(float64(k.GainAt(q)/ref.GainAt(q))-1) > 1e-6 {
							t.Fatalf("%s, %s: θ[%d] = %g, want %g; G = %g, want %g", m.Name, path, q, a.Theta[q],
								b.Theta[q], k.GainAt(q), ref.GainAt(q))
						}
					}
				}
			}
		}
	}
}

// stable32 is a step size at which a method is stable on a Network32.
func stable32(m sampler.Method) float64 {
	if m.Plain {
		return 1e-7
	}
	return 1e-4
}

// alone is a Parallel.Spread without goroutines.
func alone(n int, task func(worker, i int)) {
	for i := range n {
		task(0, i)
	}
}
