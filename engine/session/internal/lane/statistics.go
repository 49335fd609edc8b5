package lane

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/distance"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/trace"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// statistics is what a lane needs to work out what laneState holds of its draws, and
// what it keeps of that from view to view.
type statistics[F sampler.Float] struct {
	tracked []int          // coordinates with statistics
	pool    metrics.Chains // of the chains: the same pointers as their stats

	logDensity targets.LogDensity[F] // nil if the target is none
	evaluator  *predict.Evaluator[F] // nil if the target does not predict
	draw       []float64             // θ for the sink; nil without one

	truth *distance.Truth // nil where there is none
	cov   []float64       // scratch
	// unscored are points of the history that wait for the scores of their draws.
	unscored []trace.Planned
	x, y     int // watched, as places in tracked
	// principal shows the principal directions in their place.
	principal bool
	// showWeights makes weights, as they were at a place and time.
	showWeights bool
	weights     []engine.LayerView
	weightsAt   uint64
	weightsMade time.Time

	isNetwork   bool
	compared    agreement.Chains
	moving      bool           // a view of a lane that runs is made: what was found a moment ago will do
	beside      *beside.Worker // works out what takes long for the view; nil where nobody is to
	slowest     slowest
	apart       distance.Found
	discrepancy stein.Follower
	table       coordTable
	// atPoint is on while a point of the history is made, and has the density there.
	atPoint struct {
		on            bool
		logPost, loss float64
	}
}

// track begins the statistics of the lane's draws of a target. poke is called where what
// runs beside the lane has done something.
func (l *lane[F]) track(t targets.Target[F], poke func()) {
	dim := t.Dim()
	l.tracked, l.history, l.y = trace.Tracked(dim, l.cfg.Tracked(dim)), trace.NewHistory(), min(1, dim-1)
	d := len(l.tracked)
	for k, c := range l.chains {
		c.block, c.stats = metrics.NewBlock(d, blockCap), metrics.NewChain(d)
		l.pool = append(l.pool, c.stats)
		c.probe = l.newProbe(k)
		c.ring = trace.NewRing(d, min(4096, max(256, 1<<17/(d*len(l.chains)))))
		c.envelope = trace.NewEnvelope(d, min(512, max(64, 1<<15/(d*len(l.chains)))&^1))
		c.recorders = []metrics.Recorder{c.stats, c.ring, c.envelope}
		if l.converges() || l.cfg.CompareWeights {
			c.keeper = agreement.NewKeeper(len(l.chains), d)
			c.recorders = append(c.recorders, c.keeper)
		}
	}
	l.virial = metrics.NewVirial(len(l.first.probe.at))
	if l.first.sink != nil {
		l.draw = make([]float64, dim)
	}
	l.logDensity, _ = t.(targets.LogDensity[F])
	probes := 0
	if !l.converges() {
		probes = len(l.chains)
	}
	if l.evaluator = predict.NewEvaluator(t, probes, poke); l.evaluator != nil {
		l.averages = l.evaluator.Averages()
	}
	l.compared = agreement.Chains{
		Dim: d, Pool: l.pool, Keepers: list.Map(l.chains, func(c *chain[F]) *metrics.Keeper { return c.keeper }),
		Grouped: len(l.chains) >= engine.ManyChains && l.cfg.RandomStart(),
	}
	if !l.converges() {
		l.compared.Probes = l.evaluator
	}
	l.forget()
	l.compareWith()
	if d <= metrics.MaxCovDim {
		l.cov = make([]float64, d*d)
	}
}

// compareWith takes the truth that is known of the target.
func (l *lane[F]) compareWith() {
	truth, all := engine.Exactly(l.prob), len(l.tracked) == l.target.Dim()
	switch {
	case truth == nil && all:
		truth = l.prob.Reference
	case truth != nil && !all:
		at := func(x []float64) []float64 { return list.Map(l.tracked, func(k int) float64 { return x[k] }) }
		truth.Mean, truth.SD, truth.Cov = at(truth.Mean), at(truth.SD), nil
	}
	l.truth = nil
	if truth != nil {
		l.truth = &distance.Truth{Reference: truth}
		l.truth.Exact, _ = l.prob.Impl().(targets.Exact)
	}
}

