package engine

import (
	"slices"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/targets"
)

// Snapshot is a session at a time. It is never changed once it is published, and shares
// no memory that the session changes.
type Snapshot struct {
	Version   uint64       // grows with each snapshot
	Applied   uint64       // serial of the newest command that was applied or refused
	Config    state.Config // with the lanes' present settings
	Problem   *targets.Problem
	Phase     state.Phase
	StepsLeft uint64  // of a StepBy under way; the phase is Paused then too
	Speed     float64 // limit in steps a second, 0 for none
	Cut       float64 // the part of Speed that a governor takes away, 0 for none
	Rate      float64 // steps a second, of all chains of all lanes
	Lanes     []LaneView
	Marks     []state.Mark
	Notice    Notice // the newest thing to tell the user
	CanUndo   bool
	CanRedo   bool
	CanReturn bool // there is a session to return to
	// Predictions are of single test images, the most disputed first. There are some
	// only if they are watched and the target has a test set.
	Predictions []predict.Prediction
	// Shift is the lanes' predictions of shifted test images, nil for a target without
	// images. While a shift is on, Predictions keeps its order.
	Shift *predict.ShiftView
	// Discrepancy is each lane's kernel Stein discrepancy from the target, nil unless it is watched.
	Discrepancy *stein.View
	// Check is what watched draws are found to be, nil where nobody says of which method they are.
	Check *Check
	// Comparing says that chains are compared beside the sampling, and that the next snapshot may have more of that.
	Comparing bool
	// Replaying is how many events are still ahead.
	Replaying int
	Tape      Tape
}

// Settled reports whether nothing is being worked out any more for lanes that stand still: the next snapshot has all.
// What is compared is as of the snapshot.
func (s *Snapshot) Settled() bool {
	return s.Shift.Settled() && s.Discrepancy.Settled() && !s.Comparing
}

// State is the state of the session as far as the snapshot shows it: without what can be undone.
func (s *Snapshot) State() state.State {
	to := state.State{Config: s.Config, Problem: s.Problem, Marks: s.Marks, Mode: state.Mode{
		Phase: s.Phase, Paused: s.Phase == state.Paused, StepBy: s.StepsLeft, Speed: s.Speed, Seeking: s.Tape.Seeking, To: s.Tape.To,
	}}
	if s.Shift != nil {
		to.Mode.Shift = s.Shift.Asked
	}
	for i := range s.Lanes {
		v := &s.Lanes[i]
		to.Mode.Watch = state.Watch{X: v.Watch[0], Y: v.Watch[1], Principal: v.Principal}
		to.Lanes = append(to.Lanes, state.Lane{ID: v.ID, Setting: v.Setting, Place: state.Place{Step: v.Step, Seconds: v.Seconds, Diverged: v.Diverged}})
	}
	return to
}

// IndexOf is the index of the lane with an ID, -1 if there is none.
func (s *Snapshot) IndexOf(id int) int {
	return slices.IndexFunc(s.Lanes, func(v LaneView) bool { return v.ID == id })
}

