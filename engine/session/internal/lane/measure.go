package lane

import (
	"math"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// A lane is a quantity.Source.

var (
	_ quantity.Source = (*lane[float32])(nil)
	_ quantity.Source = (*lane[float64])(nil)
)

// Chains have the draws of the window.
func (l *lane[F]) Chains() metrics.Chains { return l.pool }

// Bias is that at the present step size.
func (l *lane[F]) Bias() float64 {
	if l.truth == nil || l.cov == nil {
		return math.NaN()
	}
	return engine.CovBias(l.prob, l.set, l.presentEps(), l.truth.Cov)
}

// presentEps is the step size of the next step, or that to which the method has adapted it.
func (l *lane[F]) presentEps() float64 {
	if l.first.info.Eps != 0 {
		return l.first.info.Eps
	}
	return l.epsNow()
}

// TrueMoments are those of the truth, if it is that of the lane's posterior.
func (l *lane[F]) TrueMoments(i int) (mean, sd float64) {
	if !l.truthHolds() {
		return math.NaN(), math.NaN()
	}
	return l.truth.Mean[i], l.truth.SD[i]
}

// Scores are those of the draws that have been evaluated, and NaN for a lane that has
// diverged.
func (l *lane[F]) Scores() quantity.Scores {
	if l.div != nil {
		return predict.NoScores()
	}
	return l.evaluator.Scores()
}

// Predictions are those of the draws that have been evaluated.
func (l *lane[F]) Predictions() (mean, sd []float64) { return l.evaluator.Predictions() }

// slowest is what Slowest found, and at which draw.
type slowest struct {
	kept, draws uint64
	moving      bool // while the lane ran, for which a comparison of a moment ago will do
	quantity.Slowest
	found    time.Time
	location metrics.Estimate // what Location found; Absent until it is asked for
}

// pointTrust is what points of the curves rest on: the slowest coordinate and whether there
// is a temperature, and at which draw of the window they were found. The chains were compared
// at draw compared.
type pointTrust struct {
	draws, compared uint64
	quantity.Slowest
	temperature metrics.Status
}

// With many coordinates τ of each is too much work for every frame.
const (
	manyCoords   = 32
	slowestEvery = 250 * time.Millisecond
)

// keepSlowest lets a view of a running lane of many coordinates do with the slowest of a
// moment ago.
func (l *lane[F]) keepSlowest() {
	if w := &l.slowest; len(l.tracked) > manyCoords && w.draws > 0 && w.draws <= l.draws && time.Since(w.found) < slowestEvery {
		w.kept, w.draws = l.kept, l.draws
	}
}

// Slowest is the tracked coordinate with the least effective draws. It is kept until a draw comes.
// At points of the curves it is kept until the draws have grown by a tenth: in a short chain,
// finding it takes longer than the steps. Comparing the chains takes longer still. They are compared
// anew when the draws have grown by a half, by a quarter if the chains did not agree, and fourfold
// if there is one chain.
func (l *lane[F]) Slowest() quantity.Slowest {
	if !l.atPoint.on {
		if w := &l.slowest; w.ESS.Status == metrics.Absent || w.kept != l.kept || w.draws != l.draws || w.moving && !l.moving {
			*w = slowest{kept: l.kept, draws: l.draws, moving: l.moving, Slowest: l.findSlowest(), found: time.Now()}
			w.Agreement = l.agreement(&w.Slowest)
		}
		return l.slowest.Slowest
	}
	if w := &l.trusted; w.draws == 0 || l.draws > w.draws+w.draws/10 {
		agreed := w.Agreement
		w.draws, w.Slowest, w.temperature = l.draws, l.findSlowest(), l.virial.Temperature().Status
		growth := w.compared / 2
		switch {
		case agreed.Status == metrics.Absent:
			growth = 0
		case agreed.Status != metrics.OK || agreed.Spread != metrics.OK:
			growth = w.compared / 4
		case len(l.chains) == 1:
			growth = w.compared * 3
		}
		if w.Agreement = agreed; l.draws > w.compared+growth {
			w.compared, w.Agreement = l.draws, l.agreement(&w.Slowest)
		}
	}
	return l.trusted.Slowest
}

// findSlowest finds the slowest coordinate, but not whether the chains agree.
func (l *lane[F]) findSlowest() (s quantity.Slowest) {
	for i := range l.tracked {
		act := l.pool.ACT(i)
		ess := l.pool.ESSBy(i, act, l.pool.MCSEOf(i, act))
		if i == 0 || !ess.OK() || ess.Value < s.ESS.Value {
			s.Coord, s.ACT, s.ESS = i, act, ess
		}
		if !ess.OK() {
			break
		}
		s.Skewed = s.Skewed || l.pool.Skewed(i, len(l.tracked), ess.Value)
	}
	s.Drifts = s.ESS.OK() && l.pool.Drifts(s.Coord)
	return s
}

// agreement compares the chains, if they can be compared. The halves of one chain are compared if it is long enough.
func (l *lane[F]) agreement(s *quantity.Slowest) quantity.Agreement {
	if !l.ranks() || len(l.chains) == 1 && !s.ESS.OK() {
		return quantity.Agreement{}
	}
	return l.compared.Agreement(s.Coord, l.moment())
}

// Comparison compares the chains in a tracked coordinate, or the halves of the only chain. Of
// a network there is none unless it is asked for: see [quantity.Identified]. Where not all draws
// are compared, the error of the sd is that of all, as the sd is.
func (l *lane[F]) Comparison(i int) metrics.Comparison {
	of := l.compared.Compare(i, l.moment())
	c := of.Comparison
	if of.Every > 1 && c.SD.OK() {
		if e := l.pool.SDError(i); e.OK() {
			c.SD.Error = e.Value
		}
	}
	return c
}

// moment is now, for what compares the chains.
func (l *lane[F]) moment() agreement.Moment {
	return agreement.Moment{Draws: l.draws, Kept: l.kept, Point: l.atPoint.on, Moving: l.moving, Beside: l.beside}
}

// converges reports whether θ itself converges, which a network's need not.
func (l *lane[F]) converges() bool { return l.prob.F64 != nil }

// ranks reports whether there are numbers in which chains can be compared.
func (l *lane[F]) ranks() bool { return l.converges() || !l.newestAlone() }

// Temperature is that of the window's probes. At a point of the curves it has no error.
func (l *lane[F]) Temperature() metrics.Estimate {
	switch {
	case !l.atPoint.on:
		return l.virial.Temperature()
	case l.trusted.temperature != metrics.OK:
		return metrics.Withheld(l.trusted.temperature, l.draws)
	}
	return metrics.Known(l.virial.Mean(), math.NaN(), l.virial.Draws())
}

// Location is a z-score of the mean gradient of the potential. It is kept for as long as the
// slowest coordinate is.
func (l *lane[F]) Location() metrics.Estimate {
	z := &l.slowest.location
	if z.Status == metrics.Absent {
		*z = l.virial.Location()
	}
	return *z
}

// facts are what holds of the lane and its target.
func (l *lane[F]) facts() (f quantity.Facts) {
	set := func(holds bool, fact quantity.Facts) {
		if holds {
			f |= fact
		}
	}
	switch l.method.Kind {
	case sampler.Sampling:
		f = quantity.Sampling
	case sampler.Optimising:
		f = quantity.Optimising | quantity.Fitting
	case sampler.Variational:
		f = quantity.Variational | quantity.Fitting
	}
	set(l.method.Metropolis, quantity.Metropolis)
	set(len(l.chains) > 1, quantity.Several)
	set(l.ranks(), quantity.Ranked)
	set(l.first.keeper != nil, quantity.Identified)
	set(l.first.companions != nil, quantity.Extrapolated)
	set(l.prob.HasData(), quantity.Data)
	set(l.outside != nil, quantity.Outside)
	if e := l.evaluator; e != nil {
		set(e.HasTest(), quantity.TestSet)
		set(e.HasTraining(), quantity.TrainingSet)
		set(!e.HasTest(), quantity.NoTestSet)
	}
	set(l.truth != nil, quantity.Truth)
	set(l.truth != nil && l.truth.Cov != nil && l.cov != nil, quantity.CovTruth)
	_, exact := l.prob.Impl().(targets.Exact)
	set(exact, quantity.Drawable)
	set(l.prob.Reference != nil, quantity.Reference)
	set(l.logDensity != nil, quantity.Density)
	set(l.logDensity != nil || l.isNetwork, quantity.Likelihood)
	return f
}

// A learner is a kernel that predicts by a state which it fits beside θ.
type learner[F sampler.Float] interface {
	// Learnt reports whether that has begun.
	Learnt(s *sampler.State[F]) bool
}

// epoch is how many passes over the data there were, NaN without data.
func (l *lane[F]) epoch() float64 {
	if !l.prob.HasData() {
		return math.NaN()
	}
	return float64(l.Step()) / l.StepsPerEpoch()
}

// untrained is whether what the lane predicts by has not begun to learn.
func (l *lane[F]) untrained() bool {
	k, ok := l.first.kernel.(learner[F])
	return ok && !k.Learnt(&l.first.state)
}

// density is the log posterior and the loss at the newest point of the history, or at
// the one that is being read; NaN where they are not known.
func (l *lane[F]) density() (logPost, loss float64) {
	if l.atPoint.on {
		return l.atPoint.logPost, l.atPoint.loss
	}
	if p := l.history.Newest(); p != nil {
		return p.Of(quantity.LogPost), p.Of(quantity.Loss)
	}
	return math.NaN(), math.NaN()
}

// State is where the lane is and what its newest steps say.
func (l *lane[F]) State() quantity.State {
	nan := math.NaN()
	s := quantity.State{
		Facts: l.facts(), Diverged: l.div != nil, Silent: l.noiseless(), OtherTruth: l.truth != nil && !l.truthHolds(), Untrained: l.untrained(),
		Uneven: !l.set.Schedule.Constant(),
		Step:   l.Step(), Kept: l.kept, Draws: l.draws, Seconds: l.busy.Seconds(), Rate: l.rate(), Epoch: l.epoch(),
		WindowGradients: float64(l.gradientCount()-l.gradsBefore) * l.gradients(),
		Eps:             l.presentEps(), Drift: math.Sqrt(l.first.info.Drift2), Noise: math.Sqrt(l.first.info.Noise2), GMin: l.first.info.GMin, GMax: l.first.info.GMax,
		ELBO: nan, ELBOError: nan, Acceptance: nan,
	}
	if l.outside != nil {
		s.GradientRate, s.WaitShare = l.outside.cost()
	}
	s.LogPost, s.Loss = l.density()
	if l.odometer > 0 {
		s.WindowSeconds = s.Seconds * float64(l.Step()-l.windowStart) / float64(l.odometer)
	}
	if l.method.Kind == sampler.Variational {
		s.ELBO, s.ELBOError = l.first.observed.Bound()
	}
	if l.method.Metropolis {
		s.Acceptance, s.Divergences, s.EBFMI = l.accepted()
	}
	return s
}

// accepted is the mean probability of acceptance over the window, how many trajectories were
// given up in it, of all chains, and the least E-BFMI of a chain.
func (l *lane[F]) accepted() (acceptance float64, divergent uint64, ebfmi metrics.Estimate) {
	for _, c := range l.chains {
		acceptance += c.observed.Acceptance() / float64(len(l.chains))
		divergent += c.observed.Divergent
		ebfmi = ebfmi.Lesser(c.observed.EBFMI())
	}
	return acceptance, divergent, ebfmi
}

// gradientCount is how many gradients the chains have evaluated.
func (l *lane[F]) gradientCount() (sum uint64) {
	for _, c := range l.chains {
		sum += c.gradEvals
	}
	return sum
}
