// Package lane runs a sampler's chains on a target, with the statistics of their draws.
//
// How it works. A lane steps its chains (run.go, and joint.go many at a time), keeps one state in
// so many as a draw (statistics.go), and reads of the draws all that is measured (measure.go, which
// makes it a [quantity.Source]). A setting that changes opens a new window of statistics (travel.go).
// What it needs to go back to where it was is a [Frame], a copy of its state (state.go). What is
// seen of it is an [engine.LaneView] (view.go). Whoever has the [Runner] makes one call at a time.
// No step allocates.
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
	// Under has gradients from outside of the process end with the contexts: with step those of
	// a step, and with end any.
	Under(step, end context.Context)
	Interrupted() bool
	// Tweak puts a setting in force from the next step on, which opens a new window of
	// statistics.
	Tweak(set engine.Lane)
	// TweakOn is tweak within the gesture of the tweak before: the window before that stays
	// the one to compare with.
	TweakOn(set engine.Lane)
	// Follow prepares the view to take the newest step apart, from here on.
	Follow(on bool)
	// Rewind goes back to the state after a step and draws on from there.
	Rewind(step uint64)
	// Watch says what is looked at. It is called only where somebody looks.
	Watch(w engine.Watch)
	View(running bool, by *beside.Worker) engine.LaneView
	// Discrepancy is what is shown of the Stein discrepancy, and what is to be worked out of it.
	Discrepancy(chain metrics.Status, running bool) (stein.Lane, []*stein.Task)
	Result() engine.LaneResult
	Newest() []engine.Draws
	NewestTheta() engine.NewestTheta
	predict.Source
	// HoldRecent begins to hold the newest draws, and RecentDraws returns them.
	HoldRecent()
	RecentDraws(running bool) *predict.Recent[float32]
	// KeepParts keeps the predictions of consecutive parts of the chain, and Predicted returns them.
	KeepParts()
	Predicted() *predict.Kept
	Setting() engine.Lane
	Step() uint64
	Odometer() uint64
	Seconds() float64
	StepsPerEpoch() float64
	Digests() []engine.Digest
	Digest() engine.Digest
	Diverged() *engine.Divergence
	Err() error
	// Share says how many cores the lane may use.
	Share(cores int)
	// Samples, PerChain, UntilLook and Enough are for Config.Until.
	Samples() bool
	PerChain() uint64
	UntilLook() uint64
	Enough(u quantity.Until) bool
	// Finish evaluates the newest state of a lane that predicts by it.
	Finish()
	// Settle waits for the evaluation of the draws so far.
	Settle()
	Close()
	// Frame copies the lane's state, and Restore puts a restorable copy back.
	Frame() Frame
	Evaluating() bool // draws; Frame waits for that
	Restorable(from Frame) bool
	Restore(from Frame)
	// RecentSteps is how many steps the lane's recent draws are of.
	RecentSteps() uint64
}

// A Plan is a lane to be made.
type Plan struct {
	Config  engine.Config
	Problem *targets.Problem
	ID      int
	Setting engine.Lane
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
			to, err := p.Sink(engine.Place{Lane: p.ID, Chain: k, Chains: n}, p.Problem, p.Setting)
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
