package lane

import "github.com/psgld/psgld-tui/engine"

func (l *lane[F]) Change(set engine.Setting) {
	l.closeWindow()
	l.ChangeInGesture(set)
}

// beginsAnew reports whether a setting has the method begin again, without the state of an
// earlier one: another method, or one that accepts or rejects by the density that was.
func (l *lane[F]) beginsAnew(set engine.Setting) bool {
	return set.Sampler != l.set.Sampler || l.method.Metropolis && set.Problem != l.set.Problem
}

func (l *lane[F]) ChangeInGesture(set engine.Setting) {
	l.openWindow()
	l.change(set, l.beginsAnew(set))
}

// change puts a setting in force from the present step on. A change at the step
// of an earlier one replaces it, and a method that begins there begins with the new one. In a
// lane that has stopped it is at the step that was not made.
func (l *lane[F]) change(set engine.Setting, begins bool) {
	t := engine.Period{Step: l.Step(), Setting: set, Begins: begins}
	if l.div != nil {
		t.Step = max(t.Step, l.div.Step)
	}
	for n := len(l.periods); n > 0 && l.periods[n-1].Step == t.Step; n-- {
		t.Begins = t.Begins || l.periods[n-1].Begins
		l.periods = l.periods[: n-1 : n-1] // which keyframes have too
	}
	l.periods = append(l.periods, t)
	l.apply(set)
	if t.Begins {
		l.begin()
	}
}
