package grammar

import (
	"cmp"
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// laneTurn is a move of one lane.
type laneTurn struct {
	at  uint64
	set Assignment
}

// steered is how the session that a snapshot shows can be had from its start: the Config and
// target to begin with, and the moves. Each lane's come from its Periods, so that what a rewind
// has taken back is not among them, and all lanes begin with the session.
func steered(s *engine.Snapshot) (state.Config, *targets.Problem, []Planned, error) {
	own := *s
	own.Lanes = slices.SortedFunc(slices.Values(s.Lanes), func(a, b engine.LaneView) int { return a.ID - b.ID })
	s = &own
	path, err := targetPathOf(s)
	if err != nil {
		return state.Config{}, nil, nil, err
	}
	p := path.states[0]
	cfg := s.Config
	cfg.Target, cfg.Lanes = p.Spec, nil
	var moves []Planned
	turns := make([][]laneTurn, len(s.Lanes))
	for i := range s.Lanes {
		v := &s.Lanes[i]
		turns[i] = turnsOf(v.Periods, path.at[i], path.states)
		first := v.Periods[0].Setting.Off()
		for len(cfg.Lanes) < v.ID { // a lane that was removed: noise goes by their numbers
			moves = append(moves, Planned{At: []uint64{0}, Move: Move{Lane: len(cfg.Lanes), Name: Remove}})
			cfg.Lanes = append(cfg.Lanes, first)
		}
		cfg.Lanes = append(cfg.Lanes, first)
	}
	return cfg, p, append(append(moves, merge(s, turns)...), stillPlanned(s)...), nil
}

// A targetPath is a target with each of the values that its parameters have had, and how far
// along that each period of each lane is.
type targetPath struct {
	states []*targets.Problem
	at     [][]int // by lane and change, an index of states
}

// targetPathOf aligns the lanes' targets: a lane that was rewound may have left out some.
func targetPathOf(s *engine.Snapshot) (targetPath, error) {
	of := func(t engine.Period) *targets.Problem { return cmp.Or(t.Setting.Problem, s.Problem) }
	begun := s.Lanes[0].Begun
	for i := range s.Lanes {
		if s.Lanes[i].Begun.Spec != begun.Spec {
			return targetPath{}, errors.New("its lanes have begun with other values of the target's parameters, or other data")
		}
	}
	for i := range s.Lanes {
		c := targetPath{states: []*targets.Problem{begun}, at: make([][]int, len(s.Lanes))}
		for _, t := range s.Lanes[i].Periods {
			if n := len(c.states); c.states[n-1].Spec != of(t).Spec {
				c.states = append(c.states, of(t))
			}
		}
		fits := true
		for k := range s.Lanes {
			at := 0
			for _, t := range s.Lanes[k].Periods {
				for at < len(c.states) && c.states[at].Spec != of(t).Spec {
					at++
				}
				c.at[k] = append(c.at[k], at)
			}
			fits = fits && at == len(c.states)-1
		}
		if fits {
			return c, nil
		}
	}
	return targetPath{}, errors.New("its lanes have gone through other values of the target's parameters, or other data")
}

// turnsOf are the moves of a lane that lead from each of its periods to the next. along says where on the target's path
// each period is. Every value on the way is turned to, even if no step was made under it.
func turnsOf(periods []engine.Period, along []int, states []*targets.Problem) []laneTurn {
	var all []laneTurn
	now, at := periods[0].Setting, 0
	turnTarget := func(step uint64, to int) {
		for ; at < to; at++ {
			was, then := states[at].Values(), states[at+1].Values()
			for j, q := range states[at].Params {
				if was[j] != then[j] {
					all = append(all, laneTurn{step, Assignment{Key: q.Key, Text: number(then[j])}})
				}
			}
			had, has := states[at].Added, states[at+1].Added
			add := func(text string) { all = append(all, laneTurn{step, Assignment{Key: Point, Text: text}}) }
			if len(has) < len(had) || !slices.Equal(has[:len(had)], had) {
				add(clearPoints)
				had = nil
			}
			for _, d := range has[len(had):] {
				add(d.String())
			}
		}
	}
	turnTarget(0, along[0])
	for i, t := range periods[1:] {
		p, to := states[along[i+1]], t.Setting
		add := func(key, text string) { all = append(all, laneTurn{t.Step, Assignment{Key: key, Text: text}}) }
		turned := at < along[i+1]
		turnTarget(t.Step, along[i+1])
		if m, _ := catalog.Find(to.Sampler); t.Begins && now.Sampler == to.Sampler && !(m.Metropolis && turned) {
			// It was left and taken up again at one step, without its state.
			by := "sgd"
			if by == to.Sampler {
				by = "adam"
			}
			add(Sampler, by)
			now = state.Like(p, now, by)
		}
		if now.Sampler != to.Sampler {
			add(Sampler, to.Sampler)
			now = state.Like(p, now, to.Sampler)
		}
		if now.Schedule != to.Schedule {
			text, _ := scheduleText(to.Schedule, to.Eps())
			add(flagSchedule, text)
			if _, first, err := sampler.ParseSchedule(text); err == nil && first > 0 {
				now = now.With(sampler.KeyEps, first)
			}
		}
		m, _ := catalog.Find(to.Sampler)
		for _, q := range m.All() {
			if now.Value(q.Key) != to.Value(q.Key) {
				add(q.Key, formatValue(q, to.Value(q.Key), p))
			}
		}
		now = to
	}
	return all
}

// merge makes moves of the lanes' turns: one of all lanes where all that have the parameter are
// turned alike at the same step. The target's parameters are turned in all lanes at once.
func merge(s *engine.Snapshot, turns [][]laneTurn) []Planned {
	var moves []Planned
	// has reports whether a move without a lane is for lane i too, at its present setting.
	methods := list.Map(s.Lanes, func(v engine.LaneView) string { return v.Periods[0].Setting.Sampler })
	has := func(i int, key string) bool {
		return key == Sampler || key == flagSchedule || hasSetting(methods[i], key)
	}
	for {
		next := -1 // the lane with the earliest turn that does not wait for the others
		waits := 0
		for i, t := range turns {
			switch {
			case len(t) == 0:
			case OfTarget(t[0].set.Key):
				waits++
			case next < 0 || t[0].at < turns[next][0].at:
				next = i
			}
		}
		if next < 0 && waits < len(turns) {
			return moves // there are no more
		}
		m := Planned{Move: Move{Lane: state.AllLanes}}
		var of []int // the lanes that are turned
		if next < 0 {
			for i := range turns {
				of = append(of, i)
				m.At = append(m.At, turns[i][0].at)
			}
			next = 0
			if !slices.ContainsFunc(m.At, func(at uint64) bool { return at != m.At[0] }) {
				m.At = m.At[:1]
			}
		} else {
			first := turns[next][0]
			m.At = []uint64{first.at}
			alike := true
			for i, t := range turns {
				if len(t) > 0 && t[0] == first {
					of = append(of, i)
				} else if has(i, first.set.Key) {
					alike = false
				}
			}
			if !alike || !sameValue(s, of, methods, first.set) {
				m.Lane, of = s.Lanes[next].ID, []int{next}
			}
		}
		set := turns[next][0].set
		m.Name, m.Arg = set.Key, set.Text
		moves = append(moves, m)
		for _, i := range of {
			if set.Key == Sampler {
				methods[i] = set.Text
			}
			turns[i] = turns[i][1:]
		}
	}
}

// sameValue reports whether a setting's text means one thing for the methods of lanes.
func sameValue(s *engine.Snapshot, of []int, methods []string, set Assignment) bool {
	if set.Key == Sampler || set.Key == flagSchedule {
		return true
	}
	_, _, err := parseValue(set.Key, set.Text,
		list.Map(of, func(i int) state.Setting { return state.Setting{Sampler: methods[i]} }), s.Problem)
	return err == nil
}

// stillPlanned are the moves that the session has ahead. They are followed by nothing else, or
// it has gone back on its tape, and they are what was done.
func stillPlanned(s *engine.Snapshot) []Planned {
	var all []Planned
	last := ""
	for _, e := range s.Tape.Events[s.Tape.Done:] {
		if e.Move == last {
			continue // it makes several commands
		}
		if last = e.Move; e.Move == "" {
			return nil
		}
		if m, err := parsePlanned(e.Move); err == nil {
			all = append(all, m)
		}
	}
	return all
}
