package session

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/engine/stein"
)

// ranker works out comparisons of the chains for a screen; nil where there is none to show
// them, or no chains to compare.
func (s *Session) ranker() *beside.Worker {
	if s.rank == nil && s.rt.Interactive && !s.ended && s.prob.F64 != nil && s.cfg.ChainCount() > 1 {
		s.rank = beside.New("the comparison of chains", 0, s.inbox.Poke)
	}
	s.look(s.rank)
	s.rank.Ask(nil, s.moves())
	return s.rank
}

// moves reports whether lanes run, or are about to.
func (s *Session) moves() bool {
	return s.phase == engine.Running || s.stepBy > 0 && s.remaining() > 0 || s.line.Seeking
}

// look marks what a worker has done as seen. If that has panicked, so has the session.
func (s *Session) look(w *beside.Worker) {
	if p, ok := w.Look().(*caught.Panic); ok {
		s.failed = p
		s.inbox.Poke() // a paused session looks no more before it waits
	}
}

// watchDiscrepancy has the discrepancy worked out while it is watched.
func (s *Session) watchDiscrepancy() {
	on := s.watched.Discrepancy && !s.ended
	if s.stein != nil && (!on || s.steinOf != s.prob) {
		s.stein.Close()
		s.stein = nil
	}
	if on && s.stein == nil && s.prob.F64 != nil && !s.outside() {
		s.stein, s.steinOf = stein.New(s.prob.F64, s.inbox.Poke), s.prob
	}
	s.look(s.stein.Worker())
}
