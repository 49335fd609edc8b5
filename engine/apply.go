package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// pick lists the indices that a command's lane stands for.
func (s *Session) pick(lane int) ([]int, error) {
	if lane == AllLanes {
		all := make([]int, len(s.lanes))
		for i := range all {
			all[i] = i
		}
		return all, nil
	}
	if lane < 0 || lane >= len(s.lanes) {
		return nil, fmt.Errorf("there is no lane %d", lane)
	}
	return []int{lane}, nil
}

// change puts a new setting in force in a lane or in all of them, or in none if
// one of them refuses it. f returns the new setting and what to say of it; a
// lane for which there is nothing to say stays as it is.
func (s *Session) change(lane int, f func(i int, l Lane) (Lane, change, error)) error {
	picked, err := s.pick(lane)
	if err != nil {
		return err
	}
	before := s.settings()
	type new struct {
		i    int
		set  Lane
		what change
	}
	var todo []new
	for _, i := range picked {
		set, what, err := f(i, s.lanes[i].setting())
		if err != nil {
			return err
		}
		if what != (change{}) {
			todo = append(todo, new{i, set, what})
		}
	}
	if len(todo) == 0 {
		return nil
	}
	s.undoable(before)
	said := make([]string, len(todo))
	differ := false
	for k, t := range todo {
		s.lanes[t.i].tweak(t.set)
		said[k] = s.mark(t.i, t.what)
		differ = differ || said[k] != said[0]
	}
	what := said[0]
	switch {
	case differ:
		for k, t := range todo {
			said[k] = LaneLetter(s.ids[t.i]) + " " + said[k]
		}
		what = strings.Join(said, "; ")
	case len(s.lanes) > 1 && len(todo) == 1:
		what = LaneLetter(s.ids[todo[0].i]) + ": " + what
	}
	s.say(false, "%s @%s", what, grouped(s.lanes[todo[0].i].step()))
	return nil
}

// undoable notes the settings before a change, so that it can be undone.
func (s *Session) undoable(before []Lane) {
	s.undo, s.redo = append(s.undo, before), nil
	if len(s.undo) > maxMarks {
		s.undo = slices.Clone(s.undo[1:])
	}
}

// setParam sets a parameter of a lane, or of all, to the value for its place.
func (s *Session) setParam(lane int, key string, value func(i int) float64) error {
	found := false
	err := s.change(lane, func(i int, l Lane) (Lane, change, error) {
		for _, q := range Params(s.prob, l.Sampler) {
			if q.Key != key {
				continue
			}
			found = true
			old, x := l.Value(key), value(i)
			if old == x {
				return l, change{}, nil
			}
			if err := q.Check(x); err != nil {
				return l, change{}, fmt.Errorf("%s %w", q.Key, err)
			}
			l = l.With(key, x)
			return l, turned(q, old, x), l.validate(s.prob)
		}
		return l, change{}, nil
	})
	if err == nil && !found {
		return fmt.Errorf("no lane here has a parameter %q", key)
	}
	return err
}

func (s *Session) setSampler(c SetSampler) error {
	m, ok := sampler.Find(c.Name)
	if !ok {
		return UnknownSampler(c.Name)
	}
	return s.change(c.Lane, func(_ int, l Lane) (Lane, change, error) {
		if l.Sampler == c.Name {
			return l, change{}, nil
		}
		if err := Misfit(m, s.prob); err != nil {
			return l, change{}, err
		}
		next := like(s.prob, l, c.Name)
		return next, samplerChange(l, next), nil
	})
}

func (s *Session) add(c AddLane) error {
	if len(s.lanes) >= MaxLanes {
		return fmt.Errorf("a session has at most %d lanes", MaxLanes)
	}
	m, ok := sampler.Find(c.Name)
	if !ok {
		return UnknownSampler(c.Name)
	}
	if err := Misfit(m, s.prob); err != nil {
		return err
	}
	id := freeID(s.ids)
	if c.Like < 0 || c.Like >= len(s.lanes) {
		return fmt.Errorf("there is no lane %d", c.Like)
	}
	l, err := s.plan(s.cfg, s.prob, id, like(s.prob, s.lanes[c.Like].setting(), c.Name))
	if err != nil {
		return err
	}
	s.addLane(l)
	s.undo, s.redo = nil, nil
	s.shareCores()
	s.say(false, "lane %s added", LaneLetter(id))
	return nil
}

func (s *Session) remove(c RemoveLane) error {
	if len(s.lanes) == 1 {
		return errors.New("a session has at least one lane")
	}
	if c.Lane < 0 || c.Lane >= len(s.lanes) {
		return fmt.Errorf("there is no lane %d", c.Lane)
	}
	s.say(false, "lane %s removed", LaneLetter(s.ids[c.Lane]))
	s.lanes[c.Lane].close()
	s.lanes, s.ids = slices.Delete(slices.Clone(s.lanes), c.Lane, c.Lane+1), slices.Delete(slices.Clone(s.ids), c.Lane, c.Lane+1)
	s.undo, s.redo = nil, nil
	s.meter = meter{}
	s.shareCores()
	return nil
}

