// Package lane runs a sampler's chains on a target.
//
// How it works. Advance is one loop of steps (run.go), in which one of three steppers makes them (joint.go): one chain
// after the other, all chains side by side and many steps at a time, or on a target outside of the process, where a
// step whose gradient fails is taken back. One state in so many is kept as a draw: what is kept and read of draws is
// package record's. A setting that changes (lane.go) opens a new window of statistics. To go back, the lane restores a
// checkpoint and steps on from there, with the settings that were in force (travel.go). A [Copy] is one of its state,
// for a keyframe. Whoever has the [Runner] makes one call at a time. No step allocates.
package lane

import (
	"context"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/measure"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A Runner is a lane of either arithmetic.
type Runner interface {
	// Advance runs n steps, or fewer if the lane diverges, its sink fails or it is interrupted.
	Advance(n uint64)
	// Under sets the contexts by which gradients from outside of the process end: step ends those of a step, and end
	// all.
	Under(step, end context.Context)
	// Rewind goes back to the state after a step and draws on from there.
	Rewind(step uint64)
	// Change puts a setting in force from the next step on, which opens a new window of statistics. In the gesture of
	// the change before, the window before that stays the one to compare with.
	Change(set state.Setting, inGesture bool)
	// Compare has the draws compared as a Config on its target, whose chains are the lane's, asks for.
	Compare(cfg state.Config, p *targets.Problem)
	// Share says how many cores the lane may use. No bit of a result depends on their number.
	Share(cores int)
	// Standing is where the lane stands.
	Standing() Standing
	// Measures are what is read of its draws.
	Measures() measure.Reader
	// Copy copies the lane's state. It waits for the evaluation of the draws.
	Copy() Copy
	// Restore makes the lane what a copy holds, which fits it.
	Restore(from Copy)
	// Close ends the lane's goroutines. The lane must not be used after it.
	Close()
}

// A Standing is where a lane stands.
type Standing struct {
	Setting       state.Setting // in force
	Step          uint64        // the number of the newest step
	Odometer      uint64        // steps executed, which a rewind does not turn back
	Seconds       float64       // of sampling, without evaluation, by the wall clock
	Busy          float64       // seconds of them that the lane was busy, by which rates and races go
	StepsPerEpoch float64       // N/n
	Diverged      *state.Divergence
	Err           error // of a sink or of the evaluation
	Interrupted   bool  // in the newest chunk of steps
	Evaluating    bool  // draws, for which Copy would wait

	Samples     bool   // it has not diverged, and its sampler injects noise
	PerChain    uint64 // draws of the window that each chain has
	UntilLook   uint64 // steps to the next look at the draws for Config.Until, where each draw that falls due is kept
	RecentSteps uint64 // that the recent draws are of
	// Digests are those after 1024 steps executed and at every doubling.
	Digests []engine.Digest
}

// A Copy is a lane's state at a step: its part of a keyframe.
type Copy interface {
	Bytes() int // without what keyframes share: checkpoints and kept draws
	// BytesBeyond is what these take that another copy, or nil, has not.
	BytesBeyond(other Copy) int
	Setting() state.Setting
	// Fits reports whether a lane on the same target can be made what the copy holds: one on another seed draws other
	// noise.
	Fits(r Runner) bool
}

// A Plan is a lane to be made.
type Plan struct {
	Config  state.Config
	Problem *targets.Problem
	ID      int
	Setting state.Setting
	Sink    engine.SinkFor // nil for none
	Asked   record.Asked   // but for the sinks, which Prepare makes

	starts [][]float64 // of the chains
}

// Prepare does all that may fail in making the lane.
func (p *Plan) Prepare() error {
	if p.Problem.Turns() {
		p.Setting = p.Setting.On(p.Problem)
	}
	n := p.Config.ChainCount()
	for k := range n {
		if p.Sink != nil {
			to, err := p.Sink(engine.ChainID{Lane: p.ID, Chain: k, Chains: n}, p.Problem, p.Setting)
			if err != nil {
				return err
			}
			p.Asked.Sinks = append(p.Asked.Sinks, to)
		}
		start, err := p.Config.Start(p.Problem, k)
		if err != nil {
			return err
		}
		p.starts = append(p.starts, start)
	}
	return nil
}

// New makes a lane at step 0 by a plan that is prepared.
func New(plan Plan) Runner {
	if t := plan.Problem.F32; t != nil {
		return newLane(plan, t)
	}
	return newLane(plan, plan.Problem.F64)
}
