package tui

import (
	"context"
	"fmt"
	"runtime"
	"runtime/debug"
	"sync"
	"sync/atomic"
	"time"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/experiment"
	"github.com/psgld/psgld-tui/targets"
)

// sweepEvery is how often a grid that runs may wake the screen.
const sweepEvery = 250 * time.Millisecond

// sweepThreads is how many cells run at a time: a core is left to the session and
// the screen where there is one.
func sweepThreads() int { return max(runtime.NumCPU()-1, 1) }

// A sweepJob runs the rest of a grid beside the screen.
type sweepJob struct {
	serial int
	stop   context.CancelFunc
	ended  chan struct{} // closed when nothing runs any more

	mu   sync.Mutex
	news map[int]sweepRun // since they were taken, by place in the plan
	err  error
}

// sweptMsg is the time to take what a job has done.
type sweptMsg struct{ serial int }

// startJob runs what a grid lacks on so many threads, until ctx ends.
func startJob(ctx context.Context, g *sweepGrid, serial, threads int, all *sync.WaitGroup) *sweepJob {
	ctx, stop := context.WithCancel(ctx)
	j := &sweepJob{serial: serial, stop: stop, ended: make(chan struct{}), news: map[int]sweepRun{}}
	var todo []int
	for _, at := range g.order {
		if _, done := g.runs[at]; !done {
			todo = append(todo, at)
		}
	}
	sweep := g.sweep // the goroutines' own
	plan := sweep.Plan()
	var next atomic.Int64
	var running sync.WaitGroup
	for range min(threads, len(todo)) {
		running.Go(func() {
			for ctx.Err() == nil {
				k := int(next.Add(1) - 1)
				if k >= len(todo) {
					return
				}
				r, err := runCell(ctx, plan.Job(todo[k]), sweep.Problem)
				if err != nil {
					if ctx.Err() == nil {
						j.fail(err)
					}
					return
				}
				j.mu.Lock()
				j.news[todo[k]] = runOf(r, sweep.Problem)
				j.mu.Unlock()
			}
		})
	}
	all.Go(func() {
		running.Wait()
		stop()
		close(j.ended)
	})
	return j
}

// runCell runs one session of a grid on one thread. A panic in it is an error, so
// that it does not leave the terminal as it is.
func runCell(ctx context.Context, job experiment.Job, p *targets.Problem) (lanes []engine.LaneResult, err error) {
	defer func() {
		if r := recover(); r != nil {
			err = fmt.Errorf("cell %s panicked: %v\n%s", job.ID, r, debug.Stack())
		}
	}()
	s, err := engine.NewSession(job.Config, p, engine.Runtime{Threads: 1})
	if err != nil {
		return nil, fmt.Errorf("cell %s: %w", job.ID, err)
	}
	if err := s.Run(ctx); err != nil {
		return nil, fmt.Errorf("cell %s: %w", job.ID, err)
	}
	return s.Result("").Lanes, nil
}

// fail ends a job. The first error counts.
func (j *sweepJob) fail(err error) {
	j.mu.Lock()
	if j.err == nil {
		j.err = err
	}
	j.mu.Unlock()
	j.stop()
}

// take moves what was done into the grid.
func (j *sweepJob) take(g *sweepGrid) (err error) {
	j.mu.Lock()
	defer j.mu.Unlock()
	for at, run := range j.news {
		g.runs[at] = run
	}
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