// LaneView is a lane in a snapshot: the window at hand, where the lane stands, and what is drawn of it.
type LaneView struct {
	Window

	ID       int // 0 to 3: A to D
	Title    string
	Kind     sampler.Kind
	Facts    quantity.Facts
	Step     uint64
	Executed uint64
	Kept     uint64 // draws in all
	Scored   uint64 // of Kept, those that do not wait for their evaluation
	Burning  bool   // still in the burn-in
	Eps      float64
	Temp     float64 // the T in force
	Seconds  float64 // that it was busy with sampling
	Epoch    float64 // NaN without data
	// BiasUnknown says that standard errors are the chain's own, and that nothing tells of the bias of its step.
	BiasUnknown bool
	// ConstantLoss is that of a constant prediction, where the lane's loss has stayed at it or above, else 0. StartLoss
	// is that of where the window began, where the lane has lost half of what was learnt then, else 0.
	ConstantLoss, StartLoss float64

	Farthest *Farthest // off the truth; nil where nothing is known

	Diverged *state.Divergence
	Previous *Window // before the last change
	// Periods are the settings that have led to where the lane stands, the first at step 0, in
	// the order of their steps. Rewinds have taken back those behind them.
	Periods []Period
	// Begun is the target with which its start was found, before its parameters were turned.
	Begun *targets.Problem

	// The watched coordinates, or the draws' principal directions.
	Watch     [2]int
	Principal bool
	Names     [2]string
	Coords    [2]Coord
	Slowest   string     // name of the coordinate with the largest τ
	Now       [2]float64 // where the chain stands
	Motion    *Motion    // the newest step in its parts, while steps come slowly; nil if not known
	Local     [2]float64 // √(T ε G), or the method's own: standard deviation of the next step's noise; 0 where θ gets none
	TrailX    []float64  // newest draws, oldest first
	TrailY    []float64
	Chains    []ChainView // of a lane of several
	// Every says that the trails have one of so many draws; 0 where they are the newest as they came.
	Every uint64
	// Thinned are draws of each chain that reach as far back as its autocorrelation asks for; nil where the
	// newest draws do.
	Thinned []Trail
	// RanksEvery says that one of so many draws is ranked, for R-hat, bulk and tail ESS and rank
	// plots of several chains; 0 where none is.
	RanksEvery uint64
	Trace      Trace
	Rows       []CoordRow // of many coordinates, only if watched
	Needed     uint64     // draws that the window needs at least until it is trusted; 0 where that is not known
	// Passage is the states of the burn-in, or of a method's own warm-up, oldest first,
	// which count in no statistic. It is nil once there is a draw.
	Passage [2][]float64
	// PassageLoss is the loss a datum of the minibatches on the way, of a network, and
	// PassageSteps are the steps that took them.
	PassageSteps, PassageLoss []float64
	Cov                       [3]float64   // var x, cov xy, var y of the window's draws; NaN if not known
	TrueCov                   [3]float64   // the same of the truth
	ACF                       [2][]float64 // at lag 0 and on, ACFEvery lags apart
	ACFEvery                  [2]int

	Reliability []predictive.Bin // of the test set, or of the training set without one
	Weights     []LayerView      // only if watched
	Function    *FunctionView    // of draws that are functions, only if watched
	// Enough is how many draws the window needs in all by what is known now, until Config.Until holds of the lane; 0
	// where that is not known.
	Enough uint64
	// Left is the time in seconds that the lane needs to its limit. It is NaN without a
	// limit or before the lane's speed is known.
	Left    float64
	History []Point
}

// Trace is the path of all chains in the watched coordinates over the whole run, in bins of
// draws. Principal directions have none.
type Trace struct {
	Steps  []uint64 // the last step of each bin, oldest first
	Coords [2]TraceBins
	// Last is the step of the newest draw. The newest Even draws of each chain lie Every steps apart.
	Last, Every uint64
	Even        int
}

// TraceBins is a trace in a coordinate: of each bin the least and the greatest value, and the
// mean of the window's draws up to its end.
type TraceBins struct{ Lo, Hi, Mean []float64 }

// ChainView is one of several chains of a lane, in the watched coordinates.
type ChainView struct {
	Now            [2]float64
	TrailX, TrailY []float64 // newest draws, oldest first
	// Ranks counts the chain's draws by their rank among the draws of all chains, in bins
	// of equal width. It is nil without draws.
	Ranks [2][]int
}

// Trail is draws of a chain in the watched coordinates, oldest first.
type Trail struct {
	X, Y []float64
	// Every says that one of so many draws of the window is there. The newest is the last whose number,
	// from 1 on, is a multiple of it.
	Every uint64
}

// RowQuantiles are the levels of a CoordRow's quantiles.
var RowQuantiles = [4]float64{0.025, 0.25, 0.75, 0.975}

// CoordRow is a coordinate among others, over the window.
type CoordRow struct {
	At        int // its place among those that can be watched
	Name      string
	Values    quantity.CoordValues
	Quantiles [4]metrics.Estimate
	// Draws are kept draws of all chains, one after the other, at the same places in each row that has them: that of the
	// first watched coordinate, or what comes before it at the end of the page, and of PairedRows in all.
	Draws []float64
}

// PairedRows is how many rows of a lane have draws.
const PairedRows = 6

// Farthest is the coordinate of which mean or sd is farthest off the truth, in standard errors.
type Farthest struct {
	Name   string
	Of     quantity.CoordID // Mean or SD
	Off    metrics.Estimate // see [quantity.CoordValues.OffTruth]
	TrueSD float64
}

