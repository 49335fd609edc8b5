package lane

import "github.com/psgld/psgld-tui/engine"

func (l *lane[F]) Tweak(set engine.Lane) {
	l.closeWindow()
	l.TweakInGesture(set)
}

// beginsAnew reports whether a setting has the method begin again, without the state of an
// earlier one: another method, or one that accepts or rejects by the density that was.
func (l *lane[F]) beginsAnew(set engine.Lane) bool {
	return set.Sampler != l.set.Sampler || l.method.Metropolis && set.Problem != l.set.Problem
}

func (l *lane[F]) TweakInGesture(set engine.Lane) {
	l.openWindow()
	l.change(set, l.beginsAnew(set))
}

// change puts a setting in force from the present step on. A change at the step
// of an earlier one replaces it, and a method that begins there begins with the new one. In a
// lane that has stopped it is at the step that was not made.
func (l *lane[F]) change(set engine.Lane, begins bool) {
	t := engine.Tweak{Step: l.Step(), Setting: set, Begins: begins}
	if l.div != nil {
		t.Step = max(t.Step, l.div.Step)
	}
	for n := len(l.tweaks); n > 0 && l.tweaks[n-1].Step == t.Step; n-- {
		t.Begins = t.Begins || l.tweaks[n-1].Begins
		l.tweaks = l.tweaks[: n-1 : n-1] // which keyframes have too
	}
	l.tweaks = append(l.tweaks, t)
	l.apply(set)
	if t.Begins {
		l.begin()
	}
}
