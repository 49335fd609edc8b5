package session

import (
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
)

// known is the state with what the lanes and the timeline know.
func (s *Session) known() state.State {
	now := s.now
	now.Lanes = slices.Clone(now.Lanes)
	for i := range now.Lanes {
		now.Lanes[i].Place = placeOf(s.lanes[i])
	}
	m := &now.Mode
	m.Met, m.Seeking, m.To = s.met.enough(&s.now.Config, s.lanes), s.line.Seeking, s.line.To
	return now
}

func placeOf(r lane.Runner) state.Place {
	n := r.Standing()
	return state.Place{Step: n.Step, Seconds: n.Busy, Diverged: n.Diverged}
}

// become makes the session what a state says that a command has made of the present one. After an error, which is that
// of a sink, it is as it was.
func (s *Session) become(to state.State) error {
	before := s.now.Lanes
	kept, was := make([]lane.Runner, len(to.Lanes)), make([]*state.Lane, len(to.Lanes))
	for i, l := range to.Lanes {
		if at := slices.IndexFunc(before, func(o state.Lane) bool { return o.ID == l.ID && o.Born == l.Born }); at >= 0 {
			kept[i], was[i] = s.lanes[at], &before[at]
		}
	}
	if err := s.replace(s.course, to, kept); err != nil {
		return err
	}
	var panics [state.MaxLanes]*caught.Panic
	each(len(was), s.rt.Threads, func(i int) {
		if was[i] != nil {
			panics[i] = caught.In("a lane", func() { s.turn(i, was[i]) })
		}
	})
	for _, p := range panics {
		if p != nil {
			s.failed = p
		}
	}
	return nil
}

// turn has lane i follow the state, which was another for it.
func (s *Session) turn(i int, was *state.Lane) {
	r, l := s.lanes[i], &s.now.Lanes[i]
	if l.Returns != was.Returns {
		r.Rewind(l.Place.Step)
		s.owed[l.ID] = 0
	}
	if state.Difference(s.now.Problem, was.Setting, l.Setting) != nil {
		r.Change(l.Setting, s.now.Gesture.Again[l.ID])
	}
}

// replace has a state of a course in force. It makes the lanes in whose place none is kept, and closes those that are
// gone. After an error the session is as it was.
func (s *Session) replace(c course, to state.State, kept []lane.Runner) error {
	var plans [state.MaxLanes]lane.Plan
	for i, l := range to.Lanes {
		if kept[i] != nil {
			continue
		}
		plans[i] = lane.Plan{
			Config: to.Config, Problem: to.Problem, ID: l.ID, Setting: l.Setting, Sink: s.rt.Sink,
			Asked: record.Asked{Parts: s.rt.Parts, States: s.rt.Unseen, Poke: s.inbox.Poke},
		}
		if err := plans[i].Prepare(); err != nil {
			return err
		}
	}
	for _, r := range s.lanes {
		if !slices.Contains(kept, r) {
			r.Close()
			s.clock.Meter = queue.Meter{}
		}
	}
	was := s.now.Mode
	s.course, s.now, s.lanes = c, to, kept
	if src := to.Problem.Source; src != nil {
		src.Notify(s.inbox.Poke)
	}
	if t, ok := to.Problem.F64.(targets.Outside[float64]); ok && !t.Repeats() {
		s.unrepeatable = true
	}
	for i, r := range kept {
		if id := to.Lanes[i].ID; r == nil {
			kept[i] = s.newLane(plans[i])
			s.clock.Chunk[id], s.clock.Lead[id], s.owed[id] = 1, 0, 0
			continue
		}
		r.Compare(to.Config, to.Problem)
		if to.Mode.Seen && (to.Mode.Watch != was.Watch || !was.Seen) {
			r.Measures().Watch(to.Mode.Watch)
		}
	}
	for _, r := range s.lanes {
		r.Share(max(1, s.rt.Threads/len(s.lanes)))
	}
	s.goOn(was)
	return nil
}

// goOn puts the state's mode in force, where another was before.
func (s *Session) goOn(was state.Mode) {
	m, now := &s.now.Mode, time.Now()
	if m.Speed != was.Speed {
		s.clock.Set(m.Speed, now)
	}
	if !m.Paused && was.Phase != state.Running {
		s.clock.Restart(now)
	}
	if m.Watch != was.Watch {
		s.side.Images = predict.Images{}
	}
	if m.StepBy != was.StepBy {
		if s.clock.Single = m.StepBy; m.StepBy > follows {
			s.clock.Single = 0
		}
	}
}

func (s *Session) newLane(l lane.Plan) lane.Runner {
	l.Asked.Recent = s.side.Shifts(s.now.Problem) != nil
	r := lane.New(l)
	if s.now.Mode.Seen {
		r.Measures().Watch(s.now.Mode.Watch)
	}
	return r
}
