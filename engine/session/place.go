package session

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
)

// place is where the session stands, counted from the newest command done.
func (s *Session) place() uint64 {
	base, from := uint64(0), make([]uint64, len(s.start.Lanes))
	if done := s.line.Done(); len(done) > 0 {
		t := done[len(done)-1]
		base = t.At
		_, from = t.After(nil)
	}
	return base + state.Furthest(from, s.lanes.odometers())
}

// tape is the timeline as a snapshot shows it.
func (s *Session) tape() engine.Tape {
	at := s.place()
	ahead := s.line.Ahead()
	if n := len(ahead); n > 0 && !state.Changes(ahead[n-1].Command) {
		ahead = ahead[:n-1] // where the tape ends
	}
	return engine.Tape{At: at, End: s.line.End(at), Events: append(s.line.Done(), ahead...), Done: len(s.line.Done()), Seeking: s.line.Seeking, To: s.line.To}
}