// keep takes the present state of a chain as a draw. Points of the curves come with the last
// chain's, when all chains have as many draws.
func (l *lane[F]) keep(number int, c *chain[F]) {
	if c.info.Skip {
		if c == l.first {
			trace.Hold(&l.passage, &l.first.state, l.tracked, -l.first.grad.Newest.LogLik)
		}
		return
	}
	l.passage.End()
	b, j := c.block, c.block.N
	at := j
	for _, k := range l.tracked {
		b.X[at] = float64(c.state.Theta[k])
		at += blockCap
	}
	w := l.weight()
	b.W[j] = w
	b.N++
	b.Last, b.Every = c.state.Step, l.thin
	if l.method.Kind == sampler.Sampling && l.probeDue(c, c.gradEvals) {
		l.probeAt(c, c.state.Step, c.gradEvals, c.state.Theta, w)
	}
	if c.companions != nil {
		c.companions.Keep(c.state.Theta, w)
	}
	l.draws++
	l.kept++
	if c.sink != nil {
		l.export(c)
	}
	due := false
	if number == len(l.chains)-1 {
		due = l.history.Due(l.kept, uint64(len(l.chains)))
	}
	if due {
		l.flush()
		l.unscored = append(l.unscored, l.history.Plan(l.rounds(), l.point()))
	} else if b.N == b.Cap {
		c.flush()
	}
	if l.isNetwork {
		l.loss -= c.grad.Newest.LogLik
		l.losses++
	}
	if l.evaluator != nil {
		start := time.Now()
		if !l.newestAlone() {
			l.evaluator.Draw(predict.Draw[F]{Theta: c.state.Theta, Weight: w, Chain: number, Number: l.kept, Report: due})
			if l.recent != nil {
				l.recent.Add(c.state.Theta, w)
			}
		} else if due {
			l.evaluateNewest(true)
		}
		l.evalTime += time.Since(start)
		l.collect()
	} else if due {
		l.record()
	}
}

// rounds is how many draws each chain has kept.
func (l *lane[F]) rounds() uint64 { return l.kept / uint64(len(l.chains)) }

// weight is that of a draw in averages: its step size, or 1 for methods whose
// draws do not stand for a stretch of time or that vary the step size by
// themselves.
func (l *lane[F]) weight() float64 {
	if l.unweighted || l.first.info.Eps != 0 {
		return 1
	}
	return l.params.Eps
}

// newestAlone reports whether the lane predicts by its newest state, and not by the
// average over its draws.
func (l *lane[F]) newestAlone() bool { return l.method.Kind != sampler.Sampling || l.proxy != nil }

// evaluateNewest evaluates the newest state. With report its scores go to the oldest
// unscored point of the curves.
func (l *lane[F]) evaluateNewest(report bool) {
	l.evaluatedAt = l.Step()
	if l.untrained() {
		if report {
			l.record() // the first of those that wait: none before it was evaluated either
		}
		return
	}
	if l.proxy == nil {
		l.evaluator.Draw(predict.Draw[F]{Theta: l.first.state.Theta, Weight: 1, First: true, Number: l.kept, Report: report})
		return
	}
	n := l.proxy.Proxies(&l.params)
	for k := range n {
		j := predict.Draw[F]{Theta: l.proxyAt(k), Weight: 1, First: k == 0}
		if k == n-1 {
			j.Number, j.Report = l.kept, report
		}
		l.evaluator.Draw(j)
	}
}

// proxyBits is the logarithm of how many proxies a step can have.
const proxyBits = 10

func (l *lane[F]) Finish() {
	if l.evaluator != nil && !l.evaluator.Closed() && l.newestAlone() && l.draws > 0 && l.div == nil && l.evaluatedAt != l.Step() {
		l.evaluateNewest(false)
	}
}

// collect adds the points that have been evaluated to the curves.
func (l *lane[F]) collect() {
	if l.evaluator == nil {
		return
	}
	for _, scores := range l.evaluator.Reports() {
		l.unscored[0].Values.Score(&scores)
		l.record()
	}
}

// record adds the oldest unscored point to the curves.
func (l *lane[F]) record() {
	l.history.Add(&l.unscored[0])
	l.unscored = slices.Delete(l.unscored, 0, 1)
}

// flush adds the draws of all chains that wait to the statistics.
func (l *lane[F]) flush() {
	for _, c := range l.chains {
		c.flush()
	}
}

// export gives the present state of a chain to its sink.
func (l *lane[F]) export(c *chain[F]) {
	start := time.Now()
	for i, x := range c.state.Theta {
		l.draw[i] = float64(x)
	}
	accept := 1.0
	if l.method.Metropolis {
		accept = c.info.Accept
	}
	d := engine.Drawn{Step: c.state.Step, Eps: l.stepSizeOf(c), Accept: accept, Divergent: c.info.Divergent, LogPost: l.logPost(c.state.Theta)}
	if err := c.sink.Draw(d, l.draw); l.sinkErr == nil {
		l.sinkErr = err
	}
	l.evalTime += time.Since(start)
}

// logPost is the log posterior density of θ up to a constant: the log-likelihood and
// -‖θ‖²/(2σ²).
func (l *lane[F]) logPost(theta []F) float64 {
	if l.logDensity == nil {
		return math.NaN()
	}
	return l.logDensity.LogLik(theta) + l.logPrior(theta)
}

// logPrior is NaN for a method with a prior of its own.
func (l *lane[F]) logPrior(theta []F) float64 {
	if l.prob.HasData() && !l.set.Has(sampler.KeyPriorVar) {
		return math.NaN()
	}
	sum := 0.0
	for _, x := range theta {
		sum += float64(float64(x) * float64(x))
	}
	return -l.params.PriorPrec * sum / 2
}