func (s *Session) setTarget(c SetTarget) error {
	cfg := s.cfg
	cfg.Target, cfg.Dataset, cfg.Init = c.Target, c.Dataset, "random"
	cfg.Steps, cfg.Epochs, cfg.Seconds, cfg.Truth = 0, 0, 0, Truth{}
	p := c.Problem
	if p == nil {
		var err error
		if p, err = cfg.Open(s.rt.DataDir); err != nil {
			return err
		}
	}
	cfg.Dataset, cfg.Lanes = p.Dataset, nil
	var other []string
	for i, r := range s.lanes {
		m, _ := sampler.Find(r.setting().Sampler)
		if why := m.Misfit(p); why != "" {
			first := sampler.Methods()[0]
			other = append(other, fmt.Sprintf("%s is %s: %s %s", LaneLetter(s.ids[i]), first.Title, m.Title, why))
			m = first
		}
		cfg.Lanes = append(cfg.Lanes, DefaultLane(p, m.Name))
	}
	if err := cfg.Validate(p); err != nil {
		return err
	}
	all, err := s.planAll(cfg, p, s.ids)
	if err != nil {
		return err
	}
	s.cfg, s.prob, s.shown = cfg, p, nil
	s.watchFirst()
	s.fresh()
	s.makeLanes(all)
	if p.Note != "" {
		other = append(other, p.Note)
	}
	s.say(false, "%s", strings.Join(append([]string{p.Title}, other...), "; "))
	return nil
}

func (s *Session) restart(c Restart) error {
	cfg := s.cfg
	cfg.Seed, cfg.Lanes = c.Seed, s.settings()
	all, err := s.planAll(cfg, s.prob, s.ids)
	if err != nil {
		return err
	}
	s.cfg = cfg
	s.makeLanes(all)
	s.marks = nil // the settings, and so what can be undone, stay
	s.say(false, "restarted on seed %d", c.Seed)
	return nil
}

// fresh forgets what belongs to the lanes that are about to be replaced.
func (s *Session) fresh() { s.undo, s.redo, s.marks = nil, nil, nil }

func (s *Session) rewind(c Rewind) error {
	picked, err := s.pick(c.Lane)
	if err != nil {
		return err
	}
	if !(c.EpsFactor > 0) || math.IsInf(c.EpsFactor, 0) {
		return fmt.Errorf("the factor of ε must be positive, got %g", c.EpsFactor)
	}
	if lost := slices.DeleteFunc(slices.Clone(picked), func(i int) bool { return s.lanes[i].diverged() == nil }); len(lost) > 0 {
		picked = lost
	}
	s.undoable(s.settings())
	for _, i := range picked {
		r := s.lanes[i]
		step, lost := r.step(), r.diverged()
		r.rewind(step - min(step, c.Steps))
		text := "back to step " + grouped(r.step())
		said := text
		if set := r.setting(); c.EpsFactor != 1 {
			old := set.Value(sampler.KeyEps)
			eps := old * c.EpsFactor
			r.tweak(set.With(sampler.KeyEps, eps))
			text += fmt.Sprintf(", ε %.4g", eps)
			said += fmt.Sprintf(", ε %.4g→%.4g", old, eps)
			if lost != nil {
				said += lost.against(eps)
			}
		} else if eps := set.Value(sampler.KeyEps); lost != nil && eps != lost.Eps {
			said += fmt.Sprintf(", ε %.4g", eps) + lost.against(eps)
		}
		s.marks = slices.DeleteFunc(slices.Clone(s.marks), func(m Mark) bool { return m.Lane == s.ids[i] && m.Step > r.step() })
		s.mark(i, change{to: text})
		s.say(false, "%s: %s", LaneLetter(s.ids[i]), said)
	}
	return nil
}

// against says how a step size stands to the bound that was crossed, if that is
// known.
func (d *Divergence) against(eps float64) string {
	switch {
	case d.Bound.Kind == sampler.NoBound:
		return ""
	case eps < d.Bound.Eps:
		return fmt.Sprintf(", below %s = %.4g", d.Bound.Kind.Formula(), d.Bound.Eps)
	}
	return fmt.Sprintf(", still not below %s = %.4g", d.Bound.Kind.Formula(), d.Bound.Eps)
}

// back puts the newest settings of one stack in force and the present ones on
// the other.
func (s *Session) back(from, to *[][]Lane, what string) error {
	n := len(*from)
	if n == 0 {
		return fmt.Errorf("nothing to %s", what)
	}
	now := s.settings()
	then := (*from)[n-1]
	*from, *to = (*from)[:n-1], append(*to, now)
	var said []string
	for i, r := range s.lanes {
		if d := difference(s.prob, now[i], then[i]); d != (change{}) {
			r.tweak(then[i])
			s.mark(i, d)
			said = append(said, LaneLetter(s.ids[i])+" "+d.String())
		}
	}
	s.say(false, "%s: %s", what, strings.Join(said, "; "))
	return nil
}

// grouped writes a count with a comma at every thousand.
func grouped(n uint64) string {
	b := strconv.FormatUint(n, 10)
	for i := len(b) - 3; i > 0; i -= 3 {
		b = b[:i] + "," + b[i:]
	}
	return b
}
