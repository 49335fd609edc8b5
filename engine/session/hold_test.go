package session

import (
	"runtime"
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

// While a session is held no lane moves, and it goes on afterwards.
func TestHold(t *testing.T) {
	l := start(t, config(open(t, "gaussian"), 0, nil, "psgld"), Runtime{})
	l.Hold(func() {
		before := l.executed()
		for range 1000 {
			runtime.Gosched()
		}
		if now := l.executed(); now != before {
			t.Errorf("it went from %d to %d steps", before, now)
		}
	})
	at := l.do(func(*engine.Snapshot) bool { return true }, engine.Pause{}).Lanes[0].Step
	l.do(func(s *engine.Snapshot) bool { return s.Lanes[0].Step == at+5 }, engine.StepBy{N: 5})
}
