package sampler

import (
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/targets"
)

// trained is the Gradient of a network on its first images.
type trained struct {
	target targets.Fork[float32]
	batch  []int32
	e      Eval[float32]
	mask   noise.Stream
	kept   []targets.Keep // asked for
}

// problems are those that opened has opened, by spec: the images take long to draw.
var problems sync.Map

func opened(t testing.TB, spec string) *targets.Problem {
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

// newTrained opens a network and returns its gradient and a start.
func newTrained(t testing.TB, spec string, workers int) (*trained, []float32) {
	t.Helper()
	p := opened(t, spec)
	g := &trained{target: p.F32.(targets.Forker[float32]).Fork(workers), mask: noise.New(1, 0, noise.Mask)}
	t.Cleanup(g.target.Close)
	for i := range int32(100) {
		g.batch = append(g.batch, i)
	}
	g.e.Mean = make([]float32, p.Dim())
	g.e.Second = g.e.Mean
	theta, z := make([]float64, p.Dim()), make([]float64, p.Dim())
	noise.Fill(noise.New(1, 0, noise.Start), z)
	p.Init(theta, z)
	start := make([]float32, p.Dim())
	for i, x := range theta {
		start[i] = float32(x)
	}
	return g, start
}

func (g *trained) Eval(theta []float32, _ Ask) *Eval[float32] {
	g.target.Grad(g.e.Mean, theta, g.batch)
	return &g.e
}

func (g *trained) Dropout(theta []float32, keep targets.Keep) *Eval[float32] {
	if len(g.kept) < cap(g.kept) {
		g.kept = append(g.kept, keep)
	}
	g.e.LogLik = g.target.(targets.Stochastic[float32]).GradRandom(g.e.Mean, theta, g.batch, &g.mask, keep)
	return &g.e
}

func (g *trained) Target() targets.Target[float32] { return g.target }
func (g *trained) Batch() []int32                  { return g.batch }