// point is the curves' point of the newest draw, but for its scores.
func (l *lane[F]) point() engine.Point {
	start := time.Now()
	logPost, loss := math.NaN(), math.NaN()
	if l.logDensity != nil {
		lik := l.logDensity.LogLik(l.first.state.Theta)
		logPost, loss = lik+l.logPrior(l.first.state.Theta), -lik/float64(l.prob.N())
	} else if l.losses > 0 {
		loss = l.loss / float64(l.losses)
		l.loss, l.losses = 0, 0
	}
	if l.method.Kind == sampler.Variational {
		l.first.observed.CloseStretch()
	}
	p := engine.Point{
		Step: l.Step(), Draws: l.draws, Seconds: l.busy.Seconds(), Epoch: l.epoch(), Eps: l.stepSizeOf(l.first),
		X: float64(l.first.state.Theta[l.tracked[0]]), Y: float64(l.first.state.Theta[l.tracked[min(1, len(l.tracked)-1)]]),
	}
	l.atPoint.on, l.atPoint.logPost, l.atPoint.loss = true, logPost, loss
	p.Values = quantity.PointOf(l)
	l.takeDiscrepant()
	l.atPoint.on = false
	l.evalTime += time.Since(start)
	return p
}

// Errors are those of the window's draws against the truth, see [distance.Truth.Errors]. They are NaN without a truth,
// and that of an optimiser's covariance also.
func (l *lane[F]) Errors() (cov, mean float64) {
	if !l.truthHolds() {
		return math.NaN(), math.NaN()
	}
	if cov, mean = l.truth.Errors(l.pool, l.cov); l.method.Kind == sampler.Optimising {
		cov = math.NaN()
	}
	return cov, mean
}

// Distances are those of the window's draws from the truth, see [distance.Truth.Distances]. A lane
// at rest has those of its result, until a draw comes. Points of the curves have distances of fewer
// draws, until these have grown by a quarter. Views of a running lane take those of the points.
func (l *lane[F]) Distances() (w2, sliced float64) {
	if !l.truthHolds() {
		return math.NaN(), math.NaN()
	}
	d, rough := &l.apart, l.moving
	if l.atPoint.on || rough && !l.pointApart.Stale(l.draws) {
		d, rough = &l.pointApart, true
	}
	if d.Stale(l.draws) || !rough && (d.Draws != l.draws || !d.Whole) {
		*d = l.truth.Distances(l.pool, l.compared.Keepers, l.cov, !rough)
		d.Draws = l.draws
	}
	return d.W2, d.Sliced
}

// truthHolds reports whether there is a truth, which is that of the lane's posterior. A reference is
// of one prior, at T = 1.
func (l *lane[F]) truthHolds() bool {
	ref := l.prob.Reference
	return l.truth != nil && (ref == nil || l.truth.Reference != ref ||
		l.params.PriorPrec == 1/ref.PriorVar && (l.params.Temp == 1 || !l.set.Has(sampler.KeyTemp)))
}

// closeWindow makes the window that ends the window before, unless it is too short to
// compare with.
func (l *lane[F]) closeWindow() {
	if l.previous == nil || l.draws >= minWindow {
		l.flush()
		l.previous = new(l.window(quantity.Of(l)))
	}
}

// openWindow starts a new window of statistics.
func (l *lane[F]) openWindow() {
	l.flush()
	l.windowStart, l.draws = l.Step(), 0
	l.trusted, l.pointApart = pointTrust{}, distance.Found{}
	l.forget()
	for _, c := range l.chains {
		for _, r := range c.recorders {
			r.NewWindow()
		}
		c.observed.Reset()
	}
	l.virial.Reset()
	if l.first.companions != nil {
		l.first.companions.open(&l.first.state)
	}
	l.loss, l.losses = 0, 0
	l.gradsBefore = l.gradientCount()
	if l.evaluator != nil {
		l.evaluator.Reset()
	}
}

// forget drops what views have worked out of draws that are gone.
func (l *lane[F]) forget() {
	l.slowest, l.apart = slowest{}, distance.Found{}
	l.compared.Forget()
	l.discrepancy.Restart()
	l.table.rows, l.table.neededAt = nil, 0
	if l.recent != nil {
		l.recent.Reset()
	}
}

// minWindow is how many draws the window before has at least. A parameter that is turned
// by several notches so compares the first with the last.
const minWindow = 100

func (l *lane[F]) Watch(w engine.Watch) {
	n := len(l.tracked) - 1
	l.x, l.y = min(max(w.X, 0), n), min(max(w.Y, 0), n)
	l.discrepancy.Watch(w.Discrepancy)
	l.principal, l.showWeights, l.passage.Shown, l.table.on = w.Principal, w.Weights, true, w.Rows
}
