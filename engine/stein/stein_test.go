package stein

import (
	"math"
	"math/rand/v2"
	"testing"
	"testing/synctest"
	"time"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
)

// normal is N(0, 1) in dim coordinates.
type normal struct {
	dim   int
	panic bool
}

func (t normal) Dim() int                { return t.dim }
func (t normal) N() int                  { return 1 }
func (t normal) PriorPrecision() float64 { return 0 }
func (t normal) Grad(dst, theta []float64, _ []int32) {
	if t.panic {
		panic("no gradient")
	}
	for i, x := range theta {
		dst[i] = -x
	}
}

var _ targets.Target[float64] = normal{}

// taskOf is a task of n draws of N(0, wide).
func taskOf(seed uint64, dim, n int, wide float64) *Task {
	r := rand.New(rand.NewPCG(seed, 80))
	t := &Task{Curve: new(Curve), Draws: make([][]float64, dim), Chains: 1, Point: Point{Step: seed}}
	for i := range t.Draws {
		for range n {
			t.Draws[i] = append(t.Draws[i], math.Sqrt(wide)*r.NormFloat64())
		}
	}
	return t
}

func settle(w *Watcher) {
	for !w.Worker().Settled() {
		time.Sleep(time.Millisecond)
	}
}

// TestBand checks how often exact draws lie above, in and below their band, and that draws that are too wide lie above.
// The scale is the draws' own here.
func TestBand(t *testing.T) {
	innerlooptest.Skip(t, "many chains")
	w := New(normal{dim: 2}, nil, func() {})
	defer w.Close()
	const runs, n = 60, 300 // 1.5 s
	var exact, wide []*Task
	for s := range uint64(runs) {
		exact, wide = append(exact, taskOf(s, 2, n, 1)), append(wide, taskOf(s, 2, n, 2))
	}
	for _, all := range [][]*Task{exact, wide} {
		w.View(nil, all, false)
		settle(w)
	}
	above, below, found := 0, 0, 0
	for s := range exact {
		p, q := exact[s].Curve.Points(), wide[s].Curve.Points()
		if len(p) != 1 || p[0].Draws != n || !exact[s].independent() {
			t.Fatalf("%+v, independent %v", p, exact[s].independent())
		}
		if p[0].KSD > p[0].To {
			above++
		}
		if p[0].KSD < p[0].From {
			below++
		}
		if q[0].KSD > q[0].To {
			found++
		}
	}
	t.Logf("of %d: %d above, %d below; too wide: %d above", runs, above, below, found)
	// 5% of 60 with a standard error of 1.7, on each side.
	if above > 9 || below > 9 || found < 9*runs/10 {
		t.Errorf("of %d exact chains %d are above and %d below, of too wide ones %d above", runs, above, below, found)
	}
}

// TestIndependent checks what a chain and its mirror image have: no autocorrelation, but squares that stay.
func TestIndependent(t *testing.T) {
	r := rand.New(rand.NewPCG(1, 81))
	x, swings := 0.0, make([]float64, 1000)
	for k := range swings {
		x = 0.9*x + math.Sqrt(1-0.81)*r.NormFloat64()
		swings[k] = x * math.Copysign(1, r.Float64()-0.5)
	}
	if (&Task{Draws: [][]float64{swings}, Chains: 1}).independent() {
		t.Error("the squares are correlated, and nothing sees it")
	}
}

// TestShare checks that the work rests while lanes run, and that a curve that is closed is left.
func TestShare(t *testing.T) { synctest.Test(t, testShare) }

// sleeper is a normal distribution of which a gradient takes a tenth of a millisecond on a clock that counts nothing
// else.
type sleeper struct{ normal }

func (s sleeper) Grad(dst, theta []float64, rows []int32) {
	time.Sleep(100 * time.Microsecond)
	s.normal.Grad(dst, theta, rows)
}

func testShare(t *testing.T) {
	w := New(sleeper{normal{dim: 2}}, nil, func() {})
	defer w.Close()
	time1 := func(running bool, task *Task) time.Duration {
		start := time.Now()
		w.View(nil, []*Task{task}, running)
		settle(w)
		return time.Since(start)
	}
	fast := time1(false, taskOf(1, 2, 400, 1))
	slow := time1(true, taskOf(2, 2, 400, 1))
	share := float64(fast) / float64(slow)
	if fast < 40*time.Millisecond || math.Abs(share-beside.Share) > beside.Share/5 {
		t.Errorf("a task takes %v, and %v beside lanes that run", fast, slow)
	}
	// The newest comes first, and what a closed curve waits for is dropped.
	old, newest, closed := taskOf(3, 2, 300, 1), taskOf(4, 2, 300, 1), taskOf(5, 2, 300, 1)
	newest.Curve = old.Curve
	closed.Curve.Close()
	time1(false, taskOf(6, 2, 300, 1))
	w.View(nil, []*Task{closed, old, newest}, false)
	settle(w)
	if p := old.Curve.Points(); len(p) != 2 || p[0].Step != 3 || p[1].Step != 4 || len(closed.Curve.Points()) != 0 {
		t.Errorf("%+v, %+v", p, closed.Curve.Points())
	}
}

// TestPanic checks that a target's panic is an error, and ends the work.
func TestPanic(t *testing.T) {
	news := make(chan bool, 9)
	w := New(normal{2, true}, nil, func() { news <- true })
	defer w.Close()
	w.View(nil, []*Task{taskOf(1, 2, 300, 1), taskOf(2, 2, 300, 1)}, true)
	<-news
	if _, ok := w.Worker().Look().(*caught.Panic); !ok {
		t.Errorf("error %v", w.Worker().Look())
	}
}