// Coord is one coordinate over the window.
type Coord struct {
	Values quantity.CoordValues
	Rough  metrics.Estimate // τ of 50 draws or more without the demand for 150 τ, to be marked as such
}

// Window is what is measured of the draws between two changes.
type Window struct {
	Start   uint64 // the step
	Draws   uint64
	Setting state.Setting
	Values  quantity.Values
	Trust   quantity.Trust // of what is not in Values: the covariance, the means
}

// Motion is the newest step of a lane in the watched coordinates, in its two parts: θ moves from From by Drift, which
// is the step that T = 0 would have made there with the same minibatch, and then by the noise, to LaneView.Now.
type Motion struct {
	From, Drift [2]float64
}

// Point is one point of a lane's curves.
type Point struct {
	Step    uint64
	Epoch   float64 // passes over the data; NaN without data
	Seconds float64 // that the lane was busy; the only field that differs from run to run
	Draws   uint64  // in the window

	Eps  float64
	X, Y float64 // the first two coordinates of the newest draw

	Values quantity.Point
}

// Of is a charted quantity at the point, NaN where it cannot be trusted.
func (p *Point) Of(id quantity.ID) float64 {
	v, _ := p.Values.Of(id)
	return v
}

// LayerView is the state of one layer of a network, or of all of θ for a target without layers.
type LayerView struct {
	Name  string
	N     int
	Theta Bins // of the parameters
	Gain  Bins // of log₁₀ of the preconditioner G; without counts where G is 1
	SD    float64
}

// Bins is a histogram of equal bins from Lo to Hi.
type Bins struct {
	Lo, Hi float64
	Counts []uint32
}

// NewestTheta is where a lane stands at the end, in the arithmetic in which it was sampled: one of F32 and F64 is set.
// Of a lane that diverged it is the last θ that could be used, of a variational family a draw of its newest member, and
// of a distilled student its teacher.
type NewestTheta struct {
	Lane, Sampler string
	F32           []float32
	F64           []float64
	Layers        []targets.Layer // which part is what; nil for a target without layers
}

// A Period is a setting and the step of its lane from which it is in force. With Begins its
// method starts there, without the state of an earlier one.
type Period struct {
	Step    uint64
	Setting state.Setting
	Begins  bool
}

// FunctionQuantiles are the levels of a FunctionView's quantiles.
var FunctionQuantiles = [5]float64{0.05, 0.25, 0.5, 0.75, 0.95}

// FunctionView is a window's draws as functions, a number for each of the target's places.
type FunctionView struct {
	Mean, SD  []float64
	Quantiles [5][]float64
	Newest    [][]float64 // draws of the first chain, oldest first
}

// A Notice is the newest thing to tell the user. Serial tells a repeated one from an old one.
type Notice struct {
	Serial  uint64
	Applied uint64     // how many commands the session had done when it told this
	Fact    state.Fact // nil before there is anything to tell
}

// Err is why something was refused or has failed, nil for any other fact.
func (n Notice) Err() error {
	switch f := n.Fact.(type) {
	case state.Refused:
		return f.Err
	case state.ReplayEnded:
		return f.Err
	}
	return nil
}

// Tape is where a session stands in its past and future. A place counts the steps that the furthest lane has executed.
// Unlike a lane's step it does not go back at a rewind or a restart.
type Tape struct {
	At, End uint64
	Events  []LoggedCommand // the commands that changed numbers, or will
	Done    int             // of Events, those that are done
	Seeking bool            // on the way to To
	To      uint64
}

// A LoggedCommand is an event on a tape, at its place. Lane is the ID of the lane that it is for, or AllLanes.
type LoggedCommand struct {
	At   uint64
	Lane int
	state.Event
}

// Place implements timeline.Entry.
func (t LoggedCommand) Place() uint64 { return t.At }

// Logged puts a script's events at their places on the tape of a session that begins with so many lanes.
func Logged(lanes int, script []state.Event) []LoggedCommand {
	all := make([]LoggedCommand, len(script))
	at, from := uint64(0), make([]uint64, lanes)
	ids := make([]int, lanes)
	for i := range ids {
		ids[i] = i
	}
	for k, e := range script {
		at += state.Furthest(from, e.At)
		all[k] = LoggedCommand{At: at, Lane: state.LaneOf(e.Command, ids), Event: e}
		ids, from = e.After(ids)
	}
	return all
}
