package session

import (
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/caught"
)

// job is a lane's share of a chunk.
type job struct {
	lane  runner
	steps uint64
	took  time.Duration
	panic *caught.Panic
}

func (j *job) run() {
	start := time.Now()
	j.panic = caught.In("a lane", func() { j.lane.advance(j.steps) })
	j.took = time.Since(start)
}

// workers run jobs beside the caller. No number depends on which of them runs a lane.
type workers struct {
	n    int
	jobs chan *job
	done chan struct{}
}

func newWorkers(n int) *workers {
	w := &workers{n: n, jobs: make(chan *job, engine.MaxLanes), done: make(chan struct{}, engine.MaxLanes)}
	for range n {
		go func() {
			for j := range w.jobs {
				j.run()
				w.done <- struct{}{}
			}
		}()
	}
	return w
}

// run runs every job that has steps, some of them on the caller, and returns when all
// are done.
func (w *workers) run(all []job) {
	if w.n == 0 {
		for i := range all {
			if all[i].steps > 0 {
				all[i].run()
			}
		}
		return
	}
	given := 0
	var own *job
	for i := range all {
		switch {
		case all[i].steps == 0:
		case own == nil:
			own = &all[i]
		default:
			w.jobs <- &all[i]
			given++
		}
	}
	if own != nil {
		own.run()
	}
	for given > 0 {
		select {
		case j := <-w.jobs: // nobody has taken it yet
			j.run()
			given--
		case <-w.done:
			given--
		}
	}
}

func (w *workers) stop() { close(w.jobs) }

// meter measures the session's steps a second over about the last second.
type meter struct {
	steps, base uint64
	took, since time.Duration
	last        float64
}

func (m *meter) add(executed uint64, took time.Duration) {
	m.steps = executed
	m.took += took
	if d := m.took - m.since; d >= 500*time.Millisecond {
		m.last = float64(m.steps-m.base) / d.Seconds()
		m.since, m.base = m.took, m.steps
	}
}

func (m *meter) rate() float64 {
	if m.last == 0 && m.took > 0 {
		return float64(m.steps-m.base) / m.took.Seconds()
	}
	return m.last
}
