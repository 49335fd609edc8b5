package session

import (
	"cmp"
	"errors"
	"fmt"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session/internal/lane"
	"github.com/psgld/psgld-tui/metrics"
)

// obey applies the commands that have come.
func (s *Session) obey() {
	for _, c := range s.inbox.Take() {
		s.applied++
		var was *shelved
		if engine.Branches(c) && s.rt.Interactive && s.ahead() {
			was = new(s.shelved())
		}
		if err := s.apply(c); err != nil {
			s.say(engine.Refused{Err: err})
		} else if was != nil {
			s.shelve(*was)
		}
	}
}

// apply does a command and logs it. A command that changes numbers makes a branch:
// nothing is ahead of it.
func (s *Session) apply(c engine.Command) error {
	e := engine.Event{Command: c}
	if j, ok := c.(engine.InGesture); ok {
		c, e.Command = j.Command, j.Command
		e.Gesture = s.gesture.turned && turnOf(c) != "" && turnOf(c) == s.gesture.key
	}
	e.Command = s.fromNow(c)
	t, err := s.do(e)
	if err == nil && engine.Changes(c) {
		s.line.Do(t)
	}
	return err
}

// fromNow is a command with the steps for which it says engine.FromNow.
func (s *Session) fromNow(c engine.Command) engine.Command {
	set, ok := c.(engine.SetParam)
	if !ok || set.Value != engine.FromNow {
		return c
	}
	steps := ofLanes(s, func(r lane.Runner) float64 { return max(1, float64(r.Standing().Step)) })
	if set.Lane >= 0 && set.Lane < len(steps) {
		set.Value = steps[set.Lane]
		return set
	}
	each := engine.SetEach{Key: set.Key}
	copy(each.Values[:], steps)
	return each
}

// ahead reports whether some of the timeline is still ahead.
func (s *Session) ahead() bool {
	all, at := s.line.Ahead(), s.place()
	return len(all) > 0 && (engine.Changes(all[0].Command) || s.line.End(at) > at)
}

// endReplay ends a replay that differs from its recording. An interactive session
// pauses there, with nothing ahead.
func (s *Session) endReplay(err error) {
	if !s.rt.Interactive {
		s.failed = err
		return
	}
	s.paused, s.stepBy = true, 0
	s.line.Cut(s.place())
	s.say(engine.ReplayEnded{Err: err})
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
				s.endReplay(differs(s.ids[i], e.At[i], got, d))
				return
			}
		}
		said := s.notice
		t, err := s.do(e)
		if err != nil {
			what := cmp.Or(e.Move, e.Command.Kind())
			s.endReplay(fmt.Errorf("replaying %s: %w", what, err))
			return
		}
		if !engine.Changes(e.Command) { // it is the end of the recording
			s.line.Skip()
			continue
		}
		s.line.Pass(t)
		if s.line.Seeking { // an event on the way is no news
			s.notice = said
		}
	}
}

// do does one event, and returns it as it is logged.
func (s *Session) do(e engine.Event) (engine.LoggedCommand, error) {
	c := e.Command
	t := engine.LoggedCommand{At: s.place(), Lane: engine.LaneOf(c, s.ids), Event: e}
	if !engine.Changes(c) {
		return t, s.dispatch(c)
	}
	if !e.Gesture {
		s.gesture = gesture{key: turnOf(c), marks: e.Joins}
	}
	s.gesture.on = e.Gesture
	t.Event.At = s.odometers()
	t.Digests = ofLanes(s, func(r lane.Runner) string { return r.Measures().Digest().Digest })
	met := s.met
	s.met = [engine.MaxLanes]bool{}
	if err := s.dispatch(c); err != nil {
		s.met = met
		return t, err
	}
	s.images.Outdate()
	if c, ok := c.(engine.SetTarget); ok {
		c.Problem, c.Dataset = nil, s.cfg.Dataset // by name, if it was a default
		t.Command = c
	}
	return t, nil
}

// say makes a fact the newest notice.
func (s *Session) say(f engine.Fact) { s.notice = engine.Notice{Serial: s.notice.Serial + 1, Fact: f} }

func (s *Session) dispatch(c engine.Command) error {
	switch c := c.(type) {
	case engine.Pause:
		s.paused, s.stepBy, s.line.Seeking = true, 0, false
	case engine.Resume:
		s.paused = false
		s.pace.Restart(time.Now())
		switch {
		case s.phase != engine.Done:
		case s.enough(): // it goes on to the other limits
			s.cfg.Until = quantity.Until{}
		default: // it goes on without the others
			s.cfg.Steps, s.cfg.Epochs, s.cfg.Seconds = 0, 0, 0
		}
	case engine.StepBy:
		s.paused, s.stepBy, s.line.Seeking = true, c.N, false
		if s.single = c.N; c.N > follows {
			s.single = 0
		}
	case engine.SetSpeed:
		s.setSpeed(c.PerSecond)
	case engine.Watch:
		if c.Principal && s.prob.Dim() > metrics.MaxCovDim {
			return fmt.Errorf("principal directions need at most %d coordinates, %s has %d", metrics.MaxCovDim, s.prob.Spec, s.prob.Dim())
		}
		s.watch(c)
	case engine.SetShift:
		return s.setShift(c)
	case engine.Save:
		select {
		case c.To <- s.Saved(c.Version):
		default:
		}
	case engine.Load:
		return s.load(c)
	case engine.Branch:
		if !s.rt.Interactive {
			return errors.New("a replay has no branches")
		}
		s.line.Cut(s.place())
	case engine.Return:
		return s.putBack()
	case engine.Seek:
		return s.seek(c)
	case engine.SetParam:
		return s.setParam(c.Lane, c.Key, func(int) float64 { return c.Value })
	case engine.SetEach:
		return s.setParam(engine.AllLanes, c.Key, func(i int) float64 { return c.Values[i] })
	case engine.SetSampler:
		return s.setSampler(c)
	case engine.SetSchedule:
		return s.change(c.Lane, func(_ int, l engine.Setting) (engine.Setting, error) {
			if m, _ := catalog.Find(l.Sampler); m.Metropolis && c.Lane == engine.AllLanes && len(s.lanes) > 1 {
				return l, nil
			}
			l.Schedule = c.Schedule
			return l, l.Validate(s.prob)
		})
	case engine.AddLane:
		return s.add(c)
	case engine.RemoveLane:
		return s.remove(c)
	case engine.SetTarget:
		return s.setTarget(c)
	case engine.Restart:
		return s.restart(c)
	case engine.Rewind:
		return s.rewind(c)
	case engine.Undo:
		return s.reverse(engine.Undone, s.undo.Undo)
	case engine.Redo:
		return s.reverse(engine.Redone, s.undo.Redo)
	case engine.SetUntil:
		return s.setUntil(c.Until)
	case engine.SetRace:
		s.cfg.Race = c.On
	default:
		panic(fmt.Sprintf("session: unknown command %T", c))
	}
	return nil
}

// watch shows what a Watch asks for.
func (s *Session) watch(w engine.Watch) {
	s.watched, s.images, s.seen = w, predict.Images{}, true
	for _, r := range s.lanes {
		r.Measures().Watch(w)
	}
}
