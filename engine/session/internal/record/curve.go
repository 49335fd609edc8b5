package record

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/trace"
)

// curve is the witness that makes the points of the lane's curves.
type curve[F sampler.Float] struct {
	plain
	*Run[F]
	all     *Records[F]
	history trace.History
	// unscored are points of the history that wait for the scores of their draws.
	unscored []trace.Planned
	// logPost and loss are those at the point that is being made.
	logPost, loss float64
}

// curveHeld is what a keyframe holds of a curve.
type curveHeld struct{ history trace.History }

// Take plans a point with the last chain's draw, when all chains have as many draws. Its scores come when the draw is
// evaluated.
func (c *curve[F]) Take(d *Draws[F]) {
	if d.First+len(d.Chains) < len(c.Chains) || !c.history.Due(c.Kept, uint64(len(c.Chains))) {
		return
	}
	d.Point = true
	c.all.Flush()
	c.unscored = append(c.unscored, c.history.Plan(c.Rounds(), c.point()))
	if c.all.predictions == nil {
		c.add(nil)
	}
}

// add adds the oldest unscored point to the curves, with its scores if they are not nil.
func (c *curve[F]) add(scores *quantity.Scores) {
	p := &c.unscored[0]
	if scores != nil {
		p.Values.Score(scores)
	}
	c.history.Add(p)
	c.unscored = slices.Delete(c.unscored, 0, 1)
}

// point is the curves' point of the newest draw, but for its scores.
func (c *curve[F]) point() engine.Point {
	defer c.aside(time.Now())
	theta := c.First.State.Theta
	c.logPost, c.loss = math.NaN(), math.NaN()
	if t := c.LogDensity(); t != nil {
		lik := t.LogLik(theta)
		c.logPost, c.loss = lik+c.logPrior(theta), -lik/float64(c.Problem.N())
	} else if c.all.minibatches != nil {
		c.loss = c.all.minibatches.mean()
	}
	if c.Method.Kind == sampler.Variational {
		c.First.Observed.CloseStretch()
	}
	p := engine.Point{
		Step: c.Step(), Draws: c.Window.Draws, Seconds: c.Busy.Seconds(), Epoch: c.epoch(), Eps: c.epsOf(c.First),
		X: float64(theta[c.Tracked[0]]), Y: float64(theta[c.Tracked[min(1, len(c.Tracked)-1)]]),
	}
	c.now.Point = true
	p.Values = quantity.PointOf(c.all)
	c.all.discrepancy.take()
	c.now.Point = false
	return p
}

// density is the log posterior and the loss at the newest point of the history, or at the one that is being made; NaN where
// they are not known.
func (c *curve[F]) density() (logPost, loss float64) {
	if c.now.Point {
		return c.logPost, c.loss
	}
	if p := c.history.Newest(); p != nil {
		return p.Of(quantity.LogPost), p.Of(quantity.Loss)
	}
	return math.NaN(), math.NaN()
}

// Strides holds, since a stride of draws ends before the next point.
func (*curve[F]) Strides() bool { return true }

func (c *curve[F]) Rewound() { c.history.Cut(c.Step()) }

func (c *curve[F]) Copy() Held    { return &curveHeld{c.history.Share()} }
func (c *curve[F]) Set(from Held) { c.history = from.(*curveHeld).history.Share() }

func (*curveHeld) Bytes() int { return 0 } // keyframes share the points

// minibatches is the witness of the loss of a network's minibatches.
type minibatches[F sampler.Float] struct {
	plain
	losses
}

// losses are the minibatch losses of the draws since the newest point of the curves.
type losses struct {
	sum   float64
	count int
}

// Take implements [Witness]. It comes after the curve: the draw of a point counts in the next one.
func (m *minibatches[F]) Take(d *Draws[F]) {
	m.sum -= d.Chains[0].Grad.Newest.LogLik
	m.count++
}

// mean is the mean loss, NaN without draws. It begins the next sum.
func (m *minibatches[F]) mean() float64 {
	mean := m.sum / float64(m.count)
	m.losses = losses{}
	return mean
}

func (m *minibatches[F]) NewWindow()    { m.losses = losses{} }
func (m *minibatches[F]) Copy() Held    { return new(m.losses) }
func (m *minibatches[F]) Set(from Held) { m.losses = *from.(*losses) }

func (*losses) Bytes() int { return 0 }
