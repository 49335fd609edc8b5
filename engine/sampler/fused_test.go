package sampler

import (
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/noise"
)

// network32 is a Gradient like a network's: of uneven size, in part zero, and
// rough enough that V moves. With noisy, V sees another gradient.
type network32 struct {
	only[float32]
	scale []float32
	noisy bool
	e     Eval[float32]
}

func newNetwork32(dim int, noisy bool) *network32 {
	r := rand.New(rand.NewPCG(7, uint64(dim)))
	n := &network32{scale: make([]float32, dim), noisy: noisy}
	for i := range n.scale {
		if i%5 != 0 {
			n.scale[i] = float32(math.Exp(r.NormFloat64() * 3))
		}
	}
	n.e = Eval[float32]{Mean: make([]float32, dim), Hess: make([]float32, dim)}
	n.e.Second = n.e.Mean
	if noisy {
		n.e.Second = make([]float32, dim)
	}
	return n
}

func (n *network32) Eval(theta []float32, _ Ask) *Eval[float32] {
	for i, x := range theta {
		n.e.Mean[i] = -n.scale[i] * x
		n.e.Hess[i] = -n.scale[i]
		if n.noisy {
			n.e.Second[i] = n.e.Mean[i] * 0.7
		}
	}
	return &n.e
}

// stable32 is a step size at which a method is stable on a network32.
func stable32(m Method) float64 {
	if m.Name == sgld.Name {
		return 1e-7
	}
	return 1e-4
}

func start32(dim int) []float32 {
	r := rand.New(rand.NewPCG(8, uint64(dim)))
	theta := make([]float32, dim)
	for i := range theta {
		theta[i] = float32(r.NormFloat64() * 0.1)
	}
	return theta
}

// fuses is whether the compiler makes one operation of a product and a sum, which
// the generic form of fused keeps apart and langevin does not.
//
//go:noinline
func fuses(a, b, c float32) bool { return a*b+c != 0 }

// The step in one pass is the step in parts: θ, V and the range of G to the bit,
// and the sums within what fused states.
func TestFusedIsTheLangevinStep(t *testing.T) {
	x := float32(1 + 0x1p-20)
	if fuses(x, x, -x*x) {
		t.Skip("the compiler fuses operations")
	}
	for _, m := range langevins() {
		for _, path := range paths() {
			for _, dim := range []int{1, 2, 63, 64, 65, 1000, pieceSize - 1, pieceSize, pieceSize + noise.Group + 3, 3*pieceSize + 77} {
				for c := range 16 {
					if dim > 1000 && c%5 != 0 {
						continue
					}
					temp, own := float64(c&1), []float64{0.9, 1e-3, 0, float64(c >> 1 & 1), float64(c >> 2 & 1 * 3)}
					p := params(m, stable32(m), temp, own[:len(m.Params)]...)
					p.N, p.PriorPrec = 300, 0.9
					k := m.New32(ofDim[float32](dim)).(*fused)
					k.path = path
					parts := &langevin[float32]{pre: k.langevin.pre}
					if k.pre != nil {
						parts.pre = newRMS[float32](dim)
					}
					a, b := NewState(start32(dim)), NewState(start32(dim))
					g := newNetwork32(dim, c&8 != 0)
					z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
					for range 6 {
						before := slices.Clone(a.Theta)
						var i, j Info
						k.Step(&a, g, p, z, &i)
						parts.Step(&b, g, p, z, &j)
						if !slices.Equal(a.Theta, b.Theta) || !slices.Equal(a.V, b.V) || a.Step != b.Step {
							t.Fatalf("%s, %s, dim %d, case %d: step %d differs", m.Name, path, dim, c, a.Step)
						}
						if i.GMin != j.GMin || i.GMax != j.GMax || i.OK != j.OK || !i.OK {
							t.Fatalf("%s, %s, dim %d, case %d: %+v, want %+v", m.Name, path, dim, c, i, j)
						}
						if (k.Gain() == nil) != (parts.Gain() == nil) || !slices.Equal(k.Gain(), parts.Gain()) {
							t.Fatalf("%s, %s, dim %d, case %d: G differs", m.Name, path, dim, c)
						}
						if k.GainAt(dim-1) != parts.GainAt(dim-1) {
							t.Fatalf("G = %g, want %g", k.GainAt(dim-1), parts.GainAt(dim-1))
						}
						virial := 0.0 // the terms' magnitudes; those of u are its own parts'
						for q, x := range before {
							virial += math.Abs(float64(x)) * (p.N*math.Abs(float64(g.scale[q]*x)) + p.PriorPrec*math.Abs(float64(x)))
						}
						// That of fused, and a rounding of each product.
						const bound = (pieceSize/noise.Group + 4) * 0x1p-24
						near := func(what string, got, want, size float64) {
							t.Helper()
							if !(math.Abs(got-want) <= bound*size) {
								t.Fatalf("%s, %s, dim %d, case %d: %s = %g, want %g", m.Name, path, dim, c, what, got, want)
							}
						}
						near("‖drift‖²", i.Drift2, j.Drift2, j.Drift2)
						near("‖noise‖²", i.Noise2, j.Noise2, j.Noise2)
						near("θ·∇U", i.Virial, j.Virial, virial)
						if temp == 0 && i.Noise2 != 0 {
							t.Fatalf("noise at T = 0")
						}
					}
				}
			}
		}
	}
}

