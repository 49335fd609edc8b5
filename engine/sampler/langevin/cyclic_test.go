package langevin

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/engine/sampler/internal/step32"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Places in a cycle, by hand.
func TestCyclePlaces(t *testing.T) {
	p := samplertest.Params(CSGLD, 0.4, 1, 8, 0.25)
	half := math.Sqrt2 / 2
	want := []float64{0.4, 0.2 * (1 + math.Cos(math.Pi/8)), 0.2 * (1 + half), 0.2 * (1 + math.Sin(math.Pi/8)), 0.2,
		0.2 * (1 - math.Sin(math.Pi/8)), 0.2 * (1 - half), 0.2 * (1 - math.Cos(math.Pi/8))}
	for _, start := range []uint64{0, 8, 8 << 40} {
		for i, w := range want {
			eps, explores := cycleAt(start+uint64(i), p)
			if math.Abs(eps-w) > 1e-15 || explores != (i < 2) {
				t.Errorf("step %d: ε = %.16g, explores %v, want %.16g, %v", start+uint64(i), eps, explores, w, i < 2)
			}
		}
	}
	for _, c := range []struct {
		explore float64
		n       int
	}{{0, 0}, {0.2, 2}, {0.124, 1}, {0.125, 1}, {0.126, 2}, {0.99, 8}} {
		p.Own[cyclicExplore] = c.explore
		n := 0
		for step := range uint64(8) {
			if _, explores := cycleAt(step, p); explores {
				n++
			}
		}
		if n != c.n {
			t.Errorf("%g of 8 steps: %d explore, want %d", c.explore, n, c.n)
		}
	}
}

// A step is the inner method's at ε_t, at T = 0 and marked where it explores.
func TestCyclicStepIsTheInnerMethods(t *testing.T) {
	for _, c := range []struct{ outer, inner sampler.Method }{{CSGLD, SGLD}, {CPSGLD, PSGLD}} {
		g := samplertest.NewNormal(0.16, 1, 3)
		z := noise.NewNormals[float64](noise.New(1, 0, noise.Langevin), 3)
		a, b := sampler.NewState([]float64{0.5, 1, -2}), sampler.NewState([]float64{0.5, 1, -2})
		k, k2 := c.outer.New64(samplertest.OfDim[float64](3)), c.inner.New64(samplertest.OfDim[float64](3))
		p, q := samplertest.Params(c.outer, 0.1, 0.7, 20, 0.3), samplertest.Params(c.inner, 0.1, 0.7)
		var i, j sampler.Info
		for step := range uint64(100) {
			k.Step(&a, g, p, z, &i)
			var explores bool
			q.Eps, explores = cycleAt(step, p)
			q.Temp = 0.7
			if explores {
				q.Temp = 0
			}
			k2.Step(&b, g, q, z, &j)
			j.Eps, j.Skip = q.Eps, step%20 < 6
			if !slices.Equal(a.Theta, b.Theta) || !slices.Equal(a.V, b.V) || i != j || explores != i.Skip {
				t.Fatalf("%s: step %d: %v %+v, want %v %+v", c.outer.Name, step, a.Theta, i, b.Theta, j)
			}
			if k.GainAt(0) != k2.GainAt(0) || k.GainAt(1) != k2.GainAt(1) {
				t.Fatalf("%s: G differs", c.outer.Name)
			}
		}
		if p.Eps != 0.1 || p.Temp != 0.7 {
			t.Errorf("%s changed its parameters to %+v", c.outer.Name, p)
		}
	}
}

// In a cycle so long that its first steps are all of the base ε, and without
// exploring, they are SGLD's to the bit, in float32 too and on several cores.
func TestEndlessCycleIsSGLD(t *testing.T) {
	const dim = step32.PieceSize + 7
	p, q := samplertest.Params(CSGLD, 1e-7, 1, param.MaxInteger, 0), samplertest.Params(SGLD, 1e-7, 1)
	p.N, q.N = 300, 300
	a, b, g := sampler.NewState(samplertest.Start32(dim)), sampler.NewState(samplertest.Start32(dim)),
		samplertest.NewNetwork32(dim, false)
	k, k2 := CSGLD.New32(samplertest.OfDim[float32](dim)), SGLD.New32(samplertest.OfDim[float32](dim))
	k.(sampler.Parallel).Spread(func(n int, task func(worker, i int)) {
		for i := range n {
			task(0, i)
		}
	})
	z := noise.NewNormals[float32](noise.New(3, 1, noise.Langevin), dim)
	var i, j sampler.Info
	for range 20 {
		k.Step(&a, g, p, z, &i)
		k2.Step(&b, g, q, z, &j)
		j.Eps = 1e-7
		if !slices.Equal(a.Theta, b.Theta) || i != j {
			t.Fatalf("step %d: %+v, want %+v", a.Step, i, j)
		}
	}
	if n := alloctest.PerRun(2, func() { k.Step(&a, g, p, z, &i) }); n != 0 {
		t.Errorf("allocates %g times a step", n)
	}
}

// On a Gaussian of variance σ² a step makes (1 - ε_t/(2σ²))² w + T ε_t of the
// variance w, so that the step-weighted variance of the draws of a cycle is known
// once w has come to repeat itself.
func TestCyclicStationaryCovariance(t *testing.T) {
	for _, c := range []struct{ eps, temp, length, explore float64 }{
		{0.3, 1, 40, 0.25}, {0.5, 0.5, 100, 0}, {0.1, 1, 30, 0.5},
	} {
		v := []float64{0.16, 1}
		p := samplertest.Params(CSGLD, c.eps, c.temp, c.length, c.explore)
		want := make([]float64, 2)
		for i := range v {
			w := 0.0
			for range 1000 {
				sum, weight := 0.0, 0.0
				for step := range uint64(c.length) {
					eps, explores := cycleAt(step, p)
					w *= (1 - eps/(2*v[i])) * (1 - eps/(2*v[i]))
					if !explores {
						w += c.temp * eps
						sum, weight = sum+eps*w, weight+eps
					}
				}
				want[i] = sum / weight
			}
		}
		g := gaussian(t, v[0], 0, v[1], 0)
		k, s, on, z := CSGLD.New64(g), sampler.NewState([]float64{0.3, 0.2}), newOn(g), noiseOf(2)
		var batches [2][]float64
		var info sampler.Info
		for range 50 {
			var sum [2]float64
			weight := 0.0
			for range 200 * int(c.length) {
				k.Step(&s, on, p, z, &info)
				if info.Skip {
					continue
				}
				weight += info.Eps
				for i, x := range s.Theta {
					sum[i] += info.Eps * x * x
				}
			}
			for i := range sum {
				batches[i] = append(batches[i], sum[i]/weight)
			}
		}
		for i := range v {
			estimate(batches[i]).agree(t, "variance", want[i], 0)
		}
	}
}
