package lane

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

func (l *lane[F]) Change(set state.Setting, inGesture bool) {
	if !inGesture {
		l.measures.CloseWindow()
	}
	l.records.OpenWindow()
	l.change(set, l.beginsAnew(set))
}

// beginsAnew reports whether a setting has the method begin again, without the state of an
// earlier one: another method, or one that accepts or rejects by the density that was.
func (l *lane[F]) beginsAnew(set state.Setting) bool {
	return set.Sampler != l.Setting.Sampler || l.Method.Metropolis && set.Problem != l.Setting.Problem
}

// change puts a setting in force from the present step on. A change at the step of an earlier one replaces it, and a
// method that begins there begins with the new one. In a lane that has stopped it is at the step that was not made.
func (l *lane[F]) change(set state.Setting, begins bool) {
	t := engine.Period{Step: l.Step(), Setting: set, Begins: begins}
	if l.Diverged != nil {
		t.Step = max(t.Step, l.Diverged.Step)
	}
	for n := len(l.Periods); n > 0 && l.Periods[n-1].Step == t.Step; n-- {
		t.Begins = t.Begins || l.Periods[n-1].Begins
		l.Periods = l.Periods[: n-1 : n-1] // which keyframes have too
	}
	l.Periods = append(l.Periods, t)
	l.apply(set)
	if t.Begins {
		l.begin()
	}
}

func (l *lane[F]) Compare(cfg state.Config, p *targets.Problem) {
	if was := l.Problem; was != p && was.Spec == p.Spec {
		on := func(set state.Setting) state.Setting {
			if set.Problem == was {
				set.Problem = p
			}
			return set
		}
		l.Problem, l.Setting = p, on(l.Setting)
		l.Periods = list.Map(l.Periods, func(t engine.Period) engine.Period { t.Setting = on(t.Setting); return t })
		l.measures.Turned()
	}
	if cfg.Bias == l.Config.Bias {
		return
	}
	l.Config.Bias = cfg.Bias
	if l.records.Accompany(); l.records.Companions != nil {
		for _, c := range l.records.Companions.Levels {
			c.Begin(&l.Params)
		}
		l.records.Companions.Rewound()
	}
	l.pickStepper()
}
