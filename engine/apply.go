package engine

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// maxMarks bounds the marks of a session.
const maxMarks = 64

// A change is what a tweak did, for the marks and the footer.
type change struct{ symbol, from, to string }

func (c change) String() string {
	if c.from == "" {
		return c.symbol + c.to
	}
	return c.symbol + " " + c.from + "→" + c.to
}

// mergeMarks is how soon a parameter must be turned again, while the session
// runs, for both turns to have one mark.
const mergeMarks = 300 * time.Millisecond

// joined reports whether a command that a user sends now goes on with a turn that
// is under way. The answer is recorded, so that a replay has the same marks.
func (s *Session) joined(c Command) bool {
	switch c.(type) {
	case SetParam, SetEach:
	default:
		return false
	}
	now := time.Now()
	joins := !s.paused && now.Sub(s.turned) <= mergeMarks
	s.turned = now
	return joins
}

// mark notes a change of settings of lane i and returns what the mark says. A
// parameter that is turned notch by notch has one mark, from the first notch's
// old value to the last's new one: without a step between the notches always,
// else if the command joins the one before.
func (s *Session) mark(i int, c change) string {
	m := Mark{Lane: s.ids[i], Step: s.lanes[i].step(), Seconds: s.lanes[i].seconds(), change: c}
	s.marks = slices.Clone(s.marks)
	for k := len(s.marks) - 1; k >= 0; k-- {
		o := s.marks[k]
		if o.Lane != m.Lane || o.Step == m.Step && o.change.symbol != c.symbol {
			continue // of one turn of each symbol there is one mark a step
		}
		if same := o.Step == m.Step; o.change.symbol == c.symbol && c.from != "" && (same || s.joins) {
			s.marks = slices.Delete(s.marks, k, k+1)
			if same && o.change.from == c.to {
				return c.String() // as it was, and no step knows of it
			}
			m.change.from = o.change.from
		}
		break
	}
	m.Text = m.change.String()
	s.marks = append(s.marks, m)
	s.marks = s.marks[max(0, len(s.marks)-maxMarks):]
	return m.Text
}

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
	before := cloneLanes(s.settings())
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
			return l, change{q.Symbol, short(q, old), short(q, x)}, l.validate(s.prob)
		}
		return l, change{}, nil
	})
	if err == nil && !found {
		return fmt.Errorf("no lane here has a parameter %q", key)
	}
	return err
}

// short writes a value for the footer: as it is if it was typed or is round, else
// with three significant digits, of 1-α for an α.
func short(q sampler.Param, x float64) string {
	exact := q.Format(x)
	digits, _, _ := strings.Cut(exact, "e")
	digits = strings.TrimLeft(strings.ReplaceAll(digits, ".", ""), "-0")
	switch {
	case q.Scale == sampler.Choice || q.Scale == sampler.Whole || x == 0 || len(digits) <= mostDigits:
		return exact
	case q.Scale == sampler.OneMinusLog && x < 1:
		return strconv.FormatFloat(x, 'f', min(max(2-int(math.Floor(math.Log10(1-x))), 3), 15), 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// mostDigits is how many significant digits a number has that somebody has typed.
const mostDigits = 8

func (s *Session) setSampler(c SetSampler) error {
	m, ok := sampler.Find(c.Name)
	if !ok {
		return UnknownSampler(c.Name)
	}
	return s.change(c.Lane, func(_ int, l Lane) (Lane, change, error) {
		if l.Sampler == c.Name {
			return l, change{}, nil
		}
		old, _ := sampler.Find(l.Sampler)
		if err := Misfit(m, s.prob); err != nil {
			return l, change{}, err
		}
		next := like(s.prob, l, c.Name)
		return next, change{"sampler", old.Title, m.Title}, nil
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
	s.undoable(cloneLanes(s.settings()))
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
	case d.Bound == 0:
		return ""
	case eps < d.Bound:
		return fmt.Sprintf(", below %s = %.4g", d.Formula, d.Bound)
	}
	return fmt.Sprintf(", still not below %s = %.4g", d.Formula, d.Bound)
}

// back puts the newest settings of one stack in force and the present ones on
// the other.
func (s *Session) back(from, to *[][]Lane, what string) error {
	n := len(*from)
	if n == 0 {
		return fmt.Errorf("nothing to %s", what)
	}
	now := cloneLanes(s.settings())
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

// difference says how two settings differ; its zero value is "not".
func difference(p *targets.Problem, a, b Lane) change {
	if a.Sampler != b.Sampler {
		return change{"sampler", a.Sampler, b.Sampler}
	}
	for _, q := range Params(p, a.Sampler) {
		if x, y := a.Value(q.Key), b.Value(q.Key); x != y {
			return change{q.Symbol, short(q, x), short(q, y)}
		}
	}
	return scheduleChange(a, b)
}

func scheduleChange(a, b Lane) change {
	from, to := a.Schedule.String(a.Eps()), b.Schedule.String(b.Eps())
	if from == to {
		return change{}
	}
	return change{"schedule", from, to}
}

// grouped writes a count with a comma at every thousand.
func grouped(n uint64) string {
	b := strconv.FormatUint(n, 10)
	for i := len(b) - 3; i > 0; i -= 3 {
		b = b[:i] + "," + b[i:]
	}
	return b
}
