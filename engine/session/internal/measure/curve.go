package measure

import (
	"cmp"
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/distance"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/targets"
)

// curve is the witness that makes the points of the lane's curves.
type curve[F sampler.Float] struct {
	record.Plain
	kept    *kept[F]
	all     *Measures[F]
	history trace.History
	// unscored are points of the history that wait for the scores of their draws.
	unscored []trace.Planned
	// logPost and loss are those at the point that is being made.
	logPost, loss float64
}

// curveHeld is what a keyframe holds of a curve, and of what its points rest on.
type curveHeld struct {
	history trace.History
	trusted pointTrust
	reached distance.Found
}

// Take plans a point with the last chain's draw, when all chains have as many draws. Its scores come when the draw is
// evaluated.
func (c *curve[F]) Take(d *record.Draws[F]) {
	run := c.kept.Run
	if n := len(run.Chains); d.First+len(d.Chains) < n || !c.history.Due(run.Kept, uint64(n)) {
		return
	}
	d.Point = true
	c.kept.Flush()
	c.unscored = append(c.unscored, c.history.Plan(c.kept.Rounds(), c.point()))
	if c.kept.Evaluator() == nil {
		c.Score(nil)
	}
}

// Score adds the oldest unscored point to the curves, with its scores if they are not nil.
func (c *curve[F]) Score(scores *quantity.Scores) {
	p := &c.unscored[0]
	if scores != nil {
		p.Values.Score(scores)
	}
	c.history.Add(p)
	c.unscored = slices.Delete(c.unscored, 0, 1)
}

// point is the curves' point of the newest draw, but for its scores.
func (c *curve[F]) point() engine.Point {
	defer c.kept.AsideSince(c.kept.Clock())
	theta := c.kept.First.State.Theta
	c.logPost, c.loss = math.NaN(), math.NaN()
	if t := c.kept.LogDensity(); t != nil {
		lik := t.LogLik(theta)
		c.logPost, c.loss = lik+c.kept.LogPrior(theta), -lik/float64(c.kept.Problem.N())
	} else if c.kept.tells(targets.ToldDensity) {
		c.logPost = c.kept.First.Info.LogPost
	} else if c.kept.Minibatches != nil {
		c.loss = c.kept.Minibatches.Mean()
	}
	if c.kept.Method.Kind == sampler.Variational {
		c.kept.First.Observed.CloseStretch()
	}
	theta = c.kept.Shown(theta)
	p := engine.Point{
		Step:    c.kept.Step(),
		Draws:   c.kept.Window.Draws,
		Seconds: c.kept.Took.Busy.Seconds(),
		Epoch:   c.kept.Epoch(),
		Eps:     cmp.Or(c.kept.First.Info.Eps, c.kept.Params.Eps),
		X:       float64(theta[c.kept.Tracked[0]]), Y: float64(theta[c.kept.Tracked[min(1, len(c.kept.Tracked)-1)]]),
	}
	c.kept.now.Point = true
	p.Values = quantity.PointOf(c.all)
	c.all.discrepancy.take()
	c.kept.now.Point = false
	return p
}

// density is the log posterior and the loss at the newest point of the history, or at the one that is being made; NaN
// where they are not known.
func (c *curve[F]) density() (logPost, loss float64) {
	if c.kept.now.Point {
		return c.logPost, c.loss
	}
	if p := c.history.Newest(); p != nil {
		return p.Of(quantity.LogPost), p.Of(quantity.Loss)
	}
	return math.NaN(), math.NaN()
}

// Waits implements [record.Patient]. A stride of draws ends before the next point.
func (c *curve[F]) Waits(chain int) (gradients, kept uint64) {
	if n := len(c.kept.Records.Chains); chain == n-1 {
		return math.MaxUint64, c.history.Until(0) * uint64(n)
	}
	return math.MaxUint64, math.MaxUint64
}

func (c *curve[F]) Room() uint64 { return c.history.Until(c.kept.Rounds()) }
func (c *curve[F]) InForce(bool) { c.all.motion.forget() }

func (c *curve[F]) NewWindow() {
	c.kept.trusted, c.kept.reached = pointTrust{}, distance.Found{}
	c.all.forget()
}

func (c *curve[F]) Rewound()  { c.history.Cut(c.kept.Step()) }
func (c *curve[F]) Copy() any { return curveHeld{c.history.Share(), c.kept.trusted, c.kept.reached} }

func (c *curve[F]) Set(from any) {
	k := from.(curveHeld)
	c.history, c.kept.trusted, c.kept.reached = k.history.Share(), k.trusted, k.reached
	c.all.forget()
}
