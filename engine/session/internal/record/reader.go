package record

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
)

// A Reader reads the records of a lane of either arithmetic.
type Reader interface {
	// Watch says what is looked at. It is called only where somebody looks.
	Watch(w engine.Watch)
	// Follow says whether View takes the newest step apart, from here on.
	Follow(on bool)
	// View is the lane as it is shown, while it runs or stands still. worker works out what takes long. It may be nil.
	View(running bool, worker *beside.Worker) engine.LaneView
	// Discrepancy is what is shown of the Stein discrepancy, given what can be trusted of the lane's chain. It also returns what is
	// to be worked out since the last view.
	Discrepancy(chain metrics.Status, running bool) (stein.LaneCurve, []*stein.Task)
	predict.Source
	// RecentDraws are the newest draws, or what the lane predicts by in their place: its newest state, or the proxies that stand for
	// it. Those are renewed at most every predict.Every while the session runs. They are nil for a lane that has diverged or holds
	// none.
	RecentDraws(running bool) *predict.Recent[float32]
	// Settle waits for the evaluation of the draws so far.
	Settle()
	// Finish evaluates the newest state of a lane that predicts by it, unless that was done for a point of the curves.
	Finish()
	// Enough reports whether the draws are what u wants, by the numbers that Result would have.
	Enough(u quantity.Until) bool
	// Result is the end of the lane: what it was, and its quantities.
	Result() engine.LaneResult
	// Newest copies the newest draws of each chain.
	Newest() []engine.Draws
	// NewestTheta is θ of the first chain. The caller does not change it.
	NewestTheta() engine.NewestTheta
	// Predicted are the predictions of consecutive parts of the chain, if they are kept. They are nil for a lane that has diverged.
	Predicted() *predict.Kept
	// Digest is that of the present states.
	Digest() engine.Digest
}
