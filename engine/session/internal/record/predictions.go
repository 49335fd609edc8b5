package record

import (
	"time"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// proxyBits is the logarithm of how many proxies a step can have.
const proxyBits = 10

// predictions are the witness that has draws evaluated on the test and training sets.
type predictions[F sampler.Float] struct {
	Plain
	run *Run[F]
	*proxies[F]
	*predict.Evaluator[F]
	curve     Curve[F]
	evaluated uint64 // the step whose state was evaluated last, where predictions are by the newest
}

// predictionsHeld is what a keyframe holds of predictions.
type predictionsHeld struct {
	*predict.Averages
	evaluated uint64
}

func (e *predictions[F]) Take(d *Draws[F]) {
	start := e.run.Clock()
	if !e.run.NewestAlone() {
		j := predict.Draw[F]{Theta: d.Theta(0, 0), Weight: d.Weight, Chain: d.First, Number: e.run.Kept,
			Report: d.Point}
		e.Draw(j)
	} else if d.Point {
		e.newest(true)
	}
	e.run.AsideSince(start)
	e.collect()
}

// newest evaluates the newest state. With report its scores go to the oldest unscored point of the curves.
func (e *predictions[F]) newest(report bool) {
	e.evaluated = e.run.Step()
	if e.run.Untrained() {
		if report {
			e.curve.Score(nil) // the first of those that wait: none before it was evaluated either
		}
		return
	}
	n := e.vectors()
	for k := range n {
		j := predict.Draw[F]{Theta: e.vector(k), Weight: 1, First: k == 0}
		if k == n-1 {
			j.Number, j.Report = e.run.Kept, report
		}
		e.Draw(j)
	}
}

// collect adds the points that have been evaluated to the curves.
func (e *predictions[F]) collect() {
	for _, scores := range e.Reports() {
		e.curve.Score(&scores)
	}
}

// NewWindow opens a window of the averages.
func (e *predictions[F]) NewWindow() { e.Reset() }

func (e *predictions[F]) Copy() any { return predictionsHeld{e.Averages().Clone(), e.evaluated} }

func (e *predictions[F]) Set(from any) {
	k := from.(predictionsHeld)
	e.Averages().Set(k.Averages)
	e.evaluated = k.evaluated
}

// A proxies is what a lane predicts by in place of its draws: its newest state or, of some methods, vectors drawn
// about that.
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
	by.Proxy(p.theta, s, k, p.noise.At(s.Step<<proxyBits|uint64(k)))
	return p.theta
}

// A learner is a kernel that predicts by a state which it fits beside θ.
type learner[F sampler.Float] interface {
	// Learnt reports whether that has begun.
	Learnt(s *sampler.State[F]) bool
}

// Untrained is whether what the lane predicts by has not begun to learn.
func (r *Run[F]) Untrained() bool {
	k, ok := r.First.Kernel.(learner[F])
	return ok && !k.Learnt(&r.First.State)
}

// Evaluator averages the predictions. It is nil on a target that does not predict.
func (r *Records[F]) Evaluator() *predict.Evaluator[F] {
	if r.predictions == nil {
		return nil
	}
	return r.predictions.Evaluator
}

// Collect adds the points that have been evaluated to the curves.
func (r *Records[F]) Collect() {
	if r.predictions != nil {
		r.predictions.collect()
	}
}

// Settle waits for the evaluation of the draws so far.
func (r *Records[F]) Settle() {
	if r.predictions != nil {
		r.predictions.Wait()
	}
	r.Collect()
}

// Finish implements measure.Reader.
func (r *Records[F]) Finish() {
	e := r.predictions
	if e != nil && !e.Closed() && r.NewestAlone() && r.Window.Draws > 0 && r.Diverged == nil && e.evaluated != r.Step() {
		e.newest(false)
	}
}

// recent is the witness that holds the newest draws of the window, for whoever asks them about other inputs.
type recent[F sampler.Float] struct {
	Plain
	*proxies[F]
	*predict.Recent[F]
	step uint64 // of the newest state among them, where the lane predicts by that
	made time.Time
}

func (h *recent[F]) Take(d *Draws[F]) {
	if !h.run.NewestAlone() {
		defer h.run.AsideSince(h.run.Clock())
		h.Add(d.Theta(0, 0), d.Weight)
	}
}

func (h *recent[F]) NewWindow() { h.Reset() }
func (h *recent[F]) Set(any)    { h.Reset() }

// RecentDraws implements measure.Reader.
func (r *Records[F]) RecentDraws(running bool) *predict.Recent[float32] {
	h := r.recent
	if h == nil || r.Diverged != nil {
		return nil
	}
	all, _ := any(h.Recent).(*predict.Recent[float32])
	stale := r.NewestAlone() && r.Window.Draws > 0 && (h.step != r.Step() || h.Len() == 0)
	if all == nil || !stale || running && time.Since(h.made) < predict.Every {
		return all
	}
	h.Renew()
	h.step, h.made = r.Step(), time.Now()
	for k := range min(h.vectors(), h.Size()) {
		h.Add(h.vector(k), 1)
	}
	return all
}

// RecentSteps is how many steps the recent draws are of.
func (r *Records[F]) RecentSteps() uint64 {
	if r.recent == nil || r.NewestAlone() {
		return 0
	}
	return uint64(r.recent.Size()) * r.Thin / uint64(len(r.Run.Chains))
}
