package lane

import (
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
)

func (l *lane[F]) Rewind(step uint64) {
	l.records.Settle()
	l.measures.CloseWindow()
	l.records.OpenWindow()
	l.Passage.End()
	set := l.Setting
	lost := l.travelTo(min(step, l.Step()))
	l.records.Rewound()
	for n := len(l.Periods); n > 1 && l.Periods[n-1].Step > l.Step(); n-- {
		l.Periods = l.Periods[: n-1 : n-1]
	}
	l.Diverged = lost
	l.change(set, l.beginsAnew(set))
}

// travel restores the states after a step, with the settings that were in force at it.
func (l *lane[F]) travel(step uint64) {
	for _, c := range l.Chains {
		l.travelIn(c, step)
	}
}

// travelTo is travel on the way back. On a target outside of the process the gradients of the
// steps from a checkpoint may fail. Then the chains are at the checkpoint, and it says why.
func (l *lane[F]) travelTo(step uint64) *state.Divergence {
	o := l.outside
	if o == nil {
		l.travel(step)
		return nil
	}
	o.Under(o.end)
	l.travel(step)
	err := o.Err()
	if err == nil {
		return nil
	}
	for _, c := range l.Chains {
		c.State.Copy(c.Past.Before(step))
	}
	return &state.Divergence{Step: l.Step() + 1, Eps: l.Setting.Eps(), Failed: err.Error()}
}

// travelIn restores the state of a chain after a step. It steps again from the checkpoint
// before, with the settings that were in force, and leaves those of that step in force.
// Noise and minibatches are keyed by step, so the result is the same to the bit.
func (l *lane[F]) travelIn(c *record.Chain[F], step uint64) {
	c.State.Copy(c.Past.Before(step))
	if step > c.State.Step && l.Drawn() {
		l.row(c, step)
	}
	count := c.Gradients
	for i, t := range l.Periods {
		end := step
		if i+1 < len(l.Periods) {
			end = min(end, l.Periods[i+1].Step)
		}
		if t.Step > step || c.State.Step > end {
			continue
		}
		l.apply(t.Setting)
		if t.Begins && t.Step == c.State.Step {
			c.Begin(&l.Params)
		}
		for c.State.Step < end {
			l.Params.Eps = l.EpsAt(c.State.Step)
			c.Kernel.Step(&c.State, &c.Grad, &l.Params, c.Noise, &c.Info)
			if l.outside != nil && l.outside.Err() != nil {
				return
			}
		}
	}
	c.Gradients = count
}

// laneCopy is the Copy of a lane.
type laneCopy[F sampler.Float] struct{ *record.Copy[F] }

func (k laneCopy[F]) Setting() state.Setting { return k.Copy.Setting }

func (k laneCopy[F]) BytesBeyond(other Copy) int {
	o, _ := other.(laneCopy[F])
	return k.Copy.BytesBeyond(o.Copy)
}

func (k laneCopy[F]) Fits(r Runner) bool {
	l, ok := r.(*lane[F])
	return ok && l.records.Fits(k.Copy)
}

func (l *lane[F]) Copy() Copy { return laneCopy[F]{l.records.Copy()} }

func (l *lane[F]) Restore(from Copy) {
	k := from.(laneCopy[F])
	l.records.Restore(k.Copy, func() { l.apply(k.Setting()) })
	if k.Diverged != nil && l.outside == nil {
		l.travel(l.Step()) // so that the kernels stand as they did at the last step
		l.apply(k.Setting())
	}
	for i, c := range l.Chains {
		c.Info, c.Observed = k.Chains[i].Info, k.Chains[i].Observed // which a new kernel has begun anew
	}
}
