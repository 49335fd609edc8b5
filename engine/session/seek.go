package session

import (
	"errors"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
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
	return engine.Tape{At: at, End: s.line.End(at), Events: append(s.line.Done(), ahead...), Done: len(s.line.Done()),
		Seeking: s.line.Seeking, To: s.line.To}
}

// shelved is the session as it stands, before another takes its place.
func (s *Session) shelved() shelved {
	l := shelved{s.stopped(), s.place(), s.now}
	l.line = l.line.Shelved(l.at)
	return l
}

// stopped is the session's course with an end, so that the session can go back along it. The end
// is where the session stands, unless it has gone back before.
func (s *Session) stopped() course {
	c := s.course
	if len(c.line.Ahead()) == 0 {
		c.end = new(s.Recording(""))
		c.line.Stop(engine.LoggedCommand{At: s.place(), Lane: state.AllLanes,
			Event: state.Event{At: s.lanes.odometers(), Command: state.Pause{}}})
	}
	return c
}

// begin starts a course with a state. After an error the session is as it was.
func (s *Session) begin(c course, to state.State) error {
	if err := s.replace(c, to, make([]lane.Runner, len(to.Lanes))); err != nil {
		return err
	}
	s.met, s.side.Images = met{}, predict.Images{}
	s.clock.Restart(time.Now())
	return nil
}

// again begins a course that was played, or a first one, in the place of a session in a state.
func (s *Session) again(c course, was state.State) error {
	to, err := state.Start(c.start, c.begun, was)
	if err != nil {
		return err
	}
	return s.begin(c, to)
}

func (s *Session) load(c state.Load, to state.State, loaded state.Fact) error {
	var was shelved
	if !c.Passing {
		was = s.shelved()
	}
	if err := s.begin(s.newCourse(c.Config, c.Problem, c.Script), to); err != nil {
		return err
	}
	if !c.Passing {
		s.shelf.put(was)
	}
	s.pub.say(loaded)
	return nil
}

// putBack does a Return.
func (s *Session) putBack() error {
	n := len(s.shelf.held)
	if n == 0 {
		return errors.New("no session was replaced by this one")
	}
	was, now := s.shelf.held[n-1], s.shelved()
	if err := s.again(was.course, was.was); err != nil {
		return err
	}
	s.shelf.swap(now)
	if k := s.line.Nearest(0, was.at, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	}
	s.clock.Single, s.now.Mode.StepBy = 0, 0
	s.line.Seek(was.at)
	s.pub.say(state.Loaded{Title: s.now.Problem.Title, Seed: s.now.Config.Seed, Back: true})
	return nil
}

func (s *Session) seek(c state.Seek) error {
	at := s.place()
	to := min(c.To, s.line.End(at))
	if k := s.line.Nearest(at, to, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	} else if to < at {
		c := s.stopped()
		c.line.Back(0)
		if err := s.again(c, s.now); err != nil {
			return err
		}
	}
	s.clock.Single = 0
	if max(to, at)-min(to, at) <= follows {
		s.clock.Single = 1 // a step of the tape, or a few
	}
	s.now.Mode.StepBy = 0
	s.line.Seek(to)
	return nil
}
