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
	*kept[F]
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
	run := c.Run
	if n := len(run.Chains); d.First+len(d.Chains) < n || !c.history.Due(run.Kept, uint64(n)) {
		return
	}
	d.Point = true
	c.Flush()
	c.unscored = append(c.unscored, c.history.Plan(c.Rounds(), c.point()))
	if c.Evaluator() == nil {
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
	defer c.AsideSince(c.Clock())
	theta := c.First.State.Theta
	c.logPost, c.loss = math.NaN(), math.NaN()
	if t := c.LogDensity(); t != nil {
		lik := t.LogLik(theta)
		c.logPost, c.loss = lik+c.LogPrior(theta), -lik/float64(c.Problem.N())
	} else if c.tells(targets.ToldDensity) {
		c.logPost = c.First.Info.LogPost
	} else if c.Minibatches != nil {
		c.loss = c.Minibatches.Mean()
	}
	if c.Method.Kind == sampler.Variational {
		c.First.Observed.CloseStretch()
	}
	theta = c.Shown(theta)
	p := engine.Point{
		Step:    c.Step(),
		Draws:   c.Window.Draws,
		Seconds: c.Took.Busy.Seconds(),
		Epoch:   c.Epoch(),
		Eps:     cmp.Or(c.First.Info.Eps, c.Params.Eps),
		X:       float64(theta[c.Tracked[0]]), Y: float64(theta[c.Tracked[min(1, len(c.Tracked)-1)]]),
	}
	c.now.Point = true
	p.Values = quantity.PointOf(c.all)
	c.all.discrepancy.take()
	c.now.Point = false
	return p
}

// density is the log posterior and the loss at the newest point of the history, or at the one that is being made; NaN
// where they are not known.
func (c *curve[F]) density() (logPost, loss float64) {
	if c.now.Point {
		return c.logPost, c.loss
	}
	if p := c.history.Newest(); p != nil {
		return p.Of(quantity.LogPost), p.Of(quantity.Loss)
	}
	return math.NaN(), math.NaN()
}

// Waits implements [record.Patient]. A stride of draws ends before the next point.
func (c *curve[F]) Waits(chain int) (gradients, kept uint64) {
	if n := len(c.Records.Chains); chain == n-1 {
		return math.MaxUint64, c.history.Until(0) * uint64(n)
	}
	return math.MaxUint64, math.MaxUint64
}

func (c *curve[F]) Room() uint64 { return c.history.Until(c.Rounds()) }

func (c *curve[F]) InForce(bool) { c.all.motion.forget() }

func (c *curve[F]) NewWindow() {
	c.trusted, c.reached = pointTrust{}, distance.Found{}
	c.all.forget()
}

func (c *curve[F]) Rewound() { c.history.Cut(c.Step()) }

func (c *curve[F]) Copy() any { return curveHeld{c.history.Share(), c.trusted, c.reached} }

func (c *curve[F]) Set(from any) {
	k := from.(curveHeld)
	c.history, c.trusted, c.reached = k.history.Share(), k.trusted, k.reached
	c.all.forget()
}
