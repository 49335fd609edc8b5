package optimiser

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
)

// A step is SGD's with the gradient of dropout, and that of SGD where all is kept.
func TestDropoutIsSGD(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:24-12", 1)
	g.Kept = make([]targets.Keep, 0, 8)
	for _, c := range []struct{ in, hidden, momentum float64 }{{1, 1, 0}, {0.8, 0.5, 0}, {0.8, 0.5, 0.9}} {
		p := samplertest.Params(SGDDropout, 1e-3, 0, c.in, c.hidden, c.momentum)
		p.N, p.PriorPrec = 600, 1
		k := SGDDropout.New32(g.Net)
		s := sampler.NewState(start)
		k.(sampler.Beginner[float32]).Begin(&s, p)
		g.Kept = g.Kept[:0]
		want, velocity := slices.Clone(start), make([]float32, len(start))
		for range 3 {
			var info sampler.Info
			k.Step(&s, g, p, nil, &info)
			if !info.OK || info.Noise2 != 0 {
				t.Fatalf("%+v", info)
			}
		}
		keep := targets.Keep{Input: c.in, Hidden: c.hidden}
		if len(g.Kept) != 3 || g.Kept[0] != keep {
			t.Fatalf("asked for %v, want three times %v", g.Kept, keep)
		}
		for range 3 {
			e := g.Dropout(want, keep)
			for i, x := range want {
				u := 600*e.Mean[i] - x
				velocity[i] = float32(c.momentum)*velocity[i] + u*0.0005
				want[i] += velocity[i]
			}
		}
		for i := range want {
			// Three steps' roundings.
			if math.Abs(float64(s.Theta[i]-want[i])) > 1e-6*(1+math.Abs(float64(want[i]))) {
				t.Fatalf("%+v: θ[%d] = %g, want %g", c, i, s.Theta[i], want[i])
			}
		}
		if c.in == 1 { // nothing is dropped
			plain := sampler.NewState(start)
			q := samplertest.Params(SGD, 1e-3, 0)
			q.N, q.PriorPrec = 600, 1
			l := SGD.New32(g.Net)
			for range 3 {
				l.Step(&plain, g, q, nil, new(sampler.Info))
			}
			for i := range want {
				if math.Abs(float64(s.Theta[i]-plain.Theta[i])) > 1e-6 {
					t.Fatalf("θ[%d] = %g, SGD's is %g", i, s.Theta[i], plain.Theta[i])
				}
			}
		}
	}
}

// No unit's weights are longer than the max-norm after a step, and shorter ones
// and biases stay.
func TestMaxNorm(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:24-12", 1)
	free := sampler.NewState(start)
	bound := sampler.NewState(start)
	p := samplertest.Params(SGDDropout, 1e-3, 0, 1, 1)
	p.N, p.PriorPrec = 600, 1
	SGDDropout.New32(g.Net).Step(&free, g, p, nil, new(sampler.Info))
	const c = 1.2
	p.Own[dropoutMaxNorm] = c
	SGDDropout.New32(g.Net).Step(&bound, g, p, nil, new(sampler.Info))
	cut, kept := 0, 0
	for _, l := range g.Net.(targets.Layered).Layers() {
		for j := range l.Cols {
			sum := 0.0
			for i := l.From + j; i < l.To; i += l.Cols {
				sum += float64(free.Theta[i]) * float64(free.Theta[i])
			}
			scale := 1.0
			if norm := math.Sqrt(sum); l.Rows > 1 && norm > c {
				scale = c / norm
				cut++
			} else {
				kept++
			}
			for i := l.From + j; i < l.To; i += l.Cols {
				if want := scale * float64(free.Theta[i]); math.Abs(float64(bound.Theta[i])-want) > 1e-6 {
					t.Fatalf("%s, unit %d: %g, want %g", l.Name, j, bound.Theta[i], want)
				}
			}
		}
	}
	if cut == 0 || kept == 0 {
		t.Errorf("%d units cut and %d kept: the bound tests nothing", cut, kept)
	}
}

func TestDropoutDoesNotAllocate(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:24-12", 1)
	p := samplertest.Params(SGDDropout, 1e-5, 0, 0.8, 0.5, 0.9, 3)
	p.N = 600
	k, s := SGDDropout.New32(g.Net), sampler.NewState(start)
	k.(sampler.Beginner[float32]).Begin(&s, p)
	var info sampler.Info
	if n := alloctest.PerRun(5, func() { k.Step(&s, g, p, nil, &info) }); n != 0 {
		t.Errorf("sgd-dropout allocates %g times a step", n)
	}
}
