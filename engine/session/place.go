package session

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
)

func (s *Session) odometers() []uint64 { return ofLanes(s, lane.Runner.Odometer) }

// place is where the session stands.
func (s *Session) place() uint64 {
	most := uint64(0)
	for i, r := range s.lanes {
		if odo := r.Odometer(); i < len(s.from) {
			most = max(most, odo-min(odo, s.from[i]))
		}
	}
	return s.base + most
}

// anchor counts places from the newest command done.
func (s *Session) anchor() {
	if done := s.line.Done(); len(done) > 0 {
		t := done[len(done)-1]
		s.base, s.from = t.At, t.After()
		return
	}
	s.base, s.from = 0, make([]uint64, len(s.start.Lanes))
}

// tape is the timeline as a snapshot shows it.
func (s *Session) tape() engine.Tape {
	at := s.place()
	ahead := s.line.Ahead()
	if n := len(ahead); n > 0 && !engine.Changes(ahead[n-1].Command) {
		ahead = ahead[:n-1] // where the tape ends
	}
	return engine.Tape{At: at, End: s.line.End(at), Events: append(s.line.Done(), ahead...), Done: len(s.line.Done()), Seeking: s.line.Seeking, To: s.line.To}
}
