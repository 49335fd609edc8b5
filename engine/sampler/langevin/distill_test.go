package langevin

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/internal/samplertest"
	"github.com/psgld/psgld-tui/nets/tool/alloctest"
	"github.com/psgld/psgld-tui/targets"
)

// studentAt sets a student's own parameters.
func studentAt(m, teacher sampler.Method, eps, temp float64, own ...float64) *sampler.Params {
	p := samplertest.Params(m, eps, temp)
	copy(p.Own[len(teacher.Params):], own)
	return p
}

// The teacher's path is that of the sampler without a student, and what the student
// did is in State.
func TestStudentLeavesTheTeacherAlone(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:20", 1)
	z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
	for _, m := range []sampler.Method{PSGLD, SGLD, SGHMC, CSGLD} {
		name, d := m.Name, Distilled(m)
		p, q := studentAt(d, m, 1e-6, 1, 1e-3, 1e-4, 5, 0.1, 40), samplertest.Params(m, 1e-6, 1)
		p.N, p.PriorPrec, q.N, q.PriorPrec = 500, 1, 500, 1
		k, s := samplertest.Begun(d, start, p)
		k2, s2 := samplertest.Begun(m, start, q)
		var i, j, again sampler.Info
		var saved sampler.State[float32]
		for step := range 12 {
			k.Step(&s, g, p, z, &i)
			k2.Step(&s2, g, q, z, &j)
			if !slices.Equal(s.Theta, s2.Theta) || !slices.Equal(s.V, s2.V) ||
				!slices.EqualFunc(s.Own[:len(s2.Own)], s2.Own, slices.Equal) || i != j {
				t.Fatalf("%s: step %d differs: %+v, want %+v", name, s.Step, i, j)
			}
			if moved := !slices.Equal(s.Own[len(s2.Own)], start); moved != (step >= 5 && !i.Skip) {
				t.Fatalf("%s: at step %d the student has moved: %v", name, s.Step, moved)
			}
			if step == 7 {
				saved = s.Clone()
			}
		}
		back := saved.Clone()
		k3 := d.New32(samplertest.OfDim[float32](len(start)))
		k3.(sampler.Parallel).Spread(func(n int, task func(worker, i int)) {
			for i := n - 1; i >= 0; i-- {
				task(0, i)
			}
		})
		for back.Step < s.Step {
			k3.Step(&back, g, p, z, &again)
		}
		if !slices.EqualFunc(s.Own, back.Own, slices.Equal) || !slices.Equal(s.Theta, back.Theta) {
			t.Errorf("%s: steps that are repeated differ", name)
		}
		if !i.Skip && (slices.Equal(s.Own[len(s2.Own)+studentMean], start) ||
			slices.Equal(s.Own[len(s2.Own)+studentMean], s.Own[len(s2.Own)])) {
			t.Errorf("%s: the average does not follow the student", name)
		}
		w := make([]float32, len(start))
		if k.(sampler.Proxy[float32]).Proxy(w, &s, 0, nil); !slices.Equal(w, s.Own[len(s2.Own)+studentMean]) ||
			k.(sampler.Proxy[float32]).Proxies(p) != 1 {
			t.Errorf("%s: the prediction is not the student's", name)
		}
	}
}

// A student with the teacher's parameters, and no decay, stays there.
func TestStudentThatKnowsAll(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:20", 1)
	still := newResting(g)
	z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
	d := Distilled(SGLD)
	for _, jitter := range []float64{0, 0.3} {
		p := studentAt(d, SGLD, 1e-3, 0, 1e-2, 0, 0, jitter)
		k, s := samplertest.Begun(d, start, p)
		var i sampler.Info
		for range 5 {
			k.Step(&s, still, p, z, &i)
		}
		if !slices.Equal(s.Own[studentW], start) || !slices.Equal(s.Theta, start) {
			t.Errorf("jitter %g: the student left", jitter)
		}
	}
}

