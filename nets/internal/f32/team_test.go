package f32

import (
	"fmt"
	"math/rand/v2"
	"sync/atomic"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

func TestTeamRunsEachWorkerOnce(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		team := NewTeam(workers)
		var seen [4]atomic.Int32
		task := func(worker, of int) {
			if of != workers || team.Workspace(worker) == nil {
				t.Errorf("worker %d of %d, want of %d", worker, of, workers)
			}
			seen[worker].Add(1)
		}
		for i := range 300 {
			if i%100 == 99 {
				time.Sleep(2 * time.Millisecond) // they fall asleep
			}
			team.Run(task)
			for w := range workers {
				if n := int(seen[w].Load()); n != i+1 {
					t.Fatalf("worker %d ran %d times, want %d", w, n, i+1)
				}
			}
		}
		if n := alloctest.PerRun(10, func() { team.Run(task) }); n != 0 {
			t.Errorf("Run allocates %v times", n)
		}
		team.Close()
	}
}

func TestTeamDoesEachPieceOnce(t *testing.T) {
	for workers := 1; workers <= 4; workers++ {
		team := NewTeam(workers)
		var seen [50]atomic.Int32
		task := func(worker, i int) { seen[i].Add(1) }
		for round := range 2000 {
			n := 1 + round%50
			team.Each(n, task)
			for i := range seen {
				want := int32(0)
				if i < n {
					want = 1
				}
				if got := seen[i].Swap(0); got != want {
					t.Fatalf("%d workers: piece %d of %d was done %d times", workers, i, n, got)
				}
			}
		}
		team.Each(0, nil)
		team.Close()
	}
}

// A panic is told to who gave the task, whoever had the piece.
func TestTeamPanics(t *testing.T) {
	for _, of := range []int{0, 1} {
		team := NewTeam(2)
		start := make(chan struct{})
		var got any
		func() {
			defer func() { got = recover() }()
			team.Run(func(part, _ int) {
				if part == 1 {
					close(start)
				} else {
					<-start // so that each has one
				}
				if part == of {
					panic("no memory")
				}
			})
		}()
		team.Close()
		if s := fmt.Sprint(got); s != "no memory" {
			t.Errorf("worker %d: recovered %v", of, got)
		}
	}
}

func TestSpan(t *testing.T) {
	for _, unit := range []int{1, 13, 32} {
		for n := range 200 {
			for workers := 1; workers < 6; workers++ {
				next := 0
				for w := range workers {
					from, to := Span(n, unit, w, workers)
					if from != next || to < from || to != n && to%unit != 0 {
						t.Fatalf("worker %d of %d gets %d to %d of %d in units of %d, want from %d",
							w, workers, from, to, n, unit, next)
					}
					next = to
				}
				if next != n {
					t.Fatalf("%d workers do %d of %d", workers, next, n)
				}
			}
		}
	}
}

// Teams of all sizes give the same bits, and allocate nothing.
func TestTeamProducts(t *testing.T) {
	r := rand.New(rand.NewPCG(51, 52))
	x, w, y := Mat(60, 90, fill(r, make([]float32, 60*90))), Mat(90, 70, fill(r, make([]float32, 90*70))),
		Mat(60, 70, make([]float32, 60*70))
	dw, dx := Mat(90, 70, make([]float32, 90*70)), Mat(60, 90, make([]float32, 60*90))
	var want [3][]float32
	for workers := 1; workers <= 3; workers++ {
		team := NewTeam(workers)
		step := func() {
			team.MatMul(y, x, w)
			team.MatMulT(dx, y, w)
			team.MatTMul(dw, x, y, false)
		}
		step()
		for i, m := range []Matrix{y, dx, dw} {
			if workers == 1 {
				want[i] = append([]float32(nil), m.Data...)
			}
			for j, v := range m.Data {
				if !same(v, want[i][j]) {
					t.Fatalf("%d workers, product %d: number %d is %g, want %g", workers, i, j, v, want[i][j])
				}
			}
		}
		if n := alloctest.PerRun(10, step); n != 0 {
			t.Errorf("%d workers: a step allocates %v times", workers, n)
		}
		team.Close()
	}
}

// Nothing that a step calls allocates.
func TestKernelsDoNotAllocate(t *testing.T) {
	eachPath(t, func(t *testing.T, p path) {
		ws := NewWorkspace()
		r := rand.New(rand.NewPCG(53, 54))
		tr := newTrial(r, plain, 20, 37, 40, 0, false)
		s := Conv{6, 6, 3, 20, 5}
		c := newConvTrial(r, s, 2)
		pooled, which := make([]float32, s.Output(2).Pooled().Len()), make([]uint8, s.Output(2).Pooled().Len())
		y := Mat(72, 20, c.y.data)
		n := alloctest.PerRun(5, func() {
			p.product(tr.product, ws)
			p.conv(s, c.y.data, c.x.data, c.w.data, 2, ws)
			p.convBackData(s, c.dx.data, c.y.data, c.w.data, 2, ws)
			p.convBackWeights(s, c.dw.data, c.x.data, c.y.data, 2, 0, s.Patch(), false, ws)
			p.maxPool(pooled, which, c.y.data, s.Output(2))
			p.maxPoolBack(c.y.data, pooled, which, s.Output(2))
			p.addBiasReLU(y, c.w.data[:20])
			p.reluBack(y, y)
			p.addRows(c.w.data[:20], y)
			p.axpy(c.y.data, 1, c.y.data)
		})
		if n != 0 {
			t.Errorf("%v allocations", n)
		}
	})
}

func BenchmarkTeam(b *testing.B) {
	for workers := 1; workers <= 2; workers++ {
		team := NewTeam(workers)
		task := func(worker, workers int) {}
		b.Run(fmt.Sprintf("empty/%d", workers), func(b *testing.B) {
			for b.Loop() {
				team.Run(task)
			}
		})
		r := rand.New(rand.NewPCG(1, 2))
		x, w, y := Mat(100, 1200, fill(r, aligned(120000))), Mat(1200, 1200, fill(r, aligned(1440000))),
			Mat(100, 1200, aligned(120000))
		b.Run(fmt.Sprintf("100x1200x1200/%d", workers), func(b *testing.B) {
			measure(b, 2*100*1200*1200, func() { team.MatMul(y, x, w) })
		})
		team.Close()
	}
}