// A step with Γ is that in parts, and changing to one and back is seen by G.
func TestFusedLeavesGammaToTheParts(t *testing.T) {
	const dim = 100
	m, _ := Find("psgld")
	k, parts := m.New32(ofDim[float32](dim)).(*fused), &langevin[float32]{pre: newRMS[float32](dim)}
	a, b := NewState(start32(dim)), NewState(start32(dim))
	g, z := newNetwork32(dim, false), noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
	if k.GainAt(0) != 1 {
		t.Errorf("before the first step G = %g, want 1", k.GainAt(0))
	}
	for step := range 6 {
		p := params(m, 1e-4, 1, 0.9, 1e-3, float64(step/2%2))
		p.N, p.PriorPrec = 300, 0.9
		var i, j Info
		k.Step(&a, g, p, z, &i)
		parts.Step(&b, g, p, z, &j)
		for q := range dim {
			// A few roundings, should the compiler fuse operations.
			if math.Abs(float64(a.Theta[q]-b.Theta[q])) > 1e-5 || math.Abs(float64(k.GainAt(q)/parts.GainAt(q))-1) > 1e-4 {
				t.Fatalf("step %d: θ[%d] = %g, want %g; G = %g, want %g", step, q, a.Theta[q], b.Theta[q], k.GainAt(q), parts.GainAt(q))
			}
		}
	}
}

// A V that decays ends at zero and not at a denormal number.
func TestVEndsAtZero(t *testing.T) {
	const dim = noise.Group + 1
	g := &given{e: Eval[float32]{Mean: make([]float32, dim), Second: make([]float32, dim)}}
	for _, path := range paths() {
		k, s := newFused(dim, newRMS[float32](dim)), NewState(start32(dim))
		k.path = path
		for i := range s.V {
			s.V[i] = 1.02 * tiny32
		}
		for step, want := range []float32{0.99 * 1.02 * tiny32, 0, 0} {
			k.Step(&s, g, params(psgld, 1e-4, 0), nil, new(Info))
			for i, v := range s.V {
				if math.Abs(float64(v-want)) > 1e-6*float64(want) {
					t.Fatalf("%s: after %d steps V[%d] = %g, want %g", path, step+1, i, v, want)
				}
			}
		}
	}
	if tiny[float32]() != tiny32 || tiny[float64]() != 0 {
		t.Errorf("tiny is %g and %g", tiny[float32](), tiny[float64]())
	}
}

