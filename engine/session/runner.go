package session

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

// runner is a lane of either arithmetic.
type runner interface {
	// advance runs n steps, or fewer if the lane diverges, its sink fails or it is interrupted.
	advance(n uint64)
	// under has gradients from outside of the process end with the contexts: with step those of
	// a step, and with end any.
	under(step, end context.Context)
	interrupted() bool
	// tweak puts a setting in force from the next step on, which opens a new window of
	// statistics.
	tweak(set engine.Lane)
	// tweakOn is tweak within the gesture of the tweak before: the window before that stays
	// the one to compare with.
	tweakOn(set engine.Lane)
	// follow prepares the view to take the newest step apart, from here on.
	follow(on bool)
	// rewind goes back to the state after a step and draws on from there.
	rewind(step uint64)
	// watch says what is looked at. It is called only where somebody looks.
	watch(w engine.Watch)
	view(running bool, by *beside.Worker) engine.LaneView
	// discrepancyView is what is shown of the Stein discrepancy, and what is to be worked out of it.
	discrepancyView(chain metrics.Status, running bool) (stein.Lane, []*stein.Task)
	result() engine.LaneResult
	newest() []engine.Draws
	newestTheta() engine.NewestTheta
	predict.Source
	// holdRecent begins to hold the newest draws, and recentDraws returns them.
	holdRecent()
	recentDraws(running bool) *predict.Recent[float32]
	// keepParts keeps the predictions of consecutive parts of the chain, and predicted returns them.
	keepParts()
	predicted() *predict.Kept
	setting() engine.Lane
	step() uint64
	odo() uint64
	seconds() float64
	stepsPerEpoch() float64
	digests() []engine.Digest
	digest() engine.Digest
	diverged() *engine.Divergence
	err() error
	// share says how many cores the lane may use.
	share(cores int)
	// samples, perChain, untilLook and enough are for Config.Until.
	samples() bool
	perChain() uint64
	untilLook() uint64
	enough(u quantity.Until) bool
	// finish evaluates the newest state of a lane that predicts by it.
	finish()
	// settle waits for the evaluation of the draws so far.
	settle()
	close()
	// frame copies the lane's state, and restore puts a restorable copy back.
	frame() laneFrame
	evaluating() bool // draws; frame waits for that
	restorable(from laneFrame) bool
	restore(from laneFrame)
	// recentSteps is how many steps the lane's recent draws are of.
	recentSteps() uint64
}

// newRunner makes a lane at step 0.
func newRunner(cfg engine.Config, p *targets.Problem, plan planned) runner {
	if p.F32 != nil {
		return newLane(cfg, p, p.F32, plan)
	}
	return newLane(cfg, p, p.F64, plan)
}

var _ runner = (*lane[float64])(nil)
