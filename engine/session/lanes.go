package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/targets"
)

// planned is a lane to be made. All of it that may fail has been done.
type planned struct {
	id     int
	set    engine.Lane
	starts [][]float64 // of its chains
	sinks  []Sink      // of its chains; nil without
	poke   func()      // wakes the session
}

// plan prepares a lane of a config on its target. It does not change the session.
func (s *Session) plan(cfg engine.Config, p *targets.Problem, id int, set engine.Lane) (l planned, err error) {
	if len(p.Params) > 0 {
		set = set.On(p)
	}
	l = planned{id: id, set: set, poke: s.inbox.Poke}
	for k := range cfg.ChainCount() {
		if s.rt.Sink != nil {
			sink, err := s.rt.Sink(engine.Place{Lane: id, Chain: k, Chains: cfg.ChainCount()}, p, set)
			if err != nil {
				return l, err
			}
			l.sinks = append(l.sinks, sink)
		}
		start, err := cfg.Start(p, k)
		if err != nil {
			return l, err
		}
		l.starts = append(l.starts, start)
	}
	return l, nil
}

// planAll plans every lane of a config. The lanes have the ids given, if there are as
// many, and else 0, 1, and so on.
func (s *Session) planAll(cfg engine.Config, p *targets.Problem, ids []int) ([]planned, error) {
	all := make([]planned, len(cfg.Lanes))
	for i, set := range cfg.Lanes {
		id := i
		if len(ids) == len(cfg.Lanes) {
			id = ids[i]
		}
		var err error
		if all[i], err = s.plan(cfg, p, id, set); err != nil {
			return nil, err
		}
	}
	return all, nil
}

// makeLanes replaces all lanes.
func (s *Session) makeLanes(all []planned) {
	s.closeLanes()
	if t, ok := s.prob.F64.(targets.Outside[float64]); ok && !t.Repeats() {
		s.unrepeatable = true
	}
	s.lanes, s.ids = nil, nil
	for _, l := range all {
		s.addLane(l)
	}
	s.meter = queue.Meter{}
	s.shareCores()
}

func (s *Session) addLane(l planned) {
	s.lanes, s.ids = append(s.lanes, s.newLane(l)), append(slices.Clip(s.ids), l.id)
	s.chunk[l.id], s.owed[l.id] = 1, 0
}

func (s *Session) newLane(l planned) runner {
	r := newRunner(s.cfg, s.prob, l)
	if s.seen {
		r.watch(s.watched)
	}
	if s.shifts() != nil {
		r.holdRecent()
	}
	if s.rt.Parts {
		r.keepParts()
	}
	return r
}

func (s *Session) closeLanes() {
	for _, r := range s.lanes {
		r.close()
	}
}

// shareCores divides the threads among the lanes.
func (s *Session) shareCores() {
	for _, r := range s.lanes {
		r.share(max(1, s.rt.Threads/len(s.lanes)))
	}
}
