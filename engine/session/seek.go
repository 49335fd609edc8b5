package session

import (
	"errors"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets"
)

// course is what it takes to play a session: how it began, and what was done in it.
type course struct {
	start state.Config
	begun *targets.Problem // the target of start
	line  timeline.Timeline[engine.LoggedCommand, *sessionCopy]
	end   *engine.Recording // up to where it first went back; nil if it never did
	// unrepeatable says that a target's gradients need not be the same when they are asked for again.
	unrepeatable bool
}

// shelved is a session whose place another has taken.
type shelved struct {
	course
	at  uint64      // where it stood
	was state.State // what it was there
}

// mostShelved is how many sessions are held beside the one at hand.
const mostShelved = 3

// shelved is the session as it stands, before another takes its place.
func (s *Session) shelved() shelved {
	l := shelved{s.stopped(), s.place(), s.now}
	l.line = l.line.Shelved(l.at)
	return l
}

// shelve makes a session the one to return to.
func (s *Session) shelve(l shelved) {
	all := append(slices.Clone(s.shelf), l)
	s.shelf = all[max(0, len(all)-mostShelved):]
}

// stopped is the session's course with an end, so that the session can go back along it. The end
// is where the session stands, unless it has gone back before.
func (s *Session) stopped() course {
	c := s.course
	if len(c.line.Ahead()) == 0 {
		c.end = new(s.Recording(""))
		c.line.Stop(engine.LoggedCommand{At: s.place(), Lane: state.AllLanes, Event: state.Event{At: s.odometers(), Command: state.Pause{}}})
	}
	return c
}

// begin starts a course with a state. After an error the session is as it was.
func (s *Session) begin(c course, to state.State) error {
	if err := s.replace(c, to, make([]lane.Runner, len(to.Lanes))); err != nil {
		return err
	}
	s.met, s.images = [state.MaxLanes]bool{}, predict.Images{}
	s.pace.Restart(time.Now())
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
		s.shelve(was)
	}
	s.say(loaded)
	return nil
}

// putBack does a Return.
func (s *Session) putBack() error {
	n := len(s.shelf)
	if n == 0 {
		return errors.New("no session was replaced by this one")
	}
	was, now := s.shelf[n-1], s.shelved()
	if err := s.again(was.course, was.was); err != nil {
		return err
	}
	s.shelf = slices.Insert(slices.Clone(s.shelf[:n-1]), 0, now)
	if k := s.line.Nearest(0, was.at, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	}
	s.single, s.now.Mode.StepBy = 0, 0
	s.line.Seek(was.at)
	s.say(state.Loaded{Title: s.now.Problem.Title, Seed: s.now.Config.Seed, Back: true})
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
	s.single = 0
	if max(to, at)-min(to, at) <= follows {
		s.single = 1 // a step of the tape, or a few
	}
	s.now.Mode.StepBy = 0
	s.line.Seek(to)
	return nil
}
