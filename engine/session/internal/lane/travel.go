package lane

import "github.com/psgld/psgld-tui/engine"

func (l *lane[F]) Rewind(step uint64) {
	l.Settle()
	l.closeWindow()
	l.openWindow()
	l.passage.End()
	set := l.set
	lost := l.travelTo(min(step, l.Step()))
	if l.first.companions != nil {
		l.first.companions.Follow(&l.first.state)
	}
	l.windowStart = l.Step()
	for _, c := range l.chains {
		c.past.Forget(l.Step())
		for _, r := range c.recorders {
			r.Cut(l.Step())
		}
	}
	for n := len(l.periods); n > 1 && l.periods[n-1].Step > l.Step(); n-- {
		l.periods = l.periods[: n-1 : n-1]
	}
	l.history.Cut(l.Step())
	l.div = lost
	l.change(set, l.beginsAnew(set))
}

// travel restores the states after a step, with the settings that were in force at it.
func (l *lane[F]) travel(step uint64) {
	for _, c := range l.chains {
		l.travelIn(c, step)
	}
}

// travelTo is travel on the way back. On a target outside of the process the gradients of the
// steps from a checkpoint may fail. Then the chains are at the checkpoint, and it says why.
func (l *lane[F]) travelTo(step uint64) *engine.Divergence {
	if l.outside == nil {
		l.travel(step)
		return nil
	}
	l.outside.Under(l.outside.end)
	l.travel(step)
	err := l.outside.Err()
	if err == nil {
		return nil
	}
	for _, c := range l.chains {
		c.state.Copy(c.past.Before(step))
	}
	return &engine.Divergence{Step: l.Step() + 1, Eps: l.set.Eps(), Failed: err.Error()}
}

// travelIn restores the state of a chain after a step. It steps again from the checkpoint
// before, with the settings that were in force, and leaves those of that step in force.
// Noise and minibatches are keyed by step, so the result is the same to the bit.
func (l *lane[F]) travelIn(c *chain[F], step uint64) {
	c.state.Copy(c.past.Before(step))
	count := c.gradEvals
	for i, t := range l.periods {
		end := step
		if i+1 < len(l.periods) {
			end = min(end, l.periods[i+1].Step)
		}
		if t.Step > step || c.state.Step > end {
			continue
		}
		l.apply(t.Setting)
		if t.Begins && t.Step == c.state.Step {
			c.begin(&l.params)
		}
		for c.state.Step < end {
			l.params.Eps = l.epsAt(c.state.Step)
			c.kernel.Step(&c.state, &c.grad, &l.params, c.z, &c.info)
			if l.outside != nil && l.outside.Err() != nil {
				return
			}
		}
	}
	c.gradEvals = count
}
