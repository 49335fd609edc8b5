package engine

import (
	"math"
	"sync"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// evaluator averages the predictions of a lane's kept draws. For a target that
// works in memory of its own it runs beside the sampling, on a goroutine and a
// fork of its own; the draws are evaluated in order, so that the averages do not
// depend on when. Otherwise it runs within the sampling.
type evaluator[F sampler.Float] struct {
	predictor targets.Predictor[F]
	probs     []float64

	mu          sync.Mutex // guards the averages, ready, scored and opening
	test, train *metrics.Predictive
	ready       []readyPoint
	scored      uint64 // the number of the newest draw that was evaluated
	opening     int    // windows that are still to be opened: what is known is of an earlier one
	panicked    *Panic

	fork    targets.Fork[F] // nil within the sampling
	jobs    chan evalJob[F]
	free    chan []F // θs to copy into
	pending sync.WaitGroup
	ended   chan struct{}
	closed  bool
}

// evalJob is a draw to evaluate, or, without θ, the start of a new window.
type evalJob[F sampler.Float] struct {
	theta  []F
	weight float64
	first  bool        // of a new average
	kept   uint64      // its number; 0 for a part of a draw that is not the last
	point  *readyPoint // to fill in; nil if the draw is none of the curves'
}

// readyPoint is a point of the curves and the number of the draw that it is for.
type readyPoint struct {
	kept  uint64
	point Point
}

// evalAhead is how many draws may wait. Beyond that the sampling waits.
const evalAhead = 2

// newEvaluator returns nil for a target that does not predict.
func newEvaluator[F sampler.Float](t targets.Target[F]) *evaluator[F] {
	e := &evaluator[F]{}
	var ok bool
	if f, forks := t.(targets.Forker[F]); forks {
		fork := f.Fork(1)
		if e.predictor, ok = fork.(targets.Predictor[F]); !ok {
			fork.Close()
			return nil
		}
		e.fork = fork
	} else if e.predictor, ok = t.(targets.Predictor[F]); !ok {
		return nil
	}
	rows := 0
	average := func(s targets.Split) *metrics.Predictive {
		labels := e.predictor.Labels(s)
		if labels == nil {
			return nil
		}
		rows = max(rows, len(labels))
		return metrics.NewPredictive(labels, e.predictor.Classes())
	}
	e.train, e.test = average(targets.Train), average(targets.Test)
	e.probs = make([]float64, rows*e.predictor.Classes())
	if e.fork != nil {
		e.jobs, e.free = make(chan evalJob[F], evalAhead), make(chan []F, evalAhead)
		for range evalAhead {
			e.free <- make([]F, t.Dim())
		}
		e.ended = make(chan struct{})
		go e.serve()
	}
	return e
}

// serve evaluates what comes, until close.
func (e *evaluator[F]) serve() {
	defer close(e.ended)
	for j := range e.jobs {
		if p := catch(func() { e.do(j) }); p != nil {
			e.mu.Lock()
			e.panicked = p
			e.mu.Unlock()
		}
		if j.theta != nil {
			e.free <- j.theta
		}
		e.pending.Done()
	}
}

func (e *evaluator[F]) do(j evalJob[F]) {
	if j.theta == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.opening--
		for _, p := range [...]*metrics.Predictive{e.train, e.test} {
			if p != nil {
				p.Reset()
			}
		}
		return
	}
	for _, s := range [...]struct {
		split targets.Split
		to    *metrics.Predictive
	}{{targets.Train, e.train}, {targets.Test, e.test}} {
		if s.to == nil {
			continue
		}
		p := e.probs[:len(e.predictor.Labels(s.split))*e.predictor.Classes()]
		e.predictor.Predict(p, j.theta, s.split)
		e.mu.Lock()
		if j.first {
			s.to.Reset()
		}
		s.to.Add(j.weight, p)
		e.mu.Unlock()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if j.kept > 0 {
		e.scored = j.kept
	}
	if j.point != nil {
		e.fill(&j.point.point)
		e.ready = append(e.ready, *j.point)
	}
}

// fill writes the scores to a point.
func (e *evaluator[F]) fill(p *Point) {
	var all quantity.Scores
	if e.train != nil {
		all.Training, all.Newest = e.train.Scores(), e.train.Newest()
	}
	if e.test != nil {
		all.Test, all.Newest = e.test.Scores(), e.test.Newest()
	}
	p.Values.Score(&all)
	if e.train != nil {
		s, n := e.train.Scores(), e.train.Newest()
		p.TrainError, p.Newest, p.NewestNLL = s.Error, n.Error, n.NLL
		p.TestNLL, p.TestBrier, p.TestECE = s.NLL, s.Brier, s.ECE
	}
	if e.test != nil {
		s, n := e.test.Scores(), e.test.Newest()
		p.TestError, p.TestNLL, p.TestBrier, p.TestECE = s.Error, s.NLL, s.Brier, s.ECE
		p.Newest, p.NewestNLL = n.Error, n.NLL
	}
}

// draw has a draw evaluated. It does not keep its θ.
func (e *evaluator[F]) draw(j evalJob[F]) {
	if e.fork == nil {
		e.do(j)
		return
	}
	own := <-e.free
	copy(own, j.theta)
	j.theta = own
	e.pending.Add(1)
	e.jobs <- j
}

// reset opens a new window. Nothing is known of it at once, though what waits is
// evaluated first.
func (e *evaluator[F]) reset() {
	e.mu.Lock()
	e.opening++
	e.mu.Unlock()
	if e.fork == nil {
		e.do(evalJob[F]{})
		return
	}
	e.pending.Add(1)
	e.jobs <- evalJob[F]{}
}

// err is the panic of an evaluation beside the sampling, or nil.
func (e *evaluator[F]) err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.panicked != nil {
		return e.panicked
	}
	return nil
}

