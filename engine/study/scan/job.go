package scan

import (
	"context"
	"fmt"
	"maps"
	"runtime"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"
)

// A Job runs the rest of a scan. Its methods may be called by any goroutine.
type Job struct {
	// Stop ends the job. Sessions that run are given up.
	Stop context.CancelFunc
	// Ended is closed when nothing runs any more.
	Ended <-chan struct{}

	mu      sync.Mutex
	more    *sync.Cond // with mu: threads has changed, todo has come to its end, or the job
	threads int        // cells that may run at a time
	scan    Scan       // what is known of it here
	todo    []int      // places in the plan
	running int
	took    float64       // seconds of a session, the mean over the newest ones
	resumed time.Time     // when the program last went on after a stop
	news    map[int][]run // since they were taken, by place in the plan
	err     error
}

// newest is how much a session counts in the mean of what they take, which changes
// with what else uses the cores.
const newest = 0.2

// Start runs what a scan lacks on so many threads, until ctx ends; no more than it takes
// for most runs in all, if that is not 0. all waits for the job's goroutines.
func (g *Scan) Start(ctx context.Context, threads, most int, all *sync.WaitGroup) *Job {
	ctx, stop := context.WithCancel(ctx)
	ended := make(chan struct{})
	j := &Job{Stop: stop, Ended: ended, news: map[int][]run{}, threads: threads, scan: *g}
	j.more = sync.NewCond(&j.mu)
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
	sleepers := context.AfterFunc(ctx, func() {
		j.mu.Lock()
		defer j.mu.Unlock()
		j.more.Broadcast()
	})
	plan := j.scan.Sweep.Plan()
	var running sync.WaitGroup
	for k := range min(runtime.NumCPU(), len(j.todo)) {
		running.Go(func() {
			for {
				at, ok := j.next(ctx, k)
				if !ok {
					return
				}
				began := time.Now()
				runs, err := j.cell(ctx, plan.Job(at))
				j.did(ctx, at, runs, began, err)
			}
		})
	}
	all.Go(func() {
		running.Wait()
		stop()
		sleepers()
		close(ended)
	})
	return j
}

// next is the place in the plan of the session that the k-th thread runs next. It
// waits while so many threads may not run.
func (j *Job) next(ctx context.Context, k int) (at int, ok bool) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for k >= j.threads && len(j.todo) > 0 && ctx.Err() == nil {
		j.more.Wait()
	}
	for len(j.todo) > 0 && !j.scan.wanted(j.todo[0]) {
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

// cell runs one session on one thread. A panic in it is an error, so that it does not
// leave the terminal as it is.
func (j *Job) cell(ctx context.Context, job study.Job) (runs []run, err error) {
	panicked := caught.In("cell "+job.ID, func() {
		var s *session.Session
		if s, err = session.New(job.Config, j.scan.Sweep.Problem, session.Runtime{Threads: 1}); err == nil {
			err = s.Run(ctx)
		}
		if err == nil {
			runs = runsOf(s.Result("").Lanes)
		}
	})
	switch {
	case panicked != nil:
		return nil, panicked
	case err != nil:
		return nil, fmt.Errorf("cell %s: %w", job.ID, err)
	}
	return runs, nil
}

// did takes what a session came to that began then. The first error ends the job.
func (j *Job) did(ctx context.Context, at int, runs []run, began time.Time, err error) {
	took := time.Since(began).Seconds()
	j.mu.Lock()
	defer j.mu.Unlock()
	j.running--
	if err != nil {
		if ctx.Err() == nil && j.err == nil {
			j.err = err
		}
		j.Stop()
		return
	}
	j.news[at], j.scan.runs[at] = runs, runs
	if began.Before(j.resumed) {
		return // the stop is no part of what it takes
	}
	if j.took == 0 {
		j.took = took
	}
	j.took += newest * (took - j.took)
}

// Resume takes note that the program goes on now after a stop.
func (j *Job) Resume() {
	j.mu.Lock()
	defer j.mu.Unlock()
	j.resumed = time.Now()
}

// Allow lets so many cells run at a time. Those that run already come to their end.
func (j *Job) Allow(threads int) {
	j.mu.Lock()
	defer j.mu.Unlock()
	if j.threads != threads {
		j.threads = threads
		j.more.Broadcast()
	}
}

// Left is about how many seconds the job still takes, 0 if that is not known.
func (j *Job) Left() float64 {
	j.mu.Lock()
	defer j.mu.Unlock()
	n := float64(j.running) / 2
	for _, at := range j.todo {
		if j.scan.wanted(at) {
			n++
		}
	}
	return j.took * n / float64(j.threads)
}

// Take moves what was done into the scan, and returns the error that ended the job.
func (j *Job) Take(g *Scan) error {
	j.mu.Lock()
	defer j.mu.Unlock()
	g.take(j.news)
	clear(j.news)
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
