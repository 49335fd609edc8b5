package samplertest

import (
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// Trained is the Gradient of a network on its first images.
type Trained struct {
	Net  targets.Fork[float32]
	Rows []int32
	E    sampler.Eval[float32]
	Kept []targets.Keep // asked for

	mask noise.Stream
}

// problems are those that Open has opened, by spec: the images take long to draw.
var problems sync.Map

// Open returns a problem, with strokes for images.
func Open(t testing.TB, spec string) *targets.Problem {
	t.Helper()
	if p, ok := problems.Load(spec); ok {
		return p.(*targets.Problem)
	}
	p, err := targets.Open(spec, targets.Options{Dataset: "strokes"})
	if err != nil {
		t.Fatal(err)
	}
	problems.Store(spec, p)
	return p
}

// NewTrained opens a network and returns its gradient and a start.
func NewTrained(t testing.TB, spec string, workers int) (*Trained, []float32) {
	t.Helper()
	p := Open(t, spec)
	g := &Trained{Net: p.F32.(targets.Forker[float32]).Fork(workers), mask: noise.New(1, 0, noise.Mask)}
	t.Cleanup(g.Net.Close)
	for i := range int32(100) {
		g.Rows = append(g.Rows, i)
	}
	g.E.Mean = make([]float32, p.Dim())
	g.E.Second = g.E.Mean
	theta, z := make([]float64, p.Dim()), make([]float64, p.Dim())
	noise.Fill(noise.New(1, 0, noise.Start), z)
	p.Init(theta, z)
	start := make([]float32, p.Dim())
	for i, x := range theta {
		start[i] = float32(x)
	}
	return g, start
}

func (g *Trained) Eval(theta []float32, _ sampler.Ask) *sampler.Eval[float32] {
	g.Net.Grad(g.E.Mean, theta, g.Rows)
	return &g.E
}

func (g *Trained) Dropout(theta []float32, keep targets.Keep) *sampler.Eval[float32] {
	if len(g.Kept) < cap(g.Kept) {
		g.Kept = append(g.Kept, keep)
	}
	g.E.LogLik = g.Net.(targets.Stochastic[float32]).GradRandom(g.E.Mean, theta, g.Rows, &g.mask, keep)
	return &g.E
}

func (g *Trained) Target() targets.Target[float32] { return g.Net }
func (g *Trained) Batch() []int32                  { return g.Rows }
