package scan

import (
	"cmp"
	"context"
	"runtime"
	"slices"
	"sync"

	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Job runs the rest of a scan. Its methods may be called by any goroutine.
type Job struct {
	// Stop ends the job. Sessions that run are given up.
	Stop context.CancelFunc
	// Ended is closed when nothing runs any more. Then Err is the error that ended the job.
	Ended <-chan struct{}
	Err   error

	scan    *Scan
	change  *sync.Cond // with the scan's mutex, which guards what follows: of what next waits for
	threads int        // sessions that may run at a time
	todo    []int      // places in the plan
	running int
}

// newest is the weight of a session in the mean time of sessions, which changes with what else uses the cores.
const newest = 0.2

// Start runs what a scan lacks on so many threads, until ctx ends. If most is above 0, the scan then has no more runs
// than that.
func (g *Scan) Start(ctx context.Context, threads, most int) *Job {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	j := &Job{Stop: stop, Ended: ended, threads: threads, scan: g, change: sync.NewCond(&g.mu)}
	j.todo = slices.Clone(g.order)
	if most > 0 {
		j.todo = j.todo[:min(most, len(j.todo))]
	}
	j.set(func() {
		j.todo = slices.DeleteFunc(j.todo, func(at int) bool { return g.runs[at] != nil })
	})
	runner := &study.Runner{
		Jobs: g.Sweep.Plan().Part(study.All), Threads: runtime.NumCPU(), Next: j.next, Each: j.did,
		Open: func(_ context.Context, j study.Job) (*targets.Problem, error) {
			return study.Turned(g.Sweep.Problem, j.Config)
		},
	}
	go func() {
		_, j.Err = runner.Run(ctx)
		stop()
		close(ended)
	}()
	return j
}

// set changes something for which next may wait.
func (j *Job) set(change func()) {
	j.scan.mu.Lock()
	defer j.scan.mu.Unlock()
	change()
	j.change.Broadcast()
}

// next is the place in the plan of the session that runs next. It waits while as many run as may, and before the values
// are chosen for those that choose them.
func (j *Job) next(ctx context.Context) (at int, ok bool) {
	// The runner's own context ends where a session fails, and a moment after the job's
	// where that is stopped: it is the one whose end has to wake who waits.
	defer context.AfterFunc(ctx, func() { j.set(func() {}) })()
	g := j.scan
	g.mu.Lock()
	defer g.mu.Unlock()
	for len(j.todo) > 0 && ctx.Err() == nil {
		decided := g.decade == 0 || j.running == 0 || g.chosen() || slices.Contains(g.order[:g.coarse], j.todo[0])
		switch at = j.todo[0]; {
		case !decided || j.running >= j.threads:
			j.change.Wait()
		case len(g.wantedOf(j.todo[:1])) == 0:
			j.todo = j.todo[1:]
		default:
			j.todo = j.todo[1:]
			j.running++
			return at, true
		}
	}
	j.todo = nil
	j.change.Broadcast()
	return 0, false
}

// did takes what a session came to.
func (j *Job) did(_ study.Job, o study.Outcome, _ bool) {
	j.set(func() {
		j.running--
		j.scan.took = cmp.Or(j.scan.took, o.Seconds)
		j.scan.took += newest * (o.Seconds - j.scan.took)
		j.scan.add(o.At, list.Map(o.Lanes, runOf))
	})
}

// Allow lets so many sessions run at a time. Those that run already come to their end.
func (j *Job) Allow(threads int) { j.set(func() { j.threads = threads }) }

// Left is about how many seconds the job still takes, 0 if that is not known.
func (j *Job) Left() float64 {
	j.scan.mu.Lock()
	defer j.scan.mu.Unlock()
	return j.scan.took * (float64(len(j.scan.wantedOf(j.todo))) + float64(j.running)/2) / float64(max(j.threads, 1))
}
