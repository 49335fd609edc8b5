package session

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// obey applies the commands that have come. A command that changes numbers makes a branch: nothing is ahead of it.
func (s *Session) obey() {
	for _, c := range s.inbox.Take() {
		s.pub.applied++
		var was *shelved
		if state.Branches(c) && s.rt.Interactive && s.ahead() {
			was = new(s.shelved())
		}
		t, err := s.do(c)
		if err != nil {
			s.pub.say(state.Refused{Err: err})
			continue
		}
		if state.Changes(c) {
			s.line.Do(t)
		}
		if was != nil {
			s.shelf.put(*was)
		}
	}
}

// ahead reports whether some of the timeline is still ahead.
func (s *Session) ahead() bool {
	all, at := s.line.Ahead(), s.place()
	return len(all) > 0 && (state.Changes(all[0].Command) || s.line.End(at) > at)
}

// endReplay ends a replay that differs from its recording. An interactive session pauses there, with nothing ahead.
func (s *Session) endReplay(err error) {
	if !s.rt.Interactive {
		s.failed = err
		return
	}
	s.now.Mode.Paused, s.now.Mode.StepBy = true, 0
	s.line.Cut(s.place())
	s.pub.say(state.ReplayEnded{Err: err})
}

// replayDue does the events ahead whose place is reached.
func (s *Session) replayDue() {
	for len(s.line.Ahead()) > 0 {
		e := s.line.Ahead()[0].Event
		if len(e.At) != len(s.lanes) {
			s.endReplay(fmt.Errorf("the recording has an event for %d lanes where there are %d", len(e.At), len(s.lanes)))
			return
		}
		running := 0
		for i, r := range s.lanes {
			if r.Standing().Odometer < e.At[i] && r.Standing().Diverged == nil {
				return
			}
			if r.Standing().Diverged == nil {
				running++
			}
		}
		if running == 0 && e.Move != "" {
			return // it is not made in a session that has stopped
		}
		for i, d := range e.Digests {
			if got := s.lanes[i].Measures().Digest().Digest; got != d && !s.unrepeatable {
				s.endReplay(differs(s.now.Lanes[i].ID, e.At[i], got, d))
				return
			}
		}
		said := s.pub.notice
		t, err := s.do(e.Asked())
		if err != nil {
			what := cmp.Or(e.Move, e.Command.Kind())
			s.endReplay(fmt.Errorf("replaying %s: %w", what, err))
			return
		}
		if !state.Changes(e.Command) { // it is the end of the recording
			s.line.Skip()
			continue
		}
		t.Move = e.Move
		s.line.Pass(t)
		if s.line.Seeking { // an event on the way is no news
			s.pub.notice = said
		}
	}
}

// do does a command, and returns it as it is logged.
func (s *Session) do(c state.Command) (t engine.LoggedCommand, err error) {
	now := s.known()
	open := func(c state.Config) (*targets.Problem, error) {
		return c.OpenWith(targets.Options{DataDir: s.rt.DataDir, Commands: s.rt.Commands, Closed: s.rt.Closed})
	}
	c, logged, err := state.Resolve(now, c, state.Opener{Target: open, Truth: s.rt.Truth})
	if err != nil {
		return t, err
	}
	to, fact, err := state.Apply(now, c)
	if err != nil {
		return t, err
	}
	if !state.Changes(c) {
		return t, s.follow(c, to, fact)
	}
	t.At, t.Event = s.place(), state.Event{
		At: s.lanes.odometers(), Digests: measured(s.lanes, func(m measure.Reader) string { return m.Digest().Digest }),
		Command: logged, Gesture: to.Gesture.On,
	}
	t.Lane = state.LaneOf(logged, s.now.IDs())
	if err := s.become(to); err != nil {
		return t, err
	}
	s.met = met{}
	s.side.Images.Outdate()
	s.tell(fact)
	return t, nil
}

// follow does a command that changes no number. Those that go along the tape or to another session, and those for what
// works beside the lanes, are the session's own.
func (s *Session) follow(c state.Command, to state.State, fact state.Fact) error {
	switch c := c.(type) {
	case engine.Save:
		select {
		case c.To <- s.Saved(c.Version):
		default:
		}
	case state.Load:
		return s.load(c, to, fact)
	case state.Seek:
		return s.seek(c)
	case state.Branch:
		if !s.rt.Interactive {
			return errors.New("a replay has no branches")
		}
		s.line.Cut(s.place())
	case state.Return:
		return s.putBack()
	case state.SetShift:
		return s.side.Ask(s.now.Problem, c)
	default:
		s.line.Seeking = to.Mode.Seeking
		return s.become(to)
	}
	return nil
}

// tell tells of what a command has done, as far as the lanes have come.
func (s *Session) tell(fact state.Fact) {
	if went, ok := fact.(state.Rewound); ok {
		for _, w := range went.Lanes {
			i := slices.Index(s.now.IDs(), w.Lane)
			if at := placeOf(s.lanes[i]); at.Step != w.Step {
				s.now, went = s.now.CameTo(went, i, at)
			}
		}
		fact = went
	}
	if fact != nil {
		s.pub.say(fact)
	}
	if _, ok := fact.(state.UntilSet); ok {
		s.met.look(&s.now.Config, s.lanes)
		s.sayEnough()
	}
}
