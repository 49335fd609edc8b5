package optimiser

import (
	"math"
	"slices"
	"testing"

	"gonum.org/v1/gonum/mat"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/nets/tool/simd"
	"github.com/psgld/psgld-tui/targets"
)

// Two steps with all singular values are those of the definition, by gonum's
// decomposition in float64.
func TestSpectralByHand(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:24-12", 1)
	const eps, alpha, lambda, n, prec = 1e-5, 0.9, 1e-2, 600.0, 0.7
	for _, first := range []float64{0, 1} {
		p := samplertest.Params(RMSspectral, eps, 0, alpha, lambda, spectralRankMax, first)
		p.N, p.PriorPrec = n, prec
		k, s := RMSspectral.New32(g.Net), sampler.NewState(start)
		z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
		theta, v := make([]float64, len(start)), make([]float64, len(start))
		for step := range 2 {
			for i, x := range s.Theta {
				theta[i] = float64(x) // of the step alone, lest small singular values part the ways
			}
			e := g.Eval(s.Theta, 0)
			d, x := make([]float64, len(start)), make([]float64, len(start))
			for i, m := range e.Mean {
				m := float64(m)
				if step == 0 && first == 1 {
					v[i] = m * m
				}
				v[i] = alpha*v[i] + (1-alpha)*m*m
				d[i] = lambda + math.Sqrt(v[i])
				x[i] = (n*m - prec*theta[i]) / math.Sqrt(d[i])
			}
			want := slices.Clone(theta)
			moved := 0.0
			for _, l := range g.Net.(targets.Layered).Layers() {
				sharp := x[l.From:l.To]
				if l.Rows > 1 {
					var svd mat.SVD
					if !svd.Factorize(mat.NewDense(l.Rows, l.Cols, slices.Clone(sharp)), mat.SVDThin) {
						t.Fatal("no decomposition")
					}
					var a, b, polar mat.Dense
					svd.UTo(&a)
					svd.VTo(&b)
					sum := 0.0
					sigma := svd.Values(nil)
					for _, value := range sigma {
						sum += value
						if value < 1e-5*sigma[0] {
							t.Fatalf("%s: singular values %v are not resolved", l.Name, sigma)
						}
					}
					polar.Mul(&a, b.T())
					polar.Scale(sum, &polar)
					sharp = polar.RawMatrix().Data
				}
				for i, y := range sharp {
					move := eps / 2 * y / math.Sqrt(d[l.From+i])
					want[l.From+i] += move
					moved += move * move
				}
			}
			var info sampler.Info
			k.Step(&s, g, p, z, &info)
			worst := 0.0
			for i := range want {
				worst = max(worst, math.Abs(float64(s.Theta[i])-want[i]))
			}
			// The steps are about 1e-3; float32 loses 1e-3 of them where a singular value
			// is 1e-4 of the largest.
			if size := math.Sqrt(moved / float64(len(want))); worst > 0.05*size {
				t.Errorf("step %d: θ differs by up to %.2g where a step is %.2g", step+1, worst, size)
			}
			if math.Abs(info.Drift2/moved-1) > 1e-3 || !info.OK || s.Step != uint64(step+1) {
				t.Errorf("step %d: %+v, want a drift of %g", step+1, info, moved)
			}
			if i := len(start) / 2; math.Abs(float64(k.GainAt(i))*d[i]-1) > 1e-5 {
				t.Errorf("G = %g, want %g", k.GainAt(i), 1/d[i])
			}
		}
	}
}

// The bits are those of any number of workers and every path of the update.
func TestSpectralDoesNotDependOnWorkers(t *testing.T) {
	for _, spec := range []string{"mlp:70-40", "cnn:20"} {
		var want []float32
		for _, c := range []struct {
			workers int
			path    simd.Path
		}{{1, simd.Generic}, {1, simd.Active}, {2, simd.Active}} {
			g, start := samplertest.NewTrained(t, spec, c.workers)
			p := samplertest.Params(RMSspectral, 1e-6, 0)
			p.N, p.PriorPrec = 600, 1
			k, s := RMSspectral.New32(g.Net), sampler.NewState(start)
			k.(*spectral).white.SetPath(c.path)
			k.(sampler.Parallel).Spread(g.Net.Each)
			z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
			for range 2 {
				var info sampler.Info
				if k.Step(&s, g, p, z, &info); !info.OK {
					t.Fatalf("%s: %+v", spec, info)
				}
			}
			if want == nil {
				want = s.Theta
			} else if !slices.Equal(want, s.Theta) {
				t.Fatalf("%s: %d workers on %s get another result", spec, c.workers, c.path)
			}
		}
	}
}

func TestSpectralDoesNotAllocate(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:70-40", 1)
	p := samplertest.Params(RMSspectral, 1e-6, 0)
	p.N = 600
	k, s := RMSspectral.New32(g.Net), sampler.NewState(start)
	z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
	k.Step(&s, g, p, z, new(sampler.Info))
	var info sampler.Info
	if n := alloctest.PerRun(5, func() { k.Step(&s, g, p, z, &info) }); n != 0 {
		t.Errorf("rmsspectral allocates %g times a step", n)
	}
}

func TestSpectralNeedsMatrices(t *testing.T) {
	for spec, ok := range map[string]bool{"gaussian": false, "blr:synthetic": false, "mlp:70-40": true,
		"cnn:20": true} {
		p := samplertest.Open(t, spec)
		if why := RMSspectral.Misfit(p); (why == "") != ok {
			t.Errorf("%s: %q", spec, why)
		}
		if why := SGDDropout.Misfit(p); (why == "") != ok {
			t.Errorf("%s: %q", spec, why)
		}
	}
}
