// Package stein follows the kernel Stein discrepancy of chains beside the sampling: how far their newest draws are from the
// target, by gradients over all data, and how far exact draws would be.
//
// A lane asks with copies of draws, as [Task]s of its [Curve]. A [Watcher] works them out on a goroutine and a fork of the
// target, the newest first, and rests between pieces so that it takes no more than [Share] of a core. When there is no task
// it sleeps.
package stein

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

const (
	// Share is the part of a core that the work takes while lanes run.
	Share = 0.05
	// Least is how many draws a discrepancy is of at least, and Most at most.
	Least, Most = 300, 1000
	// Spacing is how many τ of the slowest coordinate the draws lie apart at least. An autocorrelation that falls off
	// exponentially is then e⁻⁴ or less, so that the band, which is that of independent draws, is right. They lie further
	// apart where their squares mix slower: see Independent.
	Spacing = 4
	// Low and High are the quantiles that the band reaches from and to.
	Low, High = 0.05, 0.95

	replicates = 100              // of the bootstrap
	piece      = time.Millisecond // of work between rests
	work       = 1e9              // multiplications for the gradients of a task, about, as long as it has Least draws
	waiting    = 64               // tasks that wait at most
)

// Draws returns how many draws a discrepancy from a target is of at most: a gradient over all data for each is to be bearable.
func Draws(t targets.Target[float64]) int {
	return min(max(int(work/(float64(t.N())*float64(t.Dim()))), Least), Most)
}

// A Point is the discrepancy of the newest draws after a step. Of exact draws as many it lies between From and To in a share
// High - Low of all cases.
type Point struct {
	Step           uint64
	Seconds, Epoch float64
	Draws          int
	KSD, From, To  float64
}

// A Lane is a curve as it is shown.
type Lane struct {
	Status metrics.Status // OK, or why there is no number now
	Points []Point        // of the window, by step
}

// A View is what is known of each lane.
type View struct {
	Lanes   []Lane
	watcher *Watcher
}

// Settled reports whether nothing is being worked out any more for lanes that stand still: the next view has all.
func (v *View) Settled() bool { return v == nil || v.watcher.settled() }

// A Task is a point to be worked out. Of its draws there is one column for each coordinate.
type Task struct {
	Curve *Curve
	Point Point // without the numbers that are worked out
	// Draws of one chain after the other, as many of each.
	Draws  [][]float64
	Chains int
	Prec   float64 // of the prior
}

// Independent reports whether the squares of the draws from their means, which may mix slower than the draws do, have an
// autocorrelation of 0.1 at most from one draw to the next, or one that is within 3.5 standard errors of 0.
func (t *Task) Independent() bool {
	n := len(t.Draws[0])
	y := make([]float64, n)
	for _, x := range t.Draws {
		mean, sd := stat.PopMeanStdDev(x, nil)
		sum := 0.0
		for k, v := range x {
			y[k] = (v - mean) * (v - mean) / (sd * sd)
			sum += y[k] / float64(n)
		}
		var along, square float64
		for k, v := range y {
			square += (v - sum) * (v - sum)
			if each := n / t.Chains; k%each > 0 {
				along += (v - sum) * (y[k-1] - sum)
			}
		}
		if along > max(0.1, 3.5/math.Sqrt(float64(n)))*square {
			return false
		}
	}
	return true
}

// A Curve is what is known of a window of a lane.
type Curve struct {
	closed atomic.Bool
	mu     sync.Mutex
	points []Point
}

// Close drops the tasks of a curve of a window that has ended.
func (c *Curve) Close() { c.closed.Store(true) }

// Points copies the points.
func (c *Curve) Points() []Point {
	c.mu.Lock()
	defer c.mu.Unlock()
	return slices.Clone(c.points)
}

func (c *Curve) add(p Point) {
	c.mu.Lock()
	defer c.mu.Unlock()
	at, _ := slices.BinarySearchFunc(c.points, p.Step, func(p Point, step uint64) int { return int(p.Step) - int(step) })
	c.points = slices.Insert(c.points, at, p)
}

// A Watcher works out tasks. A nil Watcher has none.
type Watcher struct {
	target targets.Target[float64]
	fork   targets.Fork[float64] // nil where all share the target
	poke   func()
	grad   []float64
	theta  []float64

	mu      sync.Mutex
	queue   []*Task
	running bool // lanes run, and so the work rests between its pieces
	busy    bool
	news    bool
	quit    bool
	err     error
	wake    chan struct{}
	ended   chan struct{}
}

