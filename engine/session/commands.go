package session

import (
	"cmp"
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/caught"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session/internal/queue"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// pick lists the indices of the lanes that a command is for.
func (s *Session) pick(lane int) ([]int, error) {
	if lane == engine.AllLanes {
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

// change puts new settings in force in a lane or in all of them. f returns the setting
// of a lane. If it returns an error for one lane, none is changed.
func (s *Session) change(lane int, f func(i int, l engine.Setting) (engine.Setting, error)) error {
	picked, err := s.pick(lane)
	if err != nil {
		return err
	}
	before := s.settings()
	after := slices.Clone(before)
	for _, i := range picked {
		if after[i], err = f(i, before[i]); err != nil {
			return err
		}
	}
	_, marked := s.putInForce(before, after)
	if len(marked) == 0 {
		return nil
	}
	if !s.gesture.on {
		s.undo.Change(before)
	}
	s.gesture.turned = true
	at := slices.Index(s.ids, marked[0].Lane)
	s.say(engine.Changed{
		Step: s.lanes[at].Standing().Step, Lanes: marked, Of: len(s.lanes), Locked: engine.EpochLock(s.cfg.Draw, s.lanes[at].Standing().Setting, s.prob),
	})
	return nil
}

// putInForce puts settings in force in the lanes where they differ from those before. It
// returns the changes made, and the changes as their marks show them.
func (s *Session) putInForce(before, after []engine.Setting) (made, marked []engine.LaneChange) {
	var changes [engine.MaxLanes]engine.Change
	for i := range s.lanes {
		changes[i] = engine.Difference(s.prob, before[i], after[i])
	}
	var panics [engine.MaxLanes]*caught.Panic
	each(len(s.lanes), s.rt.Threads, func(i int) {
		if changes[i] == nil {
			return
		}
		touched := &s.gesture.touched[s.ids[i]]
		inGesture := s.gesture.on && *touched
		*touched = true
		panics[i] = caught.In("a lane", func() { s.lanes[i].Change(after[i], inGesture) })
	})
	for i, id := range s.ids {
		if p := panics[i]; p != nil {
			s.failed = p
		}
		if c := changes[i]; c != nil {
			made, marked = append(made, engine.LaneChange{Lane: id, Change: c}), append(marked, engine.LaneChange{Lane: id, Change: s.mark(i, c)})
		}
	}
	if p := s.lanes[0].Standing().Setting.Problem; p != nil {
		s.prob = p
	}
	return made, marked
}

// turnTarget sets a parameter of the target, in all lanes.
func (s *Session) turnTarget(key string, x float64) error {
	q, _, ok := s.prob.Param(key)
	if !ok {
		return fmt.Errorf("%s has no parameter %q", s.prob.Spec, strings.TrimPrefix(key, targets.KeyPrefix))
	}
	if err := engine.Check(q, x); err != nil {
		return err
	}
	p, err := s.prob.With(key, x)
	if err != nil {
		return err
	}
	return s.change(engine.AllLanes, func(_ int, l engine.Setting) (engine.Setting, error) { return l.On(p), l.Validate(p) })
}

// setParam sets a parameter of a lane, or of all of them, to value(i) in lane i. One of the
// target is of all lanes.
func (s *Session) setParam(lane int, key string, value func(i int) float64) error {
	if engine.OfTarget(key) {
		return s.turnTarget(key, value(0))
	}
	found := false
	err := s.change(lane, func(i int, l engine.Setting) (engine.Setting, error) {
		q, _, ok := param.Find(engine.Params(s.prob, l.Sampler), key)
		found = found || ok
		x := value(i)
		if !ok || l.Value(key) == x {
			return l, nil
		}
		if err := engine.Check(q, x); err != nil {
			return l, err
		}
		l = l.With(key, x)
		return l, l.Validate(s.prob)
	})
	if err == nil && !found {
		return fmt.Errorf("no lane here has a parameter %q", key)
	}
	return err
}

func (s *Session) setSampler(c engine.SetSampler) error {
	m, ok := catalog.Find(c.Name)
	if !ok {
		return engine.UnknownSampler(c.Name)
	}
	return s.change(c.Lane, func(_ int, l engine.Setting) (engine.Setting, error) {
		if l.Sampler == c.Name {
			return l, nil
		}
		if err := engine.Misfit(m, s.prob); err != nil {
			return l, err
		}
		return engine.Like(s.prob, l, c.Name).On(s.prob), nil
	})
}

func (s *Session) add(c engine.AddLane) error {
	if most := cmp.Or(s.rt.Budget.Lanes, engine.MaxLanes); len(s.lanes) >= most {
		return fmt.Errorf("a session has at most %d lanes", most)
	}
	m, ok := catalog.Find(c.Name)
	if !ok {
		return engine.UnknownSampler(c.Name)
	}
	if err := engine.Misfit(m, s.prob); err != nil {
		return err
	}
	id := engine.FreeID(s.ids)
	if c.Like < 0 || c.Like >= len(s.lanes) {
		return fmt.Errorf("there is no lane %d", c.Like)
	}
	l, err := s.plan(s.cfg, s.prob, id, engine.Like(s.prob, s.lanes[c.Like].Standing().Setting, c.Name))
	if err != nil {
		return err
	}
	s.addLane(l)
	s.undo = timeline.Undo[[]engine.Setting]{}
	s.shareCores()
	s.say(engine.LaneAdded{Lane: id})
	return nil
}

func (s *Session) remove(c engine.RemoveLane) error {
	if len(s.lanes) == 1 {
		return errors.New("a session has at least one lane")
	}
	if c.Lane < 0 || c.Lane >= len(s.lanes) {
		return fmt.Errorf("there is no lane %d", c.Lane)
	}
	s.say(engine.LaneRemoved{Lane: s.ids[c.Lane]})
	s.lanes[c.Lane].Close()
	s.lanes, s.ids = slices.Delete(slices.Clone(s.lanes), c.Lane, c.Lane+1), slices.Delete(slices.Clone(s.ids), c.Lane, c.Lane+1)
	s.undo = timeline.Undo[[]engine.Setting]{}
	s.meter = queue.Meter{}
	s.shareCores()
	return nil
}

func (s *Session) setTarget(c engine.SetTarget) error {
	cfg := s.cfg.Unlimited()
	cfg.Target, cfg.Dataset, cfg.Init, cfg.Truth = c.Target, c.Dataset, "random", engine.Truth{}
	p := c.Problem
	if p == nil {
		var err error
		if p, err = cfg.OpenWith(targets.Options{DataDir: s.rt.DataDir, Commands: s.rt.Commands, Closed: s.rt.Closed}); err != nil {
			return err
		}
	}
	cfg.Dataset, cfg.Lanes = p.Dataset, nil
	var unfit []engine.Unfitted
	for i, r := range s.lanes {
		m, _ := catalog.Find(r.Standing().Setting.Sampler)
		if why := m.Misfit(p); why != "" {
			first := catalog.Methods()[0]
			unfit = append(unfit, engine.Unfitted{Lane: s.ids[i], Sampler: m.Name, By: first.Name, Why: why})
			m = first
		}
		cfg.Lanes = append(cfg.Lanes, engine.DefaultSetting(p, m.Name))
	}
	all, err := s.planAll(cfg, p, s.ids)
	if err != nil {
		return err
	}
	s.sessionState, s.images = sessionState{cfg: cfg, prob: p}, predict.Images{}
	s.watchFirst()
	s.makeLanes(all)
	s.say(engine.TargetSet{Title: p.Title, Note: p.Remark(), Unfit: unfit})
	return nil
}

func (s *Session) restart(c engine.Restart) error {
	cfg := s.cfg
	cfg.Seed, cfg.Lanes = c.Seed, s.settings()
	if c.Chains > 0 {
		cfg.Chains = c.Chains
	}
	all, err := s.planAll(cfg, s.prob, s.ids)
	if err != nil {
		return err
	}
	if c.Chains == s.cfg.ChainCount() {
		c.Chains = 0 // that is told where it is another
	}
	d := s.prob.Dim()
	renumbered := cfg.Tracked(d) != s.cfg.Tracked(d)
	if s.cfg = cfg; renumbered {
		s.watchFirst() // the coordinates are others
	}
	s.makeLanes(all)
	s.marks = nil // the settings stay, and so can still be undone
	s.say(engine.Restarted(c))
	return nil
}

func (s *Session) rewind(c engine.Rewind) error {
	picked, err := s.pick(c.Lane)
	if err != nil {
		return err
	}
	if !(c.EpsFactor > 0) || math.IsInf(c.EpsFactor, 0) {
		return &engine.Refusal{Lane: engine.AllLanes, Field: "eps_factor", Value: strconv.FormatFloat(c.EpsFactor, 'g', -1, 64), Allowed: "positive"}
	}
	if stopped := slices.DeleteFunc(slices.Clone(picked), func(i int) bool { return s.lanes[i].Standing().Diverged == nil }); len(stopped) > 0 {
		picked = stopped
	}
	if !c.Mends {
		s.undo.Change(s.settings())
	}
	var went engine.Rewound
	for _, i := range picked {
		r := s.lanes[i]
		was := r.Standing()
		step, div, set := was.Step, was.Diverged, was.Setting
		r.Rewind(step - min(step, c.Steps))
		s.owed[s.ids[i]] = 0
		eps := set.Eps()
		back := engine.RewindChange{Step: r.Standing().Step, FromEps: eps, Eps: eps * c.EpsFactor}
		if c.EpsFactor != 1 {
			r.Change(set.With(sampler.KeyEps, back.Eps), false)
		}
		s.marks = slices.DeleteFunc(slices.Clone(s.marks), func(m engine.Mark) bool { return m.Lane == s.ids[i] && m.Step > r.Standing().Step })
		s.mark(i, back)
		went.Lanes = append(went.Lanes, engine.LaneRewind{Lane: s.ids[i], RewindChange: back, Diverged: div})
		if c.Mends {
			s.mend(i, eps, div)
		}
	}
	s.say(went)
	return nil
}

// mend changes the settings that Undo would go back to. Where lane i has the ε from before a
// rewind, the ε with which it diverged, or one not below the bound crossed, it gets its present ε.
func (s *Session) mend(i int, before float64, div *engine.Divergence) {
	now := s.settings()
	s.undo.Mend(func(all []engine.Setting) []engine.Setting {
		eps := all[i].Eps()
		if eps != before && (div == nil || eps != div.Eps && !(div.Bound.Eps > 0 && eps >= div.Bound.Eps)) {
			return all
		}
		all = slices.Clone(all)
		all[i] = all[i].With(sampler.KeyEps, now[i].Eps())
		return all
	}, func(all []engine.Setting) bool {
		return slices.EqualFunc(all, now, func(a, b engine.Setting) bool { return engine.Difference(s.prob, a, b) == nil })
	})
}

// reverse does an Undo or a Redo. move returns the settings to put in force, given those that are.
func (s *Session) reverse(by engine.Reversal, move func(now []engine.Setting) ([]engine.Setting, bool)) error {
	now := s.settings()
	then, ok := move(now)
	if !ok {
		return fmt.Errorf("nothing to %s", by)
	}
	made, _ := s.putInForce(now, then)
	s.say(engine.Changed{By: by, Lanes: made, Of: len(s.lanes)})
	return nil
}
