package lane

import (
	"context"
	"errors"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
)

// outside steps a lane on a target outside of the process, whose gradients take long and may fail. Its chains make
// each step together or not at all. A step whose gradient fails is taken back, and the lane stops there. One that is
// interrupted, since a command waits, is taken back too, and made again after the command.
type outside[F sampler.Float] struct {
	targets.Outside[F] // of the lane alone
	lane               *lane[F]
	step, end          context.Context // interrupt a step, and anything
	before             []stepped[F]    // of each chain
}

// stepped is what a step changes of a chain.
type stepped[F sampler.Float] struct {
	state     sampler.State[F]
	info      sampler.Info
	observed  trace.Observed
	gradients uint64
}

func (l *lane[F]) Under(step, end context.Context) {
	if o := l.outside; o != nil {
		o.step, o.end = step, end
		o.Under(end)
	}
}

// hold remembers the chains as they are before a step.
func (o *outside[F]) hold() {
	for k, c := range o.lane.Chains {
		b := &o.before[k]
		b.state.Copy(&c.State)
		b.info, b.observed, b.gradients = c.Info, c.Observed, c.Gradients
	}
}

// takeBack puts the chains back to where hold found them.
func (o *outside[F]) takeBack() {
	for k, c := range o.lane.Chains {
		b := &o.before[k]
		c.State.Copy(&b.state)
		c.Info, c.Observed, c.Gradients = b.info, b.observed, b.gradients
	}
}

// steps makes one step in every chain, or takes it back.
func (o *outside[F]) steps(uint64) (done uint64, bad *record.Chain[F]) {
	l := o.lane
	o.hold()
	if !l.Setting.Schedule.Constant() {
		l.Params.Eps = l.EpsAt(l.Step())
	}
	o.Under(o.step)
	defer o.Under(o.end) // a draw may take a gradient, and is not taken twice
	for k, c := range l.Chains {
		c.Kernel.Step(&c.State, &c.Grad, &l.Params, c.Noise, &c.Info)
		if err := o.Err(); err != nil {
			o.takeBack()
			if o.step.Err() == nil || !errors.Is(err, o.step.Err()) {
				o.fail(k, err)
			}
			return 0, nil
		}
		if c.Observed.On {
			c.Observed.Add(&c.Info)
		}
		if !c.Info.OK {
			return 1, c
		}
	}
	return 1, nil
}

// check stops the lane where a draw's gradient has failed.
func (o *outside[F]) check() {
	if err := o.Err(); err != nil && o.end.Err() == nil {
		o.fail(0, err)
	}
}

// fail stops the lane at the next step of a chain, for which no gradient came.
func (o *outside[F]) fail(chain int, err error) {
	l := o.lane
	l.records.Flush()
	l.Diverged = &engine.Divergence{Step: l.Step() + 1, Chain: chain, Eps: l.Setting.Eps(), Failed: err.Error()}
}

// interrupted reports whether the newest chunk of steps was.
func (l *lane[F]) interrupted() bool {
	return l.outside != nil && l.Diverged == nil && l.outside.step.Err() != nil
}
