package session

import (
	"cmp"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/targets"
)

// plan prepares a lane of a config on its target. It does not change the session.
func (s *Session) plan(cfg engine.Config, p *targets.Problem, id int, set engine.Setting) (lane.Plan, error) {
	l := lane.Plan{Config: cfg, Problem: p, ID: id, Setting: set, Sink: s.rt.Sink, Asked: record.Asked{Parts: s.rt.Parts, Poke: s.inbox.Poke}}
	err := l.Prepare()
	return l, err
}

// planAll plans every lane of a config, if its target and the budget allow that. The lanes have
// the ids given, if there are as many, and else 0, 1, and so on.
func (s *Session) planAll(cfg engine.Config, p *targets.Problem, ids []int) ([]lane.Plan, error) {
	if err := cmp.Or(cfg.Validate(p), s.rt.Budget.check(cfg, p)); err != nil {
		return nil, err
	}
	all := make([]lane.Plan, len(cfg.Lanes))
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
func (s *Session) makeLanes(all []lane.Plan) {
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

func (s *Session) addLane(l lane.Plan) {
	s.lanes, s.ids = append(s.lanes, s.newLane(l)), append(slices.Clip(s.ids), l.ID)
	s.chunk[l.ID], s.owed[l.ID] = 1, 0
}

func (s *Session) newLane(l lane.Plan) lane.Runner {
	l.Asked.Recent = s.shifts() != nil
	r := lane.New(l)
	if s.seen {
		r.Measures().Watch(s.watched)
	}
	return r
}

func (s *Session) closeLanes() {
	for _, r := range s.lanes {
		r.Close()
	}
}

// shareCores divides the threads among the lanes.
func (s *Session) shareCores() {
	for _, r := range s.lanes {
		r.Share(max(1, s.rt.Threads/len(s.lanes)))
	}
}
