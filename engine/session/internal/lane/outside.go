package lane

import (
	"context"
	"errors"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
)

// outside is what a lane has on a target outside of the process, whose gradients take long
// and may fail. Its chains make each step together or not at all. A step whose gradient fails
// is taken back, and the lane stops there. One that is interrupted, since a command waits, is
// taken back too, and made again after the command.
type outside[F sampler.Float] struct {
	targets.Outside[F] // of the lane alone
	lane               *lane[F]
	step, end          context.Context // interrupt a step, and anything
	before             []stepped[F]    // of each chain
	busy               time.Duration   // of steps since the lane was made
}

// stepped is what a step changes of a chain.
type stepped[F sampler.Float] struct {
	state     sampler.State[F]
	info      sampler.Info
	observed  trace.Observed
	gradEvals uint64
}

// under sets the contexts for what follows.
func (o *outside[F]) under(step, end context.Context) {
	o.step, o.end = step, end
	o.Under(end)
}

// hold remembers the chains as they are before a step.
func (l *lane[F]) hold() {
	for k, c := range l.chains {
		b := &l.outside.before[k]
		b.state.Copy(&c.state)
		b.info, b.observed, b.gradEvals = c.info, c.observed, c.gradEvals
	}
}

// takeBack puts the chains back to where hold found them.
func (l *lane[F]) takeBack() {
	for k, c := range l.chains {
		b := &l.outside.before[k]
		c.state.Copy(&b.state)
		c.info, c.observed, c.gradEvals = b.info, b.observed, b.gradEvals
	}
}

// steps makes one step in every chain, or takes it back.
func (o *outside[F]) steps(uint64) (done uint64, bad *chain[F]) {
	l := o.lane
	l.hold()
	if !l.set.Schedule.Constant() {
		l.params.Eps = l.epsAt(l.Step())
	}
	o.Under(o.step)
	defer o.Under(o.end) // a draw may take a gradient, and is not taken twice
	for _, c := range l.chains {
		c.kernel.Step(&c.state, &c.grad, &l.params, c.z, &c.info)
		if err := o.Err(); err != nil {
			l.takeBack()
			if o.step.Err() == nil || !errors.Is(err, o.step.Err()) {
				l.fail(c, err)
			}
			return 0, nil
		}
		if c.observed.On {
			c.observed.Add(&c.info)
		}
		if !c.info.OK {
			return 1, c
		}
	}
	return 1, nil
}

// check stops the lane where a draw's gradient has failed.
func (o *outside[F]) check() {
	if err := o.Err(); err != nil && o.end.Err() == nil && o.lane.div == nil {
		o.lane.fail(o.lane.first, err)
	}
}

// fail stops the lane, as a divergence does, at the next step of a chain, for which no gradient came.
func (l *lane[F]) fail(c *chain[F], err error) {
	l.flush()
	l.div = &engine.Divergence{Step: l.Step() + 1, Chain: l.number(c), Eps: l.set.Eps(), Failed: err.Error()}
}

func (l *lane[F]) Interrupted() bool {
	return l.outside != nil && l.div == nil && l.outside.step.Err() != nil
}

// cost is how many gradients a second come from outside, and the share of the time that the
// lane waits for them.
func (o *outside[F]) cost() (rate, share float64) {
	n, waited := o.Asked()
	busy := max(o.busy, waited).Seconds()
	if busy == 0 {
		return 0, 0
	}
	return float64(n) / busy, waited.Seconds() / busy
}

func (l *lane[F]) Under(step, end context.Context) {
	if l.outside != nil {
		l.outside.under(step, end)
	}
}
