package session

import (
	"runtime"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// While a session is held no lane moves, and it goes on afterwards.
func TestHold(t *testing.T) {
	l := start(t, config(open(t, "gaussian"), 0, nil, "psgld"), Runtime{})
	l.Hold(func() {
		before := l.lanes.executed()
		for range 1000 {
			runtime.Gosched()
		}
		if now := l.lanes.executed(); now != before {
			t.Errorf("it went from %d to %d steps", before, now)
		}
	})
	at := l.do(func(*engine.Snapshot) bool { return true }, state.Pause{}).Lanes[0].Step
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == at+5 }, state.StepBy{N: 5})
}

// A step that does not end holds up nobody.
func TestHoldWithinAStep(t *testing.T) {
	entered, free := make(chan struct{}), make(chan struct{})
	s := start(t, config(open(t, "gaussian"), 0, nil, "psgld"), Runtime{
		Sink: func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
			return sinkFunc(func() {
				select {
				case entered <- struct{}{}:
				case <-free:
				}
				<-free
			}), nil
		},
	})
	defer close(free)
	<-entered
	called := false
	if s.Hold(func() { called = true }); !called {
		t.Error("it was not called")
	}
}

// sinkFunc is called for each draw.
type sinkFunc func()

// Draw implements Sink.
func (f sinkFunc) Draw(engine.Drawn, []float64) error {
	f()
	return nil
}
