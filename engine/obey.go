package engine

import (
	"fmt"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
)

// obey applies the commands that have come.
func (s *Session) obey() {
	for _, c := range s.inbox.take() {
		s.applied++
		branch := c.kind() != "" && len(s.script) > 0
		var was *left
		if events, end := s.ahead(); branch && s.rt.Interactive && (len(events) > 0 || end > s.place()) {
			l := s.replaced()
			was = &l
		}
		at, done := s.place(), len(s.events)
		if err := s.do(c, s.joined(c)); err != nil {
			s.say(Refused{err})
			continue
		}
		if was != nil {
			s.keepBefore(*was)
		}
		if branch { // from here on it is a session of its own
			s.script, s.tape.seeking = nil, false
			s.kept.cut(at, done)
		}
	}
}

// strayed ends a replay that is not what was recorded. On a screen the session
// pauses there and goes on as one of its own.
func (s *Session) strayed(err error) {
	if !s.rt.Interactive {
		s.failed = err
		return
	}
	s.script, s.tape.seeking, s.paused, s.stepBy = nil, false, true, 0
	s.kept.cut(s.place(), len(s.events))
	s.say(Strayed{err})
}

// replayDue applies the script's events whose place is reached.
func (s *Session) replayDue() {
	for len(s.script) > 0 {
		e := s.script[0]
		if len(e.At) != len(s.lanes) {
			s.strayed(fmt.Errorf("the recording has an event for %d lanes where there are %d", len(e.At), len(s.lanes)))
			return
		}
		for i, r := range s.lanes {
			if r.odo() < e.At[i] && r.diverged() == nil {
				return
			}
		}
		for i, d := range e.Digests {
			if got := s.lanes[i].digest().Digest; got != d {
				s.strayed(differs(s.ids[i], e.At[i], got, d))
				return
			}
		}
		s.script = s.script[1:]
		said := s.notice
		if err := s.do(e.Command, e.Joins); err != nil {
			s.strayed(fmt.Errorf("replaying %s: %w", e.Command.kind(), err))
			return
		}
		if s.tape.seeking { // what it goes by on its way is no news
			s.notice = said
		}
	}
}

// do applies one command, and records it if it changes numbers.
func (s *Session) do(c Command, joins bool) error {
	s.joins = joins
	e, at, lane := Event{Command: c, Joins: joins}, s.place(), laneOf(c, s.ids)
	if c.kind() != "" {
		for _, r := range s.lanes {
			e.At, e.Digests = append(e.At, r.odo()), append(e.Digests, r.digest().Digest)
		}
	}
	if err := s.dispatch(c); err != nil {
		return err
	}
	if c.kind() != "" {
		s.images.Outdate()
	}
	if t, ok := c.(SetTarget); ok {
		t.Problem, t.Dataset = nil, s.cfg.Dataset // which is where a default was found
		e.Command = t
	}
	if c.kind() != "" {
		s.events = append(s.events, e)
		s.passed(Turn{At: at, Lane: lane, Command: e.Command})
	}
	return nil
}

func (s *Session) dispatch(c Command) error {
	switch c := c.(type) {
	case Pause:
		s.paused, s.stepBy, s.tape.seeking = true, 0, false
	case Resume:
		s.resume()
	case StepBy:
		s.paused, s.stepBy, s.tape.seeking = true, c.N, false
		if s.closely = c.N; c.N > follows {
			s.closely = 0
		}
	case SetSpeed:
		s.pace(c.PerSecond)
	case Watch:
		if c.Principal && s.prob.Dim() > metrics.MaxCovDim {
			return fmt.Errorf("principal directions need at most %d coordinates, %s has %d", metrics.MaxCovDim, s.prob.Spec, s.prob.Dim())
		}
		s.watch(c)
	case SetShift:
		return s.setShift(c)
	case Save:
		select {
		case c.To <- s.Saved(c.Version):
		default:
		}
	case Load:
		return s.load(c)
	case Return:
		return s.goBack()
	case Seek:
		return s.seek(c)
	case SetParam:
		return s.setParam(c.Lane, c.Key, func(int) float64 { return c.Value })
	case SetEach:
		return s.setParam(AllLanes, c.Key, func(i int) float64 { return c.Values[i] })
	case SetSampler:
		return s.setSampler(c)
	case SetSchedule:
		return s.change(c.Lane, func(_ int, l Lane) (Lane, error) {
			if m, _ := catalog.Find(l.Sampler); m.Metropolis && c.Lane == AllLanes && len(s.lanes) > 1 {
				return l, nil
			}
			l.Schedule = c.Schedule
			return l, l.validate(s.prob)
		})
	case AddLane:
		return s.add(c)
	case RemoveLane:
		return s.remove(c)
	case SetTarget:
		return s.setTarget(c)
	case Restart:
		return s.restart(c)
	case Rewind:
		return s.rewind(c)
	case Undo:
		return s.back(&s.undo, &s.redo, Undone)
	case Redo:
		return s.back(&s.redo, &s.undo, Redone)
	case SetRace:
		s.cfg.Race = c.On
	default:
		panic(fmt.Sprintf("engine: unknown command %T", c))
	}
	return nil
}

// watch shows what a Watch asks for.
func (s *Session) watch(w Watch) {
	s.watched, s.images, s.seen = w, predict.Images{}, true
	for _, r := range s.lanes {
		r.watch(w)
	}
}

// pace limits the steps a second; 0 is no limit.
func (s *Session) pace(perSecond float64) {
	s.speed, s.credit, s.charged = max(0, perSecond), 0, time.Now()
}

// resume goes on; past a limit that was reached, without limits.
func (s *Session) resume() {
	s.paused, s.credit, s.charged = false, 0, time.Now()
	if s.phase == Done {
		s.cfg.Steps, s.cfg.Epochs, s.cfg.Seconds = 0, 0, 0
	}
}

// inbox is an unbounded queue of commands.
type inbox struct {
	mu   sync.Mutex
	q    []Command
	sent uint64 // commands put in so far
	wake chan struct{}
}

// put returns the number of the command among those put in.
func (b *inbox) put(c Command) uint64 {
	b.mu.Lock()
	b.q = append(b.q, c)
	b.sent++
	n := b.sent
	b.mu.Unlock()
	b.poke()
	return n
}

// poke wakes who waits for a command.
func (b *inbox) poke() {
	select {
	case b.wake <- struct{}{}:
	default:
	}
}

func (b *inbox) take() []Command {
	b.mu.Lock()
	defer b.mu.Unlock()
	q := b.q
	b.q = nil
	return q
}
