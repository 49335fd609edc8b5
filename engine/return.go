package engine

import (
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

// Return puts back the session that the newest Load, or a branch, has replaced. It is
// kept as what it takes to play it again, with the newest of the places that were
// kept of it: it runs from there to where it stood, and pauses. What there was is
// kept in its turn, behind the others, so that Return comes by all of them.
type Return struct{}

func (Return) kind() string { return "" }

// left is a session as it was left: all that it takes to begin it again.
type left struct {
	start   Config
	begin   *targets.Problem
	script  []Event    // what was done, and what was to come
	whole   *Recording // of the session as it was when it first went back
	at      uint64     // where it stood
	watched *Watch     // nil if that is not of the target it began on
	speed   float64
	places  []keptPlace
}

// mostLeft is how many sessions are kept beside the one at hand, and leftRoom the
// bytes that the places kept of each may take.
const (
	mostLeft = 3
	leftRoom = keptRoom / 8
)

// replaced keeps the session as it stands, before another takes its place.
func (s *Session) replaced() left {
	l := s.leave()
	k := s.kept
	k.room, k.least = min(k.room, leftRoom), 1
	k.places = slices.Clone(k.places)
	k.thin(l.at)
	l.places = k.places
	return l
}

// keepBefore makes a session the one to return to.
func (s *Session) keepBefore(l left) {
	s.before = append(s.before, l)
	s.before = slices.Clone(s.before[max(0, len(s.before)-mostLeft):])
}

func (s *Session) leave() left {
	l := left{start: s.start, begin: s.tape.begin, script: s.script, whole: s.tape.whole, at: s.place(), speed: s.speed}
	if len(s.script) == 0 {
		r := s.Recording("")
		l.script, l.whole = []Event{{At: s.odometers(), Command: Pause{}}}, &r
	}
	l.script = slices.Concat(s.events, l.script)
	if w := s.watched; s.prob == s.tape.begin {
		l.watched = &w
	}
	return l
}

// again begins a session that was left, as begin does.
func (s *Session) again(l left) error {
	if err := s.begin(l.start, l.begin, l.script); err != nil {
		return err
	}
	s.tape.whole = l.whole
	if l.watched != nil {
		s.watch(*l.watched)
	}
	return nil
}

func (s *Session) goBack() error {
	n := len(s.before)
	if n == 0 {
		return errors.New("no session was replaced by this one")
	}
	was, now := s.before[n-1], s.replaced()
	if err := s.again(was); err != nil {
		return err
	}
	s.kept.drop()
	s.before = slices.Insert(slices.Clone(s.before[:n-1]), 0, now)
	s.kept.places = was.places
	if p := s.nearest(was.at); p != nil {
		if err := s.revive(p); err != nil {
			return err
		}
	}
	s.pace(was.speed)
	s.closely, s.stepBy = 0, 0
	s.tape.seeking, s.tape.to = true, was.at
	s.say(Loaded{Title: s.prob.Title, Seed: s.cfg.Seed, Back: true})
	return nil
}
