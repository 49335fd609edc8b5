// Package lane runs a sampler's chains on a target, with the statistics of their draws.
//
// How it works. A lane steps its chains (run.go), side by side and many steps at a time where it
// can (joint.go). A step whose gradient from outside of the process fails is taken back
// (outside.go). Silent companions of the first chain tell the bias of the step size (companions.go).
// One state in so many is kept as a draw, in a window of statistics (statistics.go). All that is
// measured is read of the draws (measure.go, which makes the lane a [quantity.Source]). A setting
// that changes (change.go) opens a new window. To go back, the lane restores a checkpoint and steps
// on from there, with the settings that were in force (travel.go). A [Copy] is one of its state,
// for a keyframe (state.go). What is seen of it is an [engine.LaneView] (view.go). Whoever has the
// [Runner] makes one call at a time. No step allocates.
package lane

import (
	"context"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// A Runner is a lane of either arithmetic.
type Runner interface {
	// Advance runs n steps, or fewer if the lane diverges, its sink fails or it is interrupted.
	Advance(n uint64)
	// Under sets the contexts by which gradients from outside of the process end: step ends those
	// of a step, and end all.
	Under(step, end context.Context)
	// Interrupted reports whether the lane was interrupted in its newest chunk of steps.
	Interrupted() bool
	// Rewind goes back to the state after a step and draws on from there.
	Rewind(step uint64)
	// Share says how many cores the lane may use. No bit of a result depends on their number.
	Share(cores int)
	// Step is the number of the newest step.
	Step() uint64
	// Odometer is how many steps were executed, which a rewind does not turn back.
	Odometer() uint64
	// Seconds is how long the lane has sampled, without evaluation.
	Seconds() float64
	// StepsPerEpoch is N/n.
	StepsPerEpoch() float64
	// Diverged says where and why the lane has stopped. It is nil for one that goes on.
	Diverged() *engine.Divergence
	// Err is what its sink or its evaluation has failed with.
	Err() error

	// Setting is the setting in force.
	Setting() engine.Setting
	// Change puts a setting in force from the next step on, which opens a new window of
	// statistics.
	Change(set engine.Setting)
	// ChangeInGesture is Change within the gesture of the change before: the window before that stays
	// the one to compare with.
	ChangeInGesture(set engine.Setting)

	// Watch says what is looked at. It is called only where somebody looks.
	Watch(w engine.Watch)
	// Follow says whether View takes the newest step apart, from here on.
	Follow(on bool)
	// View is the lane as it is shown, while it runs or stands still. by works out what takes
	// long. It may be nil.
	View(running bool, by *beside.Worker) engine.LaneView
	// Discrepancy is what is shown of the Stein discrepancy, given what can be trusted of the
	// lane's chain. It also returns what is to be worked out since the last view.
	Discrepancy(chain metrics.Status, running bool) (stein.LaneCurve, []*stein.Task)
	predict.Source
	// HoldRecent begins to hold the newest draws.
	HoldRecent()
	// RecentDraws are the newest draws, or what the lane predicts by in their place. They are nil
	// for a lane that has diverged or that holds none.
	RecentDraws(running bool) *predict.Recent[float32]
	// RecentSteps is how many steps the recent draws are of.
	RecentSteps() uint64

	// Samples reports whether the lane samples now: it has not diverged, and its sampler injects
	// noise.
	Samples() bool
	// PerChain is how many draws of the window each chain has.
	PerChain() uint64
	// UntilLook is how many steps there are to the next look at the draws for Config.Until, where
	// each draw that falls due is kept.
	UntilLook() uint64
	// Enough reports whether the draws are what u wants, by the numbers that Result would have.
	Enough(u quantity.Until) bool
	// Finish evaluates the newest state of a lane that predicts by it, unless that was done for a
	// point of the curves.
	Finish()
	// Settle waits for the evaluation of the draws so far.
	Settle()
	// Result is the end of the lane: what it was, and its quantities.
	Result(interrupted bool) engine.LaneResult
	// Newest copies the newest draws of each chain.
	Newest() []engine.Draws
	// NewestTheta is θ of the first chain. The caller does not change it.
	NewestTheta() engine.NewestTheta
	// KeepParts begins to keep the predictions of consecutive parts of the chain.
	KeepParts()
	// Predicted are the predictions that KeepParts has kept. They are nil for a lane that has diverged.
	Predicted() *predict.Kept
	// Digest is that of the present states.
	Digest() engine.Digest
	// Digests are those after 1024 steps executed and at every doubling.
	Digests() []engine.Digest
	// Close ends the lane's goroutines. The lane must not be used after it.
	Close()

	// Copy copies the lane's state. It waits for the evaluation of the draws.
	Copy() Copy
	// Evaluating reports whether draws are being evaluated, for which Copy would wait.
	Evaluating() bool
	// Restorable reports whether the lane can be made what a copy holds: one on another seed
	// draws other noise.
	Restorable(from Copy) bool
	// Restore makes the lane what a copy holds. The copy must be of such a lane: on the same
	// target, and with its noise.
	Restore(from Copy)
}

// A Plan is a lane to be made.
type Plan struct {
	Config  engine.Config
	Problem *targets.Problem
	ID      int
	Setting engine.Setting
	Sink    engine.SinkFor // nil for none
	Poke    func()         // is called where what runs beside the lane has done something

	starts [][]float64   // of the chains
	sinks  []engine.Sink // of the chains; nil without
}

// Prepare does all that may fail in making the lane.
func (p *Plan) Prepare() error {
	if len(p.Problem.Params) > 0 {
		p.Setting = p.Setting.On(p.Problem)
	}
	n := p.Config.ChainCount()
	for k := range n {
		if p.Sink != nil {
			to, err := p.Sink(engine.ChainID{Lane: p.ID, Chain: k, Chains: n}, p.Problem, p.Setting)
			if err != nil {
				return err
			}
			p.sinks = append(p.sinks, to)
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

var _ Runner = (*lane[float64])(nil)
