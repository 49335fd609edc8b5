package record

import (
	"time"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// proxyBits is the logarithm of how many proxies a step can have.
const proxyBits = 10

// predictions are the witness that has draws evaluated on the test and training sets.
type predictions[F sampler.Float] struct {
	plain
	*Run[F]
	*proxies[F]
	*predict.Evaluator[F]
	curve     *curve[F]
	evaluated uint64 // the step whose state was evaluated last, where predictions are by the newest
}

// predictionsHeld is what a keyframe holds of predictions.
type predictionsHeld struct {
	*predict.Averages
	evaluated uint64
}

// Take implements [Witness].
func (e *predictions[F]) Take(d *Draws[F]) {
	start := time.Now()
	if !e.newestAlone() {
		e.Draw(predict.Draw[F]{Theta: d.Theta(0, 0), Weight: d.Weight, Chain: d.First, Number: e.Run.Kept, Report: d.Point})
	} else if d.Point {
		e.newest(true)
	}
	e.aside(start)
	e.collect()
}

// newest evaluates the newest state. With report its scores go to the oldest unscored point of the curves.
func (e *predictions[F]) newest(report bool) {
	e.evaluated = e.Step()
	if e.untrained() {
		if report {
			e.curve.add(nil) // the first of those that wait: none before it was evaluated either
		}
		return
	}
	n := e.vectors()
	for k := range n {
		j := predict.Draw[F]{Theta: e.vector(k), Weight: 1, First: k == 0}
		if k == n-1 {
			j.Number, j.Report = e.Run.Kept, report
		}
		e.Draw(j)
	}
}

// collect adds the points that have been evaluated to the curves.
func (e *predictions[F]) collect() {
	for _, scores := range e.Reports() {
		e.curve.add(&scores)
	}
}

// NewWindow opens a window of the averages.
func (e *predictions[F]) NewWindow() { e.Reset() }

func (e *predictions[F]) Copy() Held { return &predictionsHeld{e.Averages().Clone(), e.evaluated} }

func (e *predictions[F]) Set(from Held) {
	k := from.(*predictionsHeld)
	e.Averages().Set(k.Averages)
	e.evaluated = k.evaluated
}

// A proxies is what a lane predicts by in place of its draws: its newest state or, of some methods, vectors drawn about that.
type proxies[F sampler.Float] struct {
	run   *Run[F]
	noise *noise.Normals[F]
	theta []F // made when first needed
}

// vectors is how many vectors the newest state predicts by.
func (p *proxies[F]) vectors() int {
	if k := p.run.proxy(); k != nil {
		return k.Proxies(&p.run.Params)
	}
	return 1
}

// vector is the k-th of the vectors that the newest state predicts by. The next call overwrites it.
func (p *proxies[F]) vector(k int) []F {
	s := &p.run.First.State
	by := p.run.proxy()
	if by == nil {
		return s.Theta
	}
	if p.theta == nil {
		p.theta = make([]F, len(s.Theta))
	}
	by.Proxy(p.theta, s, p.noise.At(s.Step<<proxyBits|uint64(k)))
	return p.theta
}

// A learner is a kernel that predicts by a state which it fits beside θ.
type learner[F sampler.Float] interface {
	// Learnt reports whether that has begun.
	Learnt(s *sampler.State[F]) bool
}

// untrained is whether what the lane predicts by has not begun to learn.
func (r *Run[F]) untrained() bool {
	k, ok := r.First.Kernel.(learner[F])
	return ok && !k.Learnt(&r.First.State)
}

// Scores are those of the draws that have been evaluated, and NaN for a lane that has diverged.
func (r *Records[F]) Scores() quantity.Scores {
	if r.Diverged != nil {
		return predict.NoScores()
	}
	return r.evaluator().Scores()
}

// Predictions are those of the draws that have been evaluated.
func (r *Records[F]) Predictions() (mean, sd []float64) { return r.evaluator().Predictions() }

// evaluator is nil on a target that does not predict.
func (r *Records[F]) evaluator() *predict.Evaluator[F] {
	if r.predictions == nil {
		return nil
	}
	return r.predictions.Evaluator
}

// Settle waits for the evaluation of the draws so far.
func (r *Records[F]) Settle() {
	if r.predictions != nil {
		r.predictions.Wait()
		r.predictions.collect()
	}
}

// Finish evaluates the newest state of a lane that predicts by it, unless that was done for a point of the curves.
func (r *Records[F]) Finish() {
	if e := r.predictions; e != nil && !e.Closed() && r.newestAlone() && r.Window.Draws > 0 && r.Diverged == nil && e.evaluated != r.Step() {
		e.newest(false)
	}
}

// Predicted are the predictions of consecutive parts of the chain, if they are kept. They are nil for a lane that has diverged.
func (r *Records[F]) Predicted() *predict.Kept {
	if r.Diverged != nil {
		return nil
	}
	return r.evaluator().Kept()
}
