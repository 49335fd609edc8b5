// Package predict measures what the draws of a chain predict, on copies of them beside the sampling.
//
// An [Evaluator] averages the predictions of all kept draws on the test and training sets. [Recent] holds the newest
// draws, so that they can be asked about inputs that nobody had thought of when they were drawn: [Shifts] asks them
// about shifted test images. [Images] picks the test images on which several lanes differ most.
package predict

import (
	"cmp"
	"fmt"
	"math"
	"sync"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/metrics/predictive"
	"github.com/psgld/psgld-tui/nets/tool/libm"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An Evaluator averages the predictions of a chain's kept draws. For a target that works in memory of its own it runs
// beside the sampling, on a goroutine and a fork of its own. The draws are evaluated in order, so that the averages do
// not depend on when. For any other target it runs within the sampling.
type Evaluator[F sampler.Float] struct {
	predictor targets.Predictor[F]
	probs     []float64
	probes    probes            // on the test set, or on the training set without one
	parts     *predictive.Parts // of the average on the test set; nil unless they are kept

	mu       sync.Mutex // guards the averages, reports, opening and panicked
	averages *Averages
	reports  []quantity.Scores // those that were asked for and not read yet
	opening  int               // windows that are still to be opened: what is known is of an earlier one
	panicked error             // a *caught.Panic, or nil

	fork    targets.Fork[F] // nil within the sampling
	poke    func()          // tells that a draw was evaluated
	jobs    chan Draw[F]
	free    chan []F // θs to copy into
	pending sync.WaitGroup
	ended   chan struct{}
	closed  bool
}

// A Draw is a draw to evaluate or, without θ, the start of a new window.
type Draw[F sampler.Float] struct {
	Theta  []F
	Weight float64
	Chain  int    // of the lane
	First  bool   // of a new average
	Number uint64 // of the kept draws; 0 for a part of a draw that is not the last
	Report bool   // its scores are wanted, as they are with it
}

// Averages are the averaged predictions on the two sets.
type Averages struct {
	of     [2]*predictive.Average // by split; nil where there is no set
	scored uint64                 // the number of the newest draw that was evaluated
	probed []*metrics.Keeper      // what the probes read, by chain; nil without
}

// Clone copies the averages.
func (a *Averages) Clone() *Averages {
	c := *a
	for split, p := range a.of {
		if p != nil {
			c.of[split] = p.Clone()
		}
	}
	c.probed = cloned(a.probed)
	return &c
}

func cloned(all []*metrics.Keeper) (own []*metrics.Keeper) {
	for _, k := range all {
		own = append(own, k.Clone().(*metrics.Keeper))
	}
	return own
}

// Set makes a copy of averages on the same sets.
func (a *Averages) Set(from *Averages) {
	a.scored = from.scored
	for split, p := range from.of {
		if p != nil {
			a.of[split].Set(p)
		}
	}
	a.probed = cloned(from.probed)
}

// Bytes is the memory that the averages take.
func (a *Averages) Bytes() int {
	sum := list.Sum(a.probed, (*metrics.Keeper).Bytes)
	for _, p := range a.of {
		if p != nil {
			sum += p.Bytes()
		}
	}
	return sum
}

// scores are NaN where there is no set, or no draw. The newest are on the test set, or on the training set without one.
func (a *Averages) scores() quantity.Scores {
	s := NoScores()
	for split, to := range [...]*predictive.Scores{dataset.Train: &s.Training, dataset.Test: &s.Test} {
		if p := a.of[split]; p != nil {
			*to, s.Newest = p.Scores(), p.Newest()
		}
	}
	return s
}

// NoScores are those of a chain of which nothing is known.
func NoScores() quantity.Scores {
	none := predictive.NoScores()
	return quantity.Scores{Test: none, Training: none, Newest: none}
}

// ahead is how many draws may wait. Beyond that the sampling waits.
const ahead = 2

// NewEvaluator returns nil for a target that does not predict. It has probes of so many
// chains, or none. It calls poke on its goroutine after each evaluation.
func NewEvaluator[F sampler.Float](t targets.Target[F], chains int, poke func()) *Evaluator[F] {
	e := &Evaluator[F]{poke: poke}
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
	e.averages = new(Averages)
	e.size(chains > 0)
	e.averages.probed = e.probes.keepers(chains)
	if e.fork != nil {
		e.jobs, e.free = make(chan Draw[F], ahead), make(chan []F, ahead)
		for range ahead {
			e.free <- make([]F, t.Dim())
		}
		e.ended = make(chan struct{})
		go e.serve()
	}
	return e
}

// size makes the averages for the predictor's sets, but those that fit, and of the last set the probes if they are
// wanted.
func (e *Evaluator[F]) size(probes bool) {
	rows := 0
	for split, had := range e.averages.of {
		labels := e.predictor.Labels(dataset.Split(split))
		rows = max(rows, len(labels))
		if labels != nil && (had == nil || had.Rows() != len(labels)) {
			e.averages.of[split] = predictive.New(labels, e.predictor.Classes())
		}
		if labels != nil && probes {
			e.probes = newProbes(labels, e.predictor.Classes()) // the test set comes last
		}
	}
	e.probs = make([]float64, rows*e.predictor.Classes())
}

// Turn has an evaluator within the sampling predict by t, the same target with other data to learn from. The averages
// on a set of another size begin anew.
func (e *Evaluator[F]) Turn(t targets.Target[F]) {
	if p, ok := t.(targets.Predictor[F]); ok && e.fork == nil {
		e.predictor = p
		e.size(false)
	}
}

// HasTest reports whether there is a test set.
func (e *Evaluator[F]) HasTest() bool { return e.averages.of[dataset.Test] != nil }

// HasTraining reports whether there is a training set.
func (e *Evaluator[F]) HasTraining() bool { return e.averages.of[dataset.Train] != nil }

// serve evaluates what comes, until Close.
func (e *Evaluator[F]) serve() {
	defer close(e.ended)
	for j := range e.jobs {
		if p := caught.In("a lane", func() { e.do(j) }); p != nil {
			e.mu.Lock()
			e.panicked = p
			e.mu.Unlock()
		}
		if j.Theta != nil {
			e.free <- j.Theta
		}
		e.pending.Done()
		e.poke()
	}
}

func (e *Evaluator[F]) do(j Draw[F]) {
	if j.Theta == nil {
		e.mu.Lock()
		defer e.mu.Unlock()
		e.opening--
		for _, p := range e.averages.of {
			if p != nil {
				p.Reset()
			}
		}
		for _, k := range e.averages.probed {
			k.NewWindow()
		}
		return
	}
	for i, to := range e.averages.of {
		if to == nil {
			continue
		}
		split := dataset.Split(i)
		p := e.probs[:len(e.predictor.Labels(split))*e.predictor.Classes()]
		e.predictor.Predict(p, j.Theta, split)
		e.add(j, to, p)
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if j.Number > 0 {
		e.averages.scored = j.Number
	}
	if j.Report {
		e.reports = append(e.reports, e.averages.scores())
	}
}

// add adds a draw's predictions on a set to its average.
func (e *Evaluator[F]) add(j Draw[F], to *predictive.Average, p []float64) {
	e.mu.Lock()
	defer e.mu.Unlock()
	if j.First {
		to.Reset()
	}
	to.Add(j.Weight, p)
	if e.parts != nil && to == e.averages.of[dataset.Test] {
		e.parts.Added()
	}
	if e.averages.probed != nil && to == cmp.Or(e.averages.of[dataset.Test], e.averages.of[dataset.Train]) {
		e.averages.probed[j.Chain].Add(e.probes.read(p))
	}
}

// Draw has a draw evaluated. It does not keep its θ.
func (e *Evaluator[F]) Draw(j Draw[F]) {
	if e.fork == nil {
		e.do(j)
		return
	}
	own := <-e.free
	copy(own, j.Theta)
	j.Theta = own
	e.pending.Add(1)
	e.jobs <- j
}

// Reset opens a new window. Nothing is known of it at once, though what waits is evaluated first.
func (e *Evaluator[F]) Reset() {
	e.mu.Lock()
	e.opening++
	e.mu.Unlock()
	if e.fork == nil {
		e.do(Draw[F]{})
		return
	}
	e.pending.Add(1)
	e.jobs <- Draw[F]{}
}

// Err is the panic of an evaluation beside the sampling, or nil.
func (e *Evaluator[F]) Err() error {
	e.mu.Lock()
	defer e.mu.Unlock()
	return e.panicked
}

// Busy reports whether draws wait for their evaluation.
func (e *Evaluator[F]) Busy() bool { return e != nil && e.fork != nil && len(e.free) < ahead }

// Scored is how many of the kept draws the scores know of, or have passed over where
// they are those of the newest alone: all but those that wait for their evaluation.
func (e *Evaluator[F]) Scored(kept uint64) uint64 {
	if !e.Busy() {
		return kept
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	return min(e.averages.scored, kept)
}

// Wait returns when all that was asked for is done.
func (e *Evaluator[F]) Wait() { e.pending.Wait() }

// Close ends the goroutine.
func (e *Evaluator[F]) Close() {
	e.closed = true
	if e.fork != nil {
		close(e.jobs)
		<-e.ended
		e.fork.Close()
	}
}

// Closed reports whether the evaluator was closed.
func (e *Evaluator[F]) Closed() bool { return e.closed }

// Reports returns the scores that were asked for with draws evaluated since the last call, in order.
func (e *Evaluator[F]) Reports() []quantity.Scores {
	e.mu.Lock()
	defer e.mu.Unlock()
	all := e.reports
	e.reports = nil
	return all
}

// Averages are what the evaluator adds to. They may be copied and set while nothing waits.
func (e *Evaluator[F]) Averages() *Averages { return e.averages }

// Scores are those of the window, NaN where they are not known, and those of a nil Evaluator.
func (e *Evaluator[F]) Scores() quantity.Scores {
	if e == nil {
		return NoScores()
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	if e.opening > 0 {
		return NoScores()
	}
	return e.averages.scores()
}

// Reliability is the calibration on the test set, or on the training set without one,
// in so many bins; nil where it is not known, as before the first draw.
func (e *Evaluator[F]) Reliability(bins int) []predictive.Bin {
	if e == nil {
		return nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	p := cmp.Or(e.averages.of[dataset.Test], e.averages.of[dataset.Train])
	if p == nil || p.Draws() == 0 || e.opening > 0 {
		return nil
	}
	all := make([]predictive.Bin, bins)
	p.Reliability(all)
	return all
}

// Predictions copies the averaged test probabilities and their standard deviations
// over the draws, row by row; nil without draws of a test set.
func (e *Evaluator[F]) Predictions() (mean, sd []float64) {
	if e == nil || !e.HasTest() {
		return nil, nil
	}
	e.mu.Lock()
	defer e.mu.Unlock()
	test := e.averages.of[dataset.Test]
	if test.Draws() == 0 || e.opening > 0 {
		return nil, nil
	}
	n, c := len(e.predictor.Labels(dataset.Test)), e.predictor.Classes()
	mean, sd = make([]float64, n*c), make([]float64, n*c)
	for r := range n {
		test.Mean(r, mean[r*c:][:c])
		test.Spread(r, sd[r*c:][:c])
	}
	return mean, sd
}

// maxProbes is how many images are probes.
const maxProbes = 10

// probes read what each draw of a network says of a few images, since θ itself does not converge and need not: with
// permuted units the function is the same. They are the mean negative log-likelihood of the set, and the probabilities
// of the true classes of ten images spread evenly over it (Izmailov, Vikram, Hoffman and Wilson 2021, What are Bayesian
// neural network posteriors really like?, §5.1). The zero value has none.
type probes struct {
	labels  []int32
	classes int
	rows    []int
	block   *metrics.Block // of one draw
}

func newProbes(labels []int32, classes int) probes {
	n := min(maxProbes, len(labels))
	p := probes{labels: labels, classes: classes, block: metrics.NewBlock(1+n, 1)}
	for i := range n {
		p.rows = append(p.rows, i*len(labels)/n)
	}
	return p
}

// keepers are those of so many chains.
func (p *probes) keepers(chains int) (all []*metrics.Keeper) {
	for range chains {
		all = append(all, metrics.NewKeeper(1+len(p.rows), 1<<16/chains))
	}
	return all
}

// read is the block of one draw's predictions.
func (p *probes) read(probs []float64) *metrics.Block {
	loss := 0.0
	for r, y := range p.labels {
		loss -= libm.Log(max(probs[r*p.classes+int(y)], math.SmallestNonzeroFloat64))
	}
	b := p.block
	b.N = 1
	b.Col(0)[0] = loss / float64(len(p.labels))
	for i, r := range p.rows {
		b.Col(1 + i)[0] = probs[r*p.classes+int(p.labels[r])]
	}
	return b
}

// ProbeNames say what the probes are; nil where there are none.
func (e *Evaluator[F]) ProbeNames() []string {
	if e == nil || e.probes.rows == nil {
		return nil
	}
	return append([]string{"loss"}, list.Map(e.probes.rows, func(r int) string {
		return fmt.Sprintf("p(%d | image %d)", e.probes.labels[r], r+1)
	})...)
}

// Probe sets columns to the kept values of a probe, a chain each and of at most so many draws
// each, oldest first; all of them if most is 0. It reports whether all chains have as many:
// while a draw waits for its evaluation some may have one more.
func (e *Evaluator[F]) Probe(i, most int, columns [][]float64) bool {
	e.mu.Lock()
	defer e.mu.Unlock()
	same := e.opening == 0
	for k, keeper := range e.averages.probed {
		columns[k], _ = keeper.Append(columns[k][:0], i, most)
		same = same && len(columns[k]) == len(columns[0])
	}
	return same
}
