package session

import (
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// ranker works out comparisons of the chains for a screen; nil where there is none to show
// them, or no chains to compare.
func (s *Session) ranker() *beside.Worker {
	if s.rank == nil && s.rt.Interactive && !s.ended && s.now.Problem.F64 != nil && s.now.Config.ChainCount() > 1 {
		s.rank = beside.New("the comparison of chains", 0, s.inbox.Poke)
	}
	s.heard(s.rank.Look())
	s.rank.Ask(nil, s.moves())
	return s.rank
}

// moves reports whether lanes run, or are about to.
func (s *Session) moves() bool {
	return s.now.Mode.Phase == state.Running || s.now.Mode.StepBy > 0 && s.remaining() > 0 || s.line.Seeking
}

// heard takes note of what ended work beside the lanes, nil for nothing. If that has panicked, so
// has the session.
func (s *Session) heard(err error) {
	if p, ok := err.(*caught.Panic); ok {
		s.failed = p
		s.inbox.Poke() // a paused session looks no more before it waits
	} else if err != nil {
		s.say(state.Refused{Err: err})
	}
}

// watchDiscrepancy has the discrepancy worked out while it is watched.
func (s *Session) watchDiscrepancy() {
	on := s.now.Mode.Watch.Discrepancy && !s.ended
	if s.stein != nil && (!on || s.steinOf != s.now.Problem) {
		s.stein.Close()
		s.stein = nil
	}
	if on && s.stein == nil && s.now.Problem.F64 != nil && !s.outside() {
		s.stein, s.steinOf = stein.New(s.now.Problem.F64, s.inbox.Poke), s.now.Problem
	}
	s.heard(s.stein.Worker().Look())
}