// The student's step by the gradient of GradDistill at the teacher's new θ, and
// what it is for: the student's predictions come near those of a teacher at rest.
func TestStudentStep(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:20", 1)
	const eps, rho, decay, jitter = 1e-6, 1e-3, 1e-2, 0.2
	z := noise.NewNormals[float32](noise.New(4, 1, noise.Langevin), len(start))
	d := Distilled(PSGLD)
	p := studentAt(d, PSGLD, eps, 1, rho, decay, 0, jitter)
	p.N, p.PriorPrec = 500, 1
	k, s := samplertest.Begun(d, start, p)
	var i sampler.Info
	w, v, grad := slices.Clone(start), make([]float64, len(start)), make([]float32, len(start))
	for range 3 {
		k.Step(&s, g, p, z, &i)
		stream := noise.New(4, 1, noise.Student).At(s.Step)
		g.Net.(targets.Distiller[float32]).GradDistill(grad, w, s.Theta, g.Rows, &stream, jitter)
		for j, x := range grad {
			x := float64(x)
			v[j] = 0.99*v[j] + 0.01*x*x
			w[j] += float32(rho * (x - decay*float64(w[j])) / (1e-5 + math.Sqrt(v[j])))
		}
		for j, x := range s.Own[studentW] {
			if math.Abs(float64(x-w[j])) > 1e-6*(1+math.Abs(float64(x))) {
				t.Fatalf("step %d: w[%d] = %g, want %g", s.Step, j, x, w[j])
			}
		}
		copy(w, s.Own[studentW])
	}

	still := newResting(g)
	p = studentAt(d, PSGLD, 1e-9, 0, rho, 0, 0, 0)
	k, s = samplertest.Begun(d, start, p)
	for j := range s.Theta {
		s.Theta[j] *= 1.5
	}
	divergence := func() float64 {
		cross := g.Net.(targets.Distiller[float32]).GradDistill(grad, s.Own[studentW], s.Theta, g.Rows, nil, 0)
		entropy := g.Net.(targets.Distiller[float32]).GradDistill(grad, s.Theta, s.Theta, g.Rows, nil, 0)
		return entropy - cross
	}
	before := divergence()
	for range 100 {
		k.Step(&s, still, p, z, &i)
	}
	if after := divergence(); !(after < before/10) {
		t.Errorf("the divergence went from %g to %g", before, after)
	}
}

func TestStudentDoesNotAllocate(t *testing.T) {
	g, start := samplertest.NewTrained(t, "mlp:20", 1)
	z := noise.NewNormals[float32](noise.New(1, 0, noise.Langevin), len(start))
	d := Distilled(PSGLD)
	p := studentAt(d, PSGLD, 1e-6, 1, 1e-3, 1e-4, 0, 0.1)
	k, s := samplertest.Begun(d, start, p)
	k.(sampler.Parallel).Spread(g.Net.Each)
	var i sampler.Info
	if n := alloctest.PerRun(5, func() { k.Step(&s, g, p, z, &i) }); n != 0 {
		t.Errorf("allocates %g times a step", n)
	}
}

// resting is a network with a gradient of zero.
type resting struct {
	*samplertest.Trained
	e sampler.Eval[float32]
}

// newResting returns the network of g without its gradient.
func newResting(g *samplertest.Trained) *resting {
	zero := make([]float32, len(g.E.Mean))
	return &resting{Trained: g, e: sampler.Eval[float32]{Mean: zero, Second: zero}}
}

func (g *resting) Eval([]float32, sampler.Ask) *sampler.Eval[float32] { return &g.e }

// The mover in float64 has the steps of the fused one, which has less precision. Both tell of a student that is lost.
func TestMoversAgree(t *testing.T) {
	const dim = 700
	few, many := make([][]float64, numStudent-1), make([][]float32, numStudent-1)
	for i := range few {
		few[i], many[i] = make([]float64, dim), make([]float32, dim)
	}
	f, q := newFused(dim), []float64{studentLR: 0.01, studentDecay: 0.1}
	z, grad, same := make([]float64, dim), make([]float32, dim), make([]float64, dim)
	stream := noise.New(1, 0, noise.Start)
	for step := range uint64(50) {
		noise.Fill(stream.At(step), z)
		for i := range z {
			grad[i] = float32(z[i])
			same[i] = float64(grad[i])
		}
		if !f.move(many, grad, 0.25, q) || !plainly(few, same, 0.25, q) {
			t.Fatal("a student is lost")
		}
	}
	for v := range few {
		for i, x := range few[v] {
			if got := float64(many[v][i]); math.Abs(got-x) > 1e-5*max(1, math.Abs(x)) {
				t.Fatalf("vector %d, number %d: %v, fused %v", v, i, x, got)
			}
		}
	}
	for _, x := range []float64{2 * sampler.Limit, math.NaN()} {
		few[studentW][3], many[studentW][3] = x, float32(x)
		if plainly(few, same, 0, q) || f.move(many, grad, 0, q) {
			t.Errorf("a student at %v is usable", x)
		}
	}
}
