package session

import (
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets"
)

// left is a session as it was left: all that it takes to begin it again.
type left struct {
	start   engine.Config
	begin   *targets.Problem
	line    timeline.Timeline[engine.Turn, *keyframe]
	end     *engine.Recording // as Session.end
	at      uint64            // where it stood
	watched *engine.Watch     // nil if that is not of the target it began on
	speed   float64
}

// mostLeft is how many sessions are held beside the one at hand.
const mostLeft = 3

// leave holds the session as it stands, before another takes its place.
func (s *Session) leave() left {
	line, end := s.withEnd()
	l := left{start: s.start, begin: s.begun, line: line.Left(s.place()), end: end, at: s.place(), speed: s.speed}
	if w := s.watched; s.prob == s.begun {
		l.watched = &w
	}
	return l
}

// remember makes a session the one to return to.
func (s *Session) remember(l left) {
	all := append(slices.Clone(s.before), l)
	s.before = all[max(0, len(all)-mostLeft):]
}

// withEnd is the timeline with an end, where the session stands if it has none yet, and
// the recording up to there: those of a session that is about to go back.
func (s *Session) withEnd() (timeline.Timeline[engine.Turn, *keyframe], *engine.Recording) {
	if len(s.line.Ahead()) > 0 {
		return s.line, s.end
	}
	line, end := s.line, s.Recording("")
	line.Stop(engine.Turn{At: s.place(), Lane: engine.AllLanes, Event: engine.Event{At: s.odometers(), Command: engine.Pause{}}})
	return line, &end
}

// begin starts from a config with a timeline. After an error the session is as it was.
func (s *Session) begin(cfg engine.Config, p *targets.Problem, line timeline.Timeline[engine.Turn, *keyframe]) error {
	all, err := s.planAll(cfg, p, nil)
	if err != nil {
		return err
	}
	s.start, s.begun, s.line, s.end = cfg, p, line, nil
	s.sessionState = sessionState{cfg: cfg, prob: p}
	s.cfg.Lanes = slices.Clone(cfg.Lanes)
	s.images = predict.Images{}
	s.watchFirst()
	s.stepBy = 0
	s.makeLanes(all)
	s.anchor()
	return nil
}

// again begins a session that was left, as begin does.
func (s *Session) again(l left) error {
	if err := s.begin(l.start, l.begin, l.line); err != nil {
		return err
	}
	s.end = l.end
	if l.watched != nil {
		s.watch(*l.watched)
	}
	return nil
}

func (s *Session) load(c engine.Load) error {
	if c.Problem == nil {
		return errors.New("there is no target to load")
	}
	if err := c.Config.Validate(c.Problem); err != nil {
		return err
	}
	var was left
	if !c.Passing {
		was = s.leave()
	}
	if err := s.begin(c.Config, c.Problem, s.rt.timeline(c.Config, c.Script)); err != nil {
		return err
	}
	s.paused = c.Paused
	if c.Speed != nil {
		s.pace(*c.Speed)
	}
	if !c.Passing {
		s.remember(was)
	}
	s.say(engine.Loaded{Title: c.Problem.Title, Seed: c.Config.Seed})
	return nil
}

func (s *Session) goBack() error {
	n := len(s.before)
	if n == 0 {
		return errors.New("no session was replaced by this one")
	}
	was, now := s.before[n-1], s.leave()
	if err := s.again(was); err != nil {
		return err
	}
	s.before = slices.Insert(slices.Clone(s.before[:n-1]), 0, now)
	if k := s.line.Nearest(0, was.at, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	}
	s.pace(was.speed)
	s.single, s.stepBy = 0, 0
	s.line.Seek(was.at)
	s.say(engine.Loaded{Title: s.prob.Title, Seed: s.cfg.Seed, Back: true})
	return nil
}

func (s *Session) seek(c engine.Seek) error {
	at := s.place()
	to := min(c.To, s.line.End(at))
	if k := s.line.Nearest(at, to, s.warmUp()); k != nil {
		if err := s.restore(k); err != nil {
			return err
		}
	} else if to < at {
		if err := s.fromStart(); err != nil {
			return err
		}
	}
	s.single = 0
	if max(to, at)-min(to, at) <= follows {
		s.single = 1 // a step of the tape, or a few
	}
	s.stepBy = 0
	s.line.Seek(to)
	return nil
}

// fromStart goes back to the start. After an error the session is as it was.
func (s *Session) fromStart() error {
	line, end := s.withEnd()
	line.Back(0)
	watched, same := s.watched, s.prob == s.begun
	if err := s.begin(s.start, s.begun, line); err != nil {
		return err
	}
	if s.end = end; same {
		s.watch(watched)
	}
	return nil
}

// endSeek ends a seek that has come to its place.
func (s *Session) endSeek() {
	if s.line.Seeking && (s.place() >= s.line.To || s.remaining() == 0) {
		s.line.Seeking, s.paused = false, true
	}
}
