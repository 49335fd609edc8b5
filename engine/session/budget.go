package session

import (
	"time"

	"github.com/psgld/psgld-tui/engine/state"
)

// A Budget is what a session may take of a machine that it shares. What is 0 is not bounded.
// No number of the session depends on it: it decides when steps are made, and which commands
// are refused.
type Budget struct {
	state.Bounds
	// Share is the share of one processor's time that the lanes may take, above 0 and at most
	// 1, of each thread.
	Share float64
}

// setSpeed limits the steps a second. 0 is no limit but the budget's.
func (s *Session) setSpeed(perSecond float64) {
	s.now.Mode.Speed = s.now.Bounds.Speed(perSecond)
	s.pace.Set(s.now.Mode.Speed, time.Now())
}

// mostRest bounds a rest: a chunk may take long because the machine is busy with something else.
const mostRest = 250 * time.Millisecond

// rest is how long lanes rest after a chunk that took so long.
func (b *Budget) rest(took time.Duration) time.Duration {
	if b.Share <= 0 || b.Share >= 1 {
		return 0
	}
	return time.Duration(min(float64(took)*(1/b.Share-1), float64(mostRest)))
}
