// Package beside does work beside the sampling: on a goroutine of its own that takes no more than [Share] of a core
// while lanes run. When there is no task it sleeps.
package beside

import (
	"slices"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// Share is the part of a core that the work takes while lanes run.
const Share = 0.05

// A Task is work. After each piece of it, it calls rest with the time that this took, and ends where rest is false.
type Task func(rest func(took time.Duration) bool)

// A Worker does tasks. A nil Worker has none.
type Worker struct {
	name string
	most int // tasks that wait; 0 for any number, the oldest of which is then the next
	poke func()

	mu      sync.Mutex
	queue   []Task
	running bool // lanes run, and so the work rests between its pieces
	busy    bool
	news    bool
	quit    bool
	err     error
	wake    chan struct{}
	ended   chan struct{}
}

// New starts a worker, which calls poke, on its goroutine, when a task is done. The newest task is the next, and beyond
// most tasks that wait the oldest are dropped. If most is 0, the oldest is the next and none is dropped. A panic is one
// in name.
func New(name string, most int, poke func()) *Worker {
	w := &Worker{name: name, most: most, poke: poke, wake: make(chan struct{}, 1), ended: make(chan struct{})}
	go w.serve()
	return w
}

// Ask adds tasks, the newest last, and says whether lanes run. After a panic it does nothing.
func (w *Worker) Ask(tasks []Task, running bool) {
	if w == nil {
		return
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	if w.err != nil || len(tasks) == 0 && running == w.running {
		return
	}
	w.running = running
	w.queue = append(w.queue, tasks...)
	if w.most > 0 {
		w.queue = slices.Delete(w.queue, 0, max(len(w.queue)-w.most, 0))
	}
	w.nudge()
}

func (w *Worker) nudge() {
	select {
	case w.wake <- struct{}{}:
	default:
	}
}

// News reports whether tasks were done since the last call of Look.
func (w *Worker) News() bool {
	if w == nil {
		return false
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return w.news
}

// Look marks what was done as seen. Its error is a *caught.Panic, after which no task is done.
func (w *Worker) Look() error {
	if w == nil {
		return nil
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	w.news = false
	return w.err
}

// Settled reports whether there is no task.
func (w *Worker) Settled() bool {
	if w == nil {
		return true
	}
	w.mu.Lock()
	defer w.mu.Unlock()
	return !w.busy && len(w.queue) == 0
}

// Close ends the work and waits for its end.
func (w *Worker) Close() {
	if w == nil {
		return
	}
	w.mu.Lock()
	w.quit = true
	w.mu.Unlock()
	w.nudge()
	<-w.ended
}

// next takes a task, nil where there is none.
func (w *Worker) next() (t Task, quit bool) {
	w.mu.Lock()
	defer w.mu.Unlock()
	if n := len(w.queue); n > 0 && w.err == nil {
		at := n - 1
		if w.most == 0 {
			at = 0
		}
		t = w.queue[at]
		w.queue = slices.Delete(w.queue, at, at+1)
	}
	w.busy = t != nil
	return t, w.quit
}

func (w *Worker) serve() {
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
		panicked := caught.In(w.name, func() { t(w.rest) })
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

// rest sleeps after so long a piece, while lanes run. It reports whether to go on.
func (w *Worker) rest(took time.Duration) bool {
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
