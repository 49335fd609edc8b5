// Package measure reads what package record keeps of a lane's draws.
//
// How it works. Each statistic has a reader, which works it out of what is kept when it is asked for, and keeps the
// result until draws come. [Measures] has all of them. It is a [quantity.Source], and makes the lane's
// [engine.LaneView] and its [engine.LaneResult] of what that says. The points of the curves are made as draws are
// kept, so that the curve is a [record.Witness].
//
// A new statistic is a file with a reader, and a line in [New].
package measure

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/distance"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
)

// A Reader reads the records of a lane of either arithmetic.
type Reader interface {
	// Watch says what is looked at. It is called only where somebody looks.
	Watch(w state.Watch)
	// Follow says whether View takes the newest step apart, from here on.
	Follow(on bool)
	// View is the lane as it is shown, while it runs or stands still. worker works out what takes long. It may be nil.
	View(running bool, worker *beside.Worker) engine.LaneView
	// Discrepancy is what is shown of the Stein discrepancy, given what can be trusted of the lane's chain. It also
	// returns what is to be worked out since the last view.
	Discrepancy(chain metrics.Status, running bool) (stein.LaneCurve, []*stein.Task)
	predict.Source
	// RecentDraws are the newest draws, or what the lane predicts by in their place: its newest state, or the proxies
	// that stand for it. Those are renewed at most every predict.Every while the session runs. They are nil for a
	// lane that has diverged or holds none.
	RecentDraws(running bool) *predict.Recent[float32]
	// Settle waits for the evaluation of the draws so far.
	Settle()
	// Finish evaluates the newest state of a lane that predicts by it, unless that was done for a point of the curves.
	Finish()
	// Enough reports whether the draws are what u wants, by the numbers that Result would have.
	Enough(u quantity.Until) bool
	// Result is the end of the lane: what it was, and its quantities. Of a session that was interrupted fewer draws are
	// ranked.
	Result(interrupted bool) engine.LaneResult
	// Newest copies the newest draws of each chain.
	Newest() []engine.Draws
	// NewestTheta is θ of the first chain. The caller does not change it.
	NewestTheta() engine.NewestTheta
	// Predicted are the predictions of consecutive parts of the chain, if they are kept. They are nil for a lane that
	// has diverged.
	Predicted() *predict.Kept
	// Digest is that of the present states.
	Digest() engine.Digest
}

// Measures are all that is read of a lane.
type Measures[F sampler.Float] struct {
	*kept[F]
	*slow[F]
	*truth[F]
	*discrepancy[F]
	*extremes[F]
	*function[F]
	curve   *curve[F]
	rows    *rows[F]
	weights *weights[F]
	motion  *motion[F]
	readers []reader // all of these but the curve

	x, y      int  // watched, as places in Tracked
	principal bool // the principal directions are shown in their place

	constant func() float64 // see constantLoss
}

// kept is what there is to read.
type kept[F sampler.Float] struct {
	*record.Records[F]
	pool    metrics.Chains    // the chains' moments
	keepers []*metrics.Keeper // of the chains
	now     agreement.Moment  // for which something is read, but for its counts of draws

	// What points of the curves rest on, in the window.
	trusted pointTrust
	reached distance.Found
}

// A reader works out something of what is kept.
type reader interface {
	// forget drops what was worked out of draws that are gone.
	forget()
}

// New makes the records of a run and what reads them, see [record.New].
func New[F sampler.Float](run *record.Run[F], stream int, asked record.Asked) *Measures[F] {
	k := &kept[F]{}
	m := &Measures[F]{kept: k, y: min(1, run.Target.Dim()-1), constant: constantLoss(run.Target)}
	m.curve = &curve[F]{kept: k, all: m, history: trace.NewHistory()}
	k.Records = record.New(run, stream, asked, m.curve)
	for _, c := range run.Chains {
		k.pool, k.keepers = append(k.pool, c.Stats), append(k.keepers, c.Keeper)
	}
	m.truth, m.extremes, m.function = newTruth(k), &extremes[F]{kept: k}, &function[F]{kept: k}
	m.slow = newSlow(k, m.truth, m.extremes)
	m.discrepancy = &discrepancy[F]{kept: k, source: m}
	m.rows, m.weights, m.motion = &rows[F]{kept: k}, &weights[F]{kept: k}, &motion[F]{kept: k}
	m.readers = []reader{m.slow, m.truth, m.extremes, m.function, m.discrepancy, m.rows, m.weights, m.motion}
	m.forget()
	return m
}

func (m *Measures[F]) forget() {
	for _, r := range m.readers {
		r.forget()
	}
}

// moment is the moment for which something is read.
func (k *kept[F]) moment() agreement.Moment {
	at := k.now
	at.Draws, at.Kept = k.Window.Draws, k.Kept
	return at
}

// ranks reports whether there are numbers in which chains can be compared.
func (k *kept[F]) ranks() bool { return k.Converges() || !k.NewestAlone() }

// Turned tells that the target has other values of its parameters, or another truth.
func (m *Measures[F]) Turned() {
	m.truth.turned()
	m.reached = distance.Found{}
	m.forget()
}

func (m *Measures[F]) Watch(w state.Watch) {
	n := len(m.Tracked) - 1
	m.x, m.y = min(max(w.X, 0), n), min(max(w.Y, 0), n)
	m.discrepancy.Watch(w.Discrepancy)
	m.principal, m.weights.shown, m.Passage.Shown, m.rows.shown = w.Principal, w.Weights, true, w.Rows
	m.function.shown = !w.NoFunction
}

// minWindow is how many draws the window before has at least. A parameter that is turned by several notches so
// compares the first with the last.
const minWindow = 100

// CloseWindow makes the window the one before, unless it is too short to compare with. A lane that runs waits for it.
func (m *Measures[F]) CloseWindow() {
	if m.Window.Before == nil || m.Window.Draws >= minWindow {
		m.Flush()
		defer m.whole(m.atEnd())()
		m.Window.Before = new(m.window(quantity.Of(m)))
	}
}

// Close ends what runs beside the lane.
func (m *Measures[F]) Close() {
	m.discrepancy.Close()
	if e := m.Evaluator(); e != nil {
		e.Close()
	}
}
