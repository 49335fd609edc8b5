package app

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"runtime/debug"
	"sync"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"

	"github.com/psgld/psgld-tui/targets"
)

// sweepEvery is how often a grid that runs may wake the screen.
const sweepEvery = 250 * time.Millisecond

// sweepThreads is how many cells run at a time: a core is left to a session that runs
// and the screen, where there is one.
func sweepThreads(alone bool) int {
	if alone {
		return runtime.NumCPU()
	}
	return max(runtime.NumCPU()-1, 1)
}

// A sweepJob runs the rest of a grid beside the screen.
type sweepJob struct {
	serial int
	stop   context.CancelFunc
	ended  chan struct{} // closed when nothing runs any more

	mu      sync.Mutex
	more    *sync.Cond // with mu: threads has changed, todo has come to its end, or the job
	threads int        // cells that may run at a time
	grid    sweepGrid  // what is known of it here
	todo    []int      // places in the plan
	running int
	took    float64          // seconds of a session, the mean over the newest ones
	resumed time.Time        // when the program last went on after a stop
	news    map[int]sweepRun // since they were taken, by place in the plan
	err     error
}

// newest is how much a session counts in the mean of what they take, which changes
// with what else uses the cores.
const newest = 0.2

// sweptMsg is the time to take what a job has done.
type sweptMsg struct{ serial int }

// startJob runs what a grid lacks on so many threads, until ctx ends; no more than it
// takes for most runs in all, if that is not 0.
func startJob(ctx context.Context, g *sweepGrid, serial, threads, most int, all *sync.WaitGroup) *sweepJob {
	ctx, stop := context.WithCancel(ctx)
	j := &sweepJob{serial: serial, stop: stop, ended: make(chan struct{}), news: map[int]sweepRun{}, threads: threads, grid: *g}
	j.more = sync.NewCond(&j.mu)
	j.grid.runs = maps.Clone(g.runs)
	order := g.order
	if most > 0 {
		order = order[:min(most, len(order))]
	}
	for _, at := range order {
		if _, done := g.runs[at]; !done {
			j.todo = append(j.todo, at)
		}
	}
	sleepers := context.AfterFunc(ctx, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.more.Broadcast()
	})
	plan := j.grid.sweep.Plan()
	var running sync.WaitGroup
	for k := range min(runtime.NumCPU(), len(j.todo)) {
		running.Go(func() {
			for {
				at, ok := j.next(ctx, k)
				if !ok {
					return
				}
				began := time.Now()
				r, err := runCell(ctx, plan.Job(at), j.grid.sweep.Problem)
				j.did(ctx, at, r, began, err)
			}
		})
	}
	all.Go(func() {
		running.Wait()
		stop()
		sleepers()
		close(j.ended)
	})
	return j
}

// next is the place in the plan of the session that the k-th thread runs next. It
// waits while so many threads may not run.
func (j *sweepJob) next(ctx context.Context, k int) (at int, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for k >= j.threads && len(j.todo) > 0 && ctx.Err() == nil {
		j.more.Wait()
	}
	for len(j.todo) > 0 && !j.grid.wanted(j.todo[0]) {
		j.todo = j.todo[1:]
	}
	if len(j.todo) == 0 || ctx.Err() != nil {
		j.todo = nil
		j.more.Broadcast()
		return 0, false
	}
	at, j.todo = j.todo[0], j.todo[1:]
	j.running++
	return at, true
}

// did takes what a session came to that began then. The first error ends the job.
func (j *sweepJob) did(ctx context.Context, at int, lanes []engine.LaneResult, began time.Time, err error) {
	took := time.Since(began).Seconds()
	var run sweepRun
	if err == nil {
		run = runOf(lanes)
	}
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running--
	if err != nil {
		if ctx.Err() == nil && j.err == nil {
			j.err = err
		}
		j.stop()
		return
	}
	j.news[at], j.grid.runs[at] = run, run
	if began.Before(j.resumed) {
		return // the stop is no part of what it takes
	}
	if j.took == 0 {
		j.took = took
	}
	j.took += newest * (took - j.took)
}

// resume takes note that the program goes on after a stop.
func (j *sweepJob) resume(now time.Time) {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.resumed = now
}

// allow lets so many cells run at a time. Those that run already come to their end.
func (j *sweepJob) allow(threads int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.threads != threads {
		j.threads = threads
		j.more.Broadcast()
	}
}

// left is about how many seconds the job still takes, 0 if that is not known.
func (j *sweepJob) left() float64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := float64(j.running) / 2
	for _, at := range j.todo {
		if j.grid.wanted(at) {
			n++
		}
	}
	return j.took * n / float64(j.threads)
}

// runCell runs one session of a grid on one thread. A panic in it is an error, so
// that it does not leave the terminal as it is.
func runCell(ctx context.Context, job study.Job, p *targets.Problem) (lanes []engine.LaneResult, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cell %s panicked: %v\n%s", job.ID, r, debug.Stack())
		}
	}()
	s, err := session.New(job.Config, p, session.Runtime{Threads: 1})
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", job.ID, err)
	}
	if err := s.Run(ctx); err != nil {
		return nil, fmt.Errorf("cell %s: %w", job.ID, err)
	}
	return s.Result("").Lanes, nil
}

// take moves what was done into the grid.
func (j *sweepJob) take(g *sweepGrid) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	g.take(j.news)
	clear(j.news)
	return j.err
}

// over reports whether nothing runs any more.
func (j *sweepJob) over() bool {
	select {
	case <-j.ended:
		return true
	default:
		return false
	}
}

// wait waits until it is time to look at what was done.
func (j *sweepJob) wait() tea.Cmd {
	return func() tea.Msg {
		t := time.NewTimer(sweepEvery)
		defer t.Stop()
		select {
		case <-t.C:
		case <-j.ended:
		}
		return sweptMsg{j.serial}
	}
}
