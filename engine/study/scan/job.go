package scan

import (
	"context"
	"maps"
	"runtime"
	"slices"
	"sync"

	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// A Job runs the rest of a scan. Its methods may be called by any goroutine.
type Job struct {
	// Stop ends the job. Sessions that run are given up.
	Stop context.CancelFunc
	// Ended is closed when nothing runs any more.
	Ended <-chan struct{}

	mu      sync.Mutex
	change  *sync.Cond // with mu: of what next waits for
	threads int        // cells that may run at a time
	scan    Scan       // with what is known of its cells here
	todo    []int      // places in the plan
	running int
	took    float64 // seconds of a session, the mean over the newest ones
	err     error
}

// newest is the weight of a session in the mean time of sessions, which changes with what else uses the cores.
const newest = 0.2

// Start runs what a scan lacks on so many threads, until ctx ends. If most is above 0,
// the scan then has no more runs than that.
func (g *Scan) Start(ctx context.Context, threads, most int) *Job {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	j := &Job{Stop: stop, Ended: ended, threads: threads, scan: *g}
	j.change = sync.NewCond(&j.mu)
	j.scan.runs = maps.Clone(g.runs)
	order := g.order
	if most > 0 {
		order = order[:min(most, len(order))]
	}
	for _, at := range order {
		if _, done := g.runs[at]; !done {
			j.todo = append(j.todo, at)
		}
	}
	runner := &study.Runner{
		Jobs: g.Sweep.Plan().Part(study.All), Threads: runtime.NumCPU(), Next: j.next, Each: j.did,
		Open: func(_ context.Context, j study.Job) (*targets.Problem, error) {
			return study.Turned(g.Sweep.Problem, j.Config)
		},
	}
	go func() {
		_, err := runner.Run(ctx)
		j.set(func() { j.err = err })
		stop()
		close(ended)
	}()
	return j
}

// set changes something for which next may wait.
func (j *Job) set(change func()) {
	j.mu.Lock()
	defer j.mu.Unlock()
	change()
	j.change.Broadcast()
}

// next is the place in the plan of the session that runs next. It waits while as many run as may.
func (j *Job) next(ctx context.Context) (at int, ok bool) {
	// The runner's own context ends where a session fails, and a moment after the job's
	// where that is stopped: it is the one whose end has to wake who waits.
	defer context.AfterFunc(ctx, func() { j.set(func() {}) })()
	j.mu.Lock()
	defer j.mu.Unlock()
	for len(j.todo) > 0 && ctx.Err() == nil {
		chosen := j.scan.decade == 0 || j.scan.chosen()
		if !chosen && j.running > 0 && !slices.Contains(j.scan.order[:j.scan.coarse], j.todo[0]) || j.running >= j.threads {
			j.change.Wait()
		} else if j.scan.wanted(j.todo[0], j.scan.near()) {
			break
		} else {
			j.todo = j.todo[1:]
		}
	}
	if len(j.todo) == 0 || ctx.Err() != nil {
		j.todo = nil
		j.change.Broadcast()
		return 0, false
	}
	at, j.todo = j.todo[0], j.todo[1:]
	j.running++
	return at, true
}

// did takes what a session came to.
func (j *Job) did(_ study.Job, o study.Outcome, _ bool) {
	j.set(func() {
		j.running--
		j.scan.runs[o.At] = runsOf(o.Lanes)
		if j.took == 0 {
			j.took = o.Seconds
		}
		j.took += newest * (o.Seconds - j.took)
	})
}

// Allow lets so many cells run at a time. Those that run already come to their end.
func (j *Job) Allow(threads int) { j.set(func() { j.threads = threads }) }

// Left is about how many seconds the job still takes, 0 if that is not known.
func (j *Job) Left() float64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	n, near := float64(j.running)/2, j.scan.near()
	for _, at := range j.todo {
		if j.scan.wanted(at, near) {
			n++
		}
	}
	return j.took * n / float64(j.threads)
}

// Each is about how many seconds a session adds to the job, 0 if that is not known.
func (j *Job) Each() float64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	return j.took / float64(max(j.threads, 1))
}

// Take moves what was done into the scan, and returns the error that ended the job.
func (j *Job) Take(g *Scan) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	g.take(j.scan.runs)
	return j.err
}

// Over reports whether nothing runs any more.
func (j *Job) Over() bool {
	select {
	case <-j.Ended:
		return true
	default:
		return false
	}
}
