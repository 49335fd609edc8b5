package sampler

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/targets"
)

// A step is SGD's with the gradient of dropout, and that of SGD where all is kept.
func TestDropoutIsSGD(t *testing.T) {
	g, start := newTrained(t, "mlp:24-12", 1)
	g.kept = make([]targets.Keep, 0, 8)
	for _, c := range []struct{ in, hidden, momentum float64 }{{1, 1, 0}, {0.8, 0.5, 0}, {0.8, 0.5, 0.9}} {
		p := params(sgdDropout, 1e-3, 0, c.in, c.hidden, c.momentum)
		p.N, p.PriorPrec = 600, 1
		k := sgdDropout.New32(g.target)
		s := NewState(start)
		k.(Beginner[float32]).Begin(&s, p)
		g.kept = g.kept[:0]
		want, velocity := slices.Clone(start), make([]float32, len(start))
		for range 3 {
			var info Info
			k.Step(&s, g, p, nil, &info)
			if !info.OK || info.Noise2 != 0 {
				t.Fatalf("%+v", info)
			}
		}
		keep := targets.Keep{Input: c.in, Hidden: c.hidden}
		if len(g.kept) != 3 || g.kept[0] != keep {
			t.Fatalf("asked for %v, want three times %v", g.kept, keep)
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
			plain := NewState(start)
			q := params(sgd, 1e-3, 0)
			q.N, q.PriorPrec = 600, 1
			l := sgd.New32(g.target)
			for range 3 {
				l.Step(&plain, g, q, nil, new(Info))
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
	g, start := newTrained(t, "mlp:24-12", 1)
	free := NewState(start)
	bound := NewState(start)
	p := params(sgdDropout, 1e-3, 0, 1, 1)
	p.N, p.PriorPrec = 600, 1
	sgdDropout.New32(g.target).Step(&free, g, p, nil, new(Info))
	const c = 1.2
	p.Own[dropoutMaxNorm] = c
	sgdDropout.New32(g.target).Step(&bound, g, p, nil, new(Info))
	cut, kept := 0, 0
	for _, l := range g.target.(targets.Layered).Layers() {
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
	g, start := newTrained(t, "mlp:24-12", 1)
	p := params(sgdDropout, 1e-5, 0, 0.8, 0.5, 0.9, 3)
	p.N = 600
	k, s := sgdDropout.New32(g.target), NewState(start)
	k.(Beginner[float32]).Begin(&s, p)
	var info Info
	if n := testing.AllocsPerRun(5, func() { k.Step(&s, g, p, nil, &info) }); n != 0 {
		t.Errorf("sgd-dropout allocates %g times a step", n)
	}
}
