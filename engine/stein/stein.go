// Package stein follows the kernel Stein discrepancy of chains beside the sampling: how far their newest draws are from
// the target, by gradients over all data, and how far exact draws would be.
//
// A lane asks with copies of draws, as [Task]s of its [Curve]. A [Watcher] works them out on a goroutine and a fork of
// the target, as package beside has it.
package stein

import (
	"math"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"gonum.org/v1/gonum/stat"

	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

const (
	// Least is how many draws a discrepancy is of at least, and Most at most.
	Least, Most = 300, 1000
	// Spacing is how many τ of the slowest coordinate the draws lie apart at least. An autocorrelation that falls off
	// exponentially is then e⁻⁴ or less, so that the band, which is that of independent draws, is right. They lie
	// further apart where their squares mix slower: see independent.
	Spacing = 4
	// Low and High are the quantiles that the band reaches from and to.
	Low, High = 0.05, 0.95

	replicates = 100              // of the bootstrap
	piece      = time.Millisecond // of work between rests
	work       = 1e9              // multiplications for the gradients of a task, about, as long as it has Least draws
	waiting    = 64               // tasks that wait at most
)

// Draws returns how many draws a discrepancy from a target is of at most: a gradient over all data for each is to be
// bearable.
func Draws(t targets.Target[float64]) int {
	return min(max(int(work/(float64(t.N())*float64(t.Dim()))), Least), Most)
}

// A Point is the discrepancy of the newest draws after a step. Of exact draws as many it lies between From and To in a
// share High - Low of all cases.
type Point struct {
	Step           uint64
	Seconds, Epoch float64
	Draws          int
	KSD, From, To  float64
}

// A LaneCurve is a curve as it is shown.
type LaneCurve struct {
	Status metrics.Status // OK, or why there is no number now
	Points []Point        // of the window, by step
}

// A View is what is known of each lane.
type View struct {
	Lanes   []LaneCurve
	watcher *Watcher
}

// Settled reports whether nothing is being worked out any more for lanes that stand still: the next view has all.
func (v *View) Settled() bool { return v == nil || v.watcher.Worker().Settled() }

// A Task is a point to be worked out. Of its draws there is one column for each coordinate.
type Task struct {
	Curve *Curve
	Point Point // without the numbers that are worked out
	// Draws of one chain after the other, as many of each.
	Draws  [][]float64
	Chains int
	Prec   float64 // of the prior
}

// independent reports whether the squares of the draws from their means, which may mix slower than the draws do, have
// an autocorrelation of 0.1 at most from one draw to the next, or one that is within 3.5 standard errors of 0.
func (t *Task) independent() bool {
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
			square += float64((v - sum) * (v - sum))
			if each := n / t.Chains; k%each > 0 {
				along += float64((v - sum) * (y[k-1] - sum))
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
	at, _ := slices.BinarySearchFunc(c.points, p.Step,
		func(p Point, step uint64) int { return int(p.Step) - int(step) })
	c.points = slices.Insert(c.points, at, p)
}

// A Watcher works out tasks. A nil Watcher has none.
type Watcher struct {
	work   *beside.Worker
	target targets.Target[float64]
	fork   targets.Fork[float64] // nil where all share the target
	scale  targets.Scale
	grad   []float64
	theta  []float64
}

// New starts a watcher of a target, whose parameters have a scale or nil. It calls poke, on a goroutine of its own,
// when there is news.
func New(t targets.Target[float64], scale targets.Scale, poke func()) *Watcher {
	w := &Watcher{target: t, scale: scale, work: beside.New("the Stein discrepancy", waiting, poke)}
	if f, ok := t.(targets.Forker[float64]); ok {
		w.fork = f.Fork(1)
		w.target = w.fork
	}
	w.grad, w.theta = make([]float64, t.Dim()), make([]float64, t.Dim())
	return w
}

// View shows lanes, adds tasks and says whether lanes run. Beyond a number of tasks the oldest are dropped.
func (w *Watcher) View(lanes []LaneCurve, tasks []*Task, running bool) *View {
	w.Worker().Ask(list.Map(tasks, func(t *Task) beside.Task {
		return func(rest func(time.Duration) bool) { w.do(t, rest) }
	}), running)
	return &View{lanes, w}
}

// Worker does the tasks.
func (w *Watcher) Worker() *beside.Worker {
	if w == nil {
		return nil
	}
	return w.work
}

// Close ends the work and waits for its end.
func (w *Watcher) Close() {
	if w == nil {
		return
	}
	w.work.Close()
	if w.fork != nil {
		w.fork.Close()
	}
}

// stepped is where the parameters of draws are stepped, NaN where they are beyond their bounds.
func (w *Watcher) stepped(draws [][]float64) [][]float64 {
	out, x := make([][]float64, len(draws)), make([]float64, len(draws))
	for j := range draws[0] {
		for i, column := range draws {
			x[i] = column[j]
		}
		err := w.scale.Step(w.theta, x)
		for i, u := range w.theta {
			if err != nil {
				u = math.NaN()
			}
			out[i] = append(out[i], u)
		}
	}
	return out
}

// do works out a task.
func (w *Watcher) do(t *Task, rest func(time.Duration) bool) {
	if t.Curve.closed.Load() {
		return
	}
	n, scale := len(t.Draws[0]), make([]float64, len(t.Draws))
	if w.scale != nil {
		t.Draws = w.stepped(t.Draws)
	}
	for i, x := range t.Draws {
		if _, scale[i] = stat.PopMeanStdDev(x, nil); !(scale[i] > 0) || math.IsInf(scale[i], 1) {
			return // draws that do not vary, or are not finite
		}
	}
	k := metrics.NewStein(scale, replicates, t.Point.Step)
	start, size := time.Now(), float64(w.target.N())
	for j := range n {
		for i, x := range t.Draws {
			w.theta[i] = x[j]
		}
		w.target.Grad(w.grad, w.theta, nil)
		for i, m := range w.grad {
			w.grad[i] = float64(t.Prec*w.theta[i]) - float64(size*m)
		}
		k.Add(w.theta, w.grad)
		if took := time.Since(start); took >= piece {
			if !rest(took) || t.Curve.closed.Load() {
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
	rest(time.Since(start))
}

// A Follower takes the draws of a lane's window of which the discrepancy is worked out. It does so whenever they have
// grown by a quarter, so that which points there are follows from the draws alone.
type Follower struct {
	Status metrics.Status // why the newest try took none

	on    bool
	curve *Curve
	tried uint64 // draws of the window at the newest try
	tasks []*Task
}

// Restart begins a new window.
func (f *Follower) Restart() {
	f.Close()
	*f = Follower{Status: metrics.TooShort, on: f.on, curve: new(Curve)}
}

// Close drops the tasks of the window.
func (f *Follower) Close() {
	if f.curve != nil {
		f.curve.Close()
	}
}

// Watch begins or ends to follow the lane.
func (f *Follower) Watch(on bool) {
	if f.on = on; !on {
		f.tasks = nil
	}
}

// Due reports whether draws are to be taken of a window of so many. If so, it counts as a try.
func (f *Follower) Due(draws uint64) bool {
	due := f.on && draws > f.tried+f.tried/4
	if due {
		f.tried = draws
	}
	return due
}

// A Window is what a [Task] is made of.
type Window struct {
	Keepers []*metrics.Keeper // of the chains
	Dim     int
	Most    int     // draws at most
	ACT     float64 // τ of the slowest coordinate, in draws
	Prec    float64 // of the prior
	Now     Point   // without the numbers that are worked out
}

// Take takes the newest draws that lie far enough apart to be independent, and returns why it took none, or OK.
func (f *Follower) Take(w Window) metrics.Status {
	k := len(w.Keepers)
	for stride := Spacing * w.ACT / float64(w.Keepers[0].Every()); ; stride *= 2 {
		t := &Task{Curve: f.curve, Prec: w.Prec, Chains: k, Point: w.Now}
		for i := range w.Dim {
			var x []float64
			for _, c := range w.Keepers {
				x = c.Newest(x, i, (w.Most+k-1)/k, max(int(math.Ceil(stride)), 1))
			}
			t.Draws = append(t.Draws, x)
		}
		if len(t.Draws[0]) < Least {
			return metrics.TooShort
		}
		if t.independent() {
			f.tasks = append(f.tasks, t)
			return metrics.OK
		}
	}
}

// View is the discrepancy of the window, and the tasks since the last view.
func (f *Follower) View() (v LaneCurve, tasks []*Task) {
	tasks, f.tasks = f.tasks, nil
	return LaneCurve{f.Status, f.curve.Points()}, tasks
}