// New starts a watcher of a target, which calls poke, on a goroutine of its own, when there is news.
func New(t targets.Target[float64], poke func()) *Watcher {
	w := &Watcher{target: t, poke: poke, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	if f, ok := t.(targets.Forker[float64]); ok {
		w.fork = f.Fork(1)
		w.target = w.fork
	}
	w.grad, w.theta = make([]float64, t.Dim()), make([]float64, t.Dim())
	go w.serve()
	return w
}

// View shows lanes, adds tasks and says whether lanes run. Beyond a number of tasks the oldest are dropped.
func (w *Watcher) View(lanes []Lane, tasks []*Task, running bool) *View {
	if w != nil {
		w.ask(tasks, running)
	}
	return &View{lanes, w}
}

func (w *Watcher) ask(tasks []*Task, running bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if len(tasks) == 0 && running == w.running {
		return
	}
	w.running = running
	w.queue = append(w.queue, tasks...)
	w.queue = slices.Delete(w.queue, 0, max(len(w.queue)-waiting, 0))
	w.nudge()
}

func (w *Watcher) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// News reports whether there are points that were not there at the last call of Look.
func (w *Watcher) News() bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.news
}

// Look marks what there is as seen. Its error is a *caught.Panic.
func (w *Watcher) Look() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.news = false
	return w.err
}

func (w *Watcher) settled() bool {
	if w == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.busy && len(w.queue) == 0
}

// Close ends the work and waits for its end.
func (w *Watcher) Close() {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.quit = true
	w.mu.Unlock()
	w.nudge()
	<-w.ended
	if w.fork != nil {
		w.fork.Close()
	}
}

// next takes the newest task, nil where there is none.
func (w *Watcher) next() (t *Task, quit bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.queue); n > 0 && w.err == nil {
		t, w.queue = w.queue[n-1], w.queue[:n-1]
	}
	w.busy = t != nil
	return t, w.quit
}

func (w *Watcher) serve() {
	defer close(w.ended)
	for {
		t, quit := w.next()
		if quit {
			return
		}
		if t == nil {
			<-w.wake
			continue
		}
		panicked := caught.In("the Stein discrepancy", func() { w.do(t) })
		w.mu.Lock()
		if panicked != nil {
			w.err, w.queue = panicked, nil
		}
		w.news = true
		w.busy = len(w.queue) > 0
		w.mu.Unlock()
		w.poke()
	}
}

// do works out a task.
func (w *Watcher) do(t *Task) {
	if t.Curve.closed.Load() {
		return
	}
	n, scale := len(t.Draws[0]), make([]float64, len(t.Draws))
	for i, x := range t.Draws {
		if _, scale[i] = stat.PopMeanStdDev(x, nil); !(scale[i] > 0) || math.IsInf(scale[i], 1) {
			return // draws that do not vary, or are not finite
		}
	}
	k := metrics.NewStein(metrics.SteinConfig{Dim: len(scale), Scale: scale, Replicates: replicates, Seed: t.Point.Step})
	start, size := time.Now(), float64(w.target.N())
	for j := range n {
		for i, x := range t.Draws {
			w.theta[i] = x[j]
		}
		w.target.Grad(w.grad, w.theta, nil)
		for i, m := range w.grad {
			w.grad[i] = t.Prec*w.theta[i] - size*m
		}
		k.Add(w.theta, w.grad)
		if took := time.Since(start); took >= piece {
			if !w.rest(took) || t.Curve.closed.Load() {
				return
			}
			start = time.Now()
		}
	}
	ksd := k.KSD()
	from, to := k.Band(Low, High)
	if ksd.OK() && from.OK() && to.OK() {
		p := t.Point
		p.Draws, p.KSD, p.From, p.To = n, ksd.Value, from.Value, to.Value
		t.Curve.add(p)
	}
	w.rest(time.Since(start))
}

// rest sleeps after so long a piece, while lanes run. It reports whether to go on.
func (w *Watcher) rest(took time.Duration) bool {
	end := time.Now().Add(time.Duration((1 - Share) / Share * float64(took)))
	for {
		w.mu.Lock()
		quit, left := w.quit, time.Until(end)
		if !w.running {
			left = 0
		}
		w.mu.Unlock()
		if quit || left <= 0 {
			return !quit
		}
		select {
		case <-w.wake: // news of lanes that stop, of tasks or of the end
		case <-time.After(left):
		}
	}
}