// wait returns when all that was asked for is done.
func (e *evaluator[F]) wait() { e.pending.Wait() }

func (e *evaluator[F]) close() {
	e.closed = true
	if e.fork != nil {
		close(e.jobs)
		<-e.ended
		e.fork.Close()
	}
}

// collect hands the points that are ready to f.
func (e *evaluator[F]) collect(f func(readyPoint)) {
	e.mu.Lock()
	ready := e.ready
	e.ready = nil
	e.mu.Unlock()
	for _, r := range ready {
		f(r)
	}
}

func (l *lane[F]) predictions() (mean, sd []float64) { return l.evaluator.predictions() }

// evaluation is what an evaluator knows at a time.
type evaluation struct {
	test, train, newest metrics.Scores
	reliability         []metrics.Bin
}

func noEvaluation() evaluation {
	nan := math.NaN()
	none := metrics.Scores{Error: nan, NLL: nan, Brier: nan, ECE: nan}
	return evaluation{test: none, train: none, newest: none}
}

// look returns the scores; newest and reliability are those of the test set, or
// of the training set without one.
func (e *evaluator[F]) look(bins int) evaluation {
	v := noEvaluation()
	if e == nil {
		return v
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	for _, s := range [...]struct {
		from *metrics.Predictive
		to   *metrics.Scores
	}{{e.train, &v.train}, {e.test, &v.test}} {
		if s.from == nil || e.opening > 0 {
			continue
		}
		*s.to, v.newest = s.from.Scores(), s.from.Newest()
		if bins > 0 {
			v.reliability = make([]metrics.Bin, bins)
			s.from.Reliability(v.reliability)
		}
	}
	return v
}

// predictions copies the averaged test probabilities and their standard
// deviations over the draws, row by row; nil without draws of a test set.
func (e *evaluator[F]) predictions() (mean, sd []float64) {
	if e == nil || e.test == nil {
		return nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.test.Draws() == 0 || e.opening > 0 {
		return nil, nil
	}
	n, c := len(e.predictor.Labels(targets.Test)), e.predictor.Classes()
	mean, sd = make([]float64, n*c), make([]float64, n*c)
	for r := range n {
		e.test.Probs(r, mean[r*c:][:c])
		e.test.Spread(r, sd[r*c:][:c])
	}
	return mean, sd
}