// At T = 0 the float32 samplers are RMSprop and SGD, to the bit.
func TestZeroTemperature32(t *testing.T) {
	const dim = 2*noise.Group + 3
	for _, path := range paths() {
		g := newNetwork32(dim, false)
		rms, sgd := NewState(start32(dim)), NewState(start32(dim))
		x, v, y := start32(dim), make([]float32, dim), start32(dim)
		k, k2 := newFused(dim, newRMS[float32](dim)), newFused(dim, nil)
		k.path, k2.path = path, path
		const eps, alpha, lambda, n, prec = 0.002, 0.9, 1e-3, 50.0, 0.7
		p, p2 := params(psgld, eps, 0, alpha, lambda), params(sgld, eps/100, 0)
		p.N, p.PriorPrec, p2.N, p2.PriorPrec = n, prec, n, prec
		// Variables, since constant arithmetic is exact and the sampler's is not.
		half, half2, a, b, l, N, w := float32(eps/2), float32(eps/200), float32(alpha), float32(1-alpha), float32(lambda), float32(n), float32(prec)
		var info Info
		for step := range 50 {
			for i := range x {
				gi := -g.scale[i] * x[i]
				v[i] = float32(a*v[i]) + float32(float32(b*gi)*gi)
				u := float32(N*gi) - float32(w*x[i])
				x[i] += float32(float32(1/(l+float32(math.Sqrt(float64(v[i]))))*u) * half)
				u = float32(N*(-g.scale[i]*y[i])) - float32(w*y[i])
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
	const dim = 7*pieceSize + 99
	for _, m := range langevins() {
		var want State[float32]
		var wantInfo Info
		for workers := range 6 { // none: the caller alone
			k, p := m.New32(ofDim[float32](dim)), params(m, stable32(m), 1)
			p.N, p.PriorPrec = 300, 0.9
			if workers > 0 {
				k.(Parallel).Spread(func(n int, task func(worker, i int)) {
					var all sync.WaitGroup
					for w := range workers {
						all.Go(func() {
							for i := n - 1 - w; i >= 0; i -= workers {
								task(w, i)
							}
						})
					}
					all.Wait()
				})
			}
			s, g := NewState(start32(dim)), newNetwork32(dim, false)
			z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
			var info Info
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
	for _, m := range langevins() {
		for _, bad := range []float32{float32(math.NaN()), float32(math.Inf(1)), 2 * Limit} {
			const dim = 2*pieceSize + 1
			s := NewState(start32(dim))
			s.Theta[pieceSize+5] = bad
			var info Info
			if m.New32(ofDim[float32](dim)).Step(&s, newNetwork32(dim, false), params(m, 1e-12, 0), nil, &info); info.OK {
				t.Errorf("%s: θ = %g passes", m.Name, bad)
			}
		}
	}
}

func TestFusedDoesNotAllocate(t *testing.T) {
	const dim = 3*pieceSize + 5
	each := func(n int, task func(worker, i int)) {
		for i := range n {
			task(0, i)
		}
	}
	for _, m := range langevins() {
		for _, path := range paths() {
			k := m.New32(ofDim[float32](dim)).(*fused)
			k.path = path
			s, g, p := NewState(start32(dim)), newNetwork32(dim, false), params(m, 1e-9, 1)
			z := noise.NewNormals[float32](noise.New(1, 0, 0), dim)
			var info Info
			for _, f := range []func(int, func(int, int)){nil, each} {
				k.Spread(f)
				if n := testing.AllocsPerRun(2, func() { k.Step(&s, g, p, z, &info); k.Gain() }); n != 0 {
					t.Errorf("%s allocates %g times a step", m.Name, n)
				}
			}
		}
	}
}

// given is a Gradient that does not depend on θ.
type given struct {
	only[float32]
	e Eval[float32]
}

func (g *given) Eval([]float32, Ask) *Eval[float32] { return &g.e }

// The size of a network 784-1200-1200-10.
func BenchmarkStepNetwork(b *testing.B) {
	const dim = 785*1200 + 1201*1200 + 1201*10
	for _, m := range langevins() {
		for _, temp := range []float64{1, 0} {
			for _, path := range paths() {
				b.Run(fmt.Sprintf("%s/T=%g/%s", m.Name, temp, path), func(b *testing.B) {
					theta, grad := start32(dim), start32(dim)
					for i := range grad {
						grad[i] *= 0.01
					}
					k, g := m.New32(ofDim[float32](dim)), &given{e: Eval[float32]{Mean: grad, Second: grad}}
					k.(*fused).path = path
					s, p := NewState(theta), params(m, 5e-4/60000, temp)
					p.N, p.PriorPrec = 60000, 1
					z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), dim)
					var info Info
					took := make([]time.Duration, b.N)
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
					if !info.OK {
						b.Fatal("diverged")
					}
				})
			}
		}
	}
}
