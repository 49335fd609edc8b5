package quantity

import (
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/metrics/predictive"
)

// A Source is a lane as its quantities read it.
type Source interface {
	// State is where the lane is and what its newest steps say.
	State() State
	// Chains have the draws of the window.
	Chains() metrics.Chains
	// Slowest is the coordinate with the least effective draws.
	Slowest() Slowest
	// Comparison compares the chains in a coordinate, or the halves of the only one.
	Comparison(coord int) metrics.Comparison
	// Tails is Pareto's k of the heavier tail of a coordinate; OK where it is known.
	Tails(coord int) metrics.Estimate
	// Temperature and Location are those of [metrics.Virial], by gradients that do not depend on θ.
	Temperature() metrics.Estimate
	Location() metrics.Estimate
	// Errors are the errors of the covariance and the mean of the window's draws, NaN where they have none.
	Errors() (cov, mean float64)
	// Distances tell how far the draws are from the target.
	Distances() Distances
	// Bias is the error of the covariance that the method's discretisation has however long it runs, NaN where no
	// closed form is known.
	Bias() float64
	// TrueMoments are the mean and standard deviation of a coordinate of the target, NaN where they are not known.
	TrueMoments(coord int) (mean, sd float64)
	// StepBias is the bias that the step size causes in a coordinate, by extrapolation to step size 0: of the mean, and
	// of the variance relative to the unbiased one. Of what is Quartered it is what they are above those at ε/4.
	StepBias(coord int) (mean, variance metrics.Estimate)
	// Scores are those of the predictions.
	Scores() Scores
	// Function tells of the draws as functions.
	Function() Function
}

// Function is how draws do as functions: the distances of mean and band from the truth, R-hat where it is largest, and
// on data held out the negative log-likelihood of the averaged prediction and the coverage of its 90% band. Needed is
// how many draws Mean and Band take at least where they are too short; 0 where that is not known.
type Function struct {
	Mean, Band, RHat, ESS, NLL, Coverage metrics.Estimate
	Needed                               uint64
}

// Distances tell how far draws are from a target.
type Distances struct {
	// W2 is the Wasserstein-2 distance of the normal distributions with the moments of draws and target, and Sliced the
	// sliced one of draws and target themselves. They are NaN where they are not known.
	W2, Sliced float64
	// CovSE and CovNoise are the standard error of the covariance's error and the noise in it, see
	// [metrics.Chains.CovErrorOf].
	CovSE, CovNoise metrics.Estimate
}

// Slowest is a coordinate with its τ and effective draws. ESS is withheld if any coordinate's is.
type Slowest struct {
	Coord    int
	ACT, ESS metrics.Estimate
	Drifts   bool           // its parts differ by more than chance, or any start was far out
	Frozen   bool           // a schedule has stopped the chain, see [metrics.Chains.Frozen]
	Off      metrics.Status // Mode or Bias where a mean is off the known truth, else Absent
	Tails    float64        // the greatest k of any coordinate's tails, NaN where none is known
	// TailsError is its standard error: a mean is withheld that may not exist.
	TailsError float64
	Skewed     bool // any coordinate needs more draws because it is skewed, see [metrics.Chains.Skewed]
	Agreement
}

// Agreement is that of several chains, or of the halves of one, in the coordinate where it is least.
type Agreement struct {
	RHat, Bulk, Tail metrics.Estimate
	Nested           metrics.Estimate // R-hat of groups of chains that began at one place; Absent of few chains
	// Status is OK, or why nothing can be said of the chains together: of one chain, that its halves differ. It is
	// Absent where they were not compared.
	Status metrics.Status
	// Spread is OK if the sd of each coordinate has a standard error, or says why one has none.
	Spread metrics.Status
}

// State is what a lane says of itself without statistics.
type State struct {
	Facts      Facts
	Diverged   metrics.Status // what has stopped the lane; Absent where it runs
	Silent     bool           // it samples without noise: T = 0, or all of the noise is taken to be in the gradient
	Untrained  bool           // what it predicts by has not begun to learn
	OtherTruth bool           // the truth is that of another posterior
	Uneven     bool           // its step size follows a schedule

	Step, Kept, Draws uint64  // draws: in the window
	Seconds           float64 // of sampling, by the wall clock
	Rate              float64 // steps a second that the lane was busy, 0 if it is not known
	Epoch             float64 // passes over the data, NaN without
	WindowSeconds     float64 // that the lane was busy for the window
	WindowGradients   float64 // gradients of one datum in the window
	GradientRate      float64 // gradients a second of sampling, on a target outside of the process
	WaitShare         float64 // of the sampling time, the part spent waiting for them

	Eps, Drift, Noise float64 // of the newest step
	GMin, GMax        float64
	LogPost, Loss     float64 // NaN where they are not known
	ELBO, ELBOError   float64
	Acceptance        float64 // mean over the window
	Divergences       uint64
	EBFMI             metrics.Estimate
	Expected          metrics.Estimate // of [ExpectedOf], in a result; Absent while a lane runs
}

// Scores are the scores of a lane's predictions: of those averaged over the window on the test and training sets, and
// of the newest draw's on the test set, or on the training set where there is no test set.
type Scores struct{ Test, Training, Newest predictive.Scores }

// Trust is why the quantities of each basis cannot be trusted, metrics.OK where they can.
type Trust [numBases]metrics.Status

// divergentShare is the share of a chain's trajectories that may be given up before nothing is trusted of it.
const divergentShare = 0.001

// trustOf decides what can be trusted of a lane.
//
// An optimiser has no chain, but sound predictions. A diverged lane has neither. A chain is trusted if
//   - it is long enough for its slowest coordinate ([metrics.LongEnough]),
//   - that is stationary as far as its parts can tell, and no start was far out ([metrics.Transient]),
//   - no schedule has stopped it ([metrics.Chains.Frozen]),
//   - several chains agree ([metrics.RHatBound], and in their means by their errors), and the halves of one do,
//   - no coordinate is skewed by excursions that were few ([metrics.Chains.Skewed]),
//   - no mean is off a known truth, in one or two dimensions,
//   - no tail is too heavy for a mean ([metrics.ParetoK]),
//   - and no more than 0.1% of its trajectories were given up.
//
// Second moments are trusted if moreover each sd has a standard error ([metrics.Comparison]), and no tail is too heavy
// for one. The draws of a fitted family, which are independent, are trusted if they are long enough at τ = ½. Counts,
// clocks and states rest on nothing.
func trustOf(s Source, st *State) (t Trust, slowest Slowest) {
	t = Trust{Always: metrics.OK, Described: metrics.OK, Steps: metrics.OK, Predictions: metrics.OK,
		Sampled: metrics.OK, Mixing: metrics.OK}
	if st.Diverged != metrics.Absent {
		for b := Described; b < numBases; b++ {
			t[b] = st.Diverged
		}
		return t, slowest
	}
	if st.Draws == 0 {
		t[Described], t[Predictions] = metrics.NoDraws, metrics.NoDraws
	} else if st.Untrained {
		t[Predictions] = metrics.Untrained
	}
	if st.Step == 0 {
		t[Steps] = metrics.Unknown
	}
	switch {
	case !st.Facts.Has(Sampling):
		t[Sampled] = metrics.NotSampled
	case st.Silent:
		t[Sampled] = metrics.NoNoise
	}
	if t[Sampled] == metrics.OK {
		slowest = s.Slowest()
	}
	switch t[Mixing] = t[Sampled]; {
	case t[Mixing] != metrics.OK:
	case st.Draws > 0 && float64(st.Divergences) > divergentShare*float64(st.Draws):
		t[Mixing] = metrics.Divergent
	}
	switch t[Chain] = t[Mixing]; {
	case st.Facts.Has(Variational) && !metrics.LongEnough(st.Draws, 0.5):
		t[Chain] = metrics.TooShort
	case st.Facts.Has(Variational):
		t[Chain] = metrics.OK
	case t[Chain] == metrics.OK:
		switch t[Chain] = slowest.ESS.Status; {
		case slowest.Frozen:
			t[Mixing], t[Chain] = metrics.Frozen, metrics.Frozen
		case slowest.Drifts:
			t[Mixing], t[Chain] = metrics.Drifting, metrics.Drifting
		case slowest.Agreement.Status > metrics.OK:
			t[Mixing], t[Chain] = slowest.Agreement.Status, slowest.Agreement.Status
		case slowest.Skewed:
			t[Mixing], t[Chain] = metrics.Skewed, metrics.Skewed
		case slowest.Off != metrics.Absent:
			t[Mixing], t[Chain] = slowest.Off, slowest.Off
		case t[Chain] == metrics.TooShort: // a coordinate may share the slowness of another, which does not show yet
			t[Mixing] = metrics.TooShort
		case slowest.Tails+slowest.TailsError > metrics.NoMean: // ranks and quantiles stand
			t[Chain] = metrics.Tails
		}
	}
	switch t[Spread] = t[Chain]; {
	case t[Chain] != metrics.OK:
	case slowest.Tails > metrics.NoSD:
		t[Spread] = metrics.Tails
	case slowest.Spread > metrics.OK:
		t[Spread] = slowest.Spread
	}
	return t, slowest
}

// ChainTrust is what can be trusted of a lane's chain.
func ChainTrust(s Source) metrics.Status {
	st := s.State()
	t, _ := trustOf(s, &st)
	return t[Chain]
}

// A Reading is a lane at one moment. Each of its numbers is worked out once.
type Reading struct {
	State State
	Trust Trust

	from       Source
	scores     Scores
	slowest    Slowest
	cov, mean  metrics.Estimate // the errors; they are withheld when they are read, see of
	act, mcse  metrics.Estimate // of the coordinate that is read
	tails      float64          // of that coordinate, or of all of them
	tailsError float64
	compared   metrics.Comparison
	stepBias   [2]metrics.Estimate // of mean and variance
}

// Of reads a lane.
func Of(s Source) *Reading {
	r := begin(s)
	r.scores = s.Scores()
	return r
}

func begin(s Source) *Reading {
	r := &Reading{from: s, State: s.State()}
	r.Trust, r.slowest = trustOf(s, &r.State)
	r.tails, r.tailsError = r.slowest.Tails, r.slowest.TailsError
	cov, mean := s.Errors()
	r.cov, r.mean = r.known(cov), r.known(mean)
	return r
}

// Values are the lane's quantities.
func (r *Reading) Values() (v Values) {
	for id := range All {
		v[id] = r.of(&All[id], 0)
	}
	return v
}

// Coordinate are the quantities of a coordinate.
func (r *Reading) Coordinate(i int) (v CoordValues) {
	r.at(i)
	r.compare(i)
	if r.State.Facts&(Extrapolated|Quartered) != 0 {
		r.stepBias[0], r.stepBias[1] = r.from.StepBias(i)
	}
	for id := range Coordinates {
		v[id] = r.of(&Coordinates[id], i)
	}
	v.FillErrors()
	return v
}

// at reads what needs no comparison.
func (r *Reading) at(i int) {
	why := r.Trust[Mixing]
	if r.tails = nan; r.Trust[Sampled] == metrics.OK {
		k := r.from.Tails(i)
		r.tails, r.tailsError = k.Trusted(), k.Error
	}
	if r.act = metrics.Withheld(why, r.State.Draws); why == metrics.OK {
		r.act = r.from.Chains().ACT(i)
	}
	r.mcse = r.from.Chains().MCSEOf(i, r.act)
}

// compare compares the chains in a coordinate.
func (r *Reading) compare(i int) {
	if r.Trust[Sampled] == metrics.OK && r.State.Facts.Has(Identified) {
		r.compared = r.from.Comparison(i)
	}
}

// FillErrors gives estimates the standard errors that are quantities of their own.
func (v *CoordValues) FillErrors() {
	for id := range Coordinates {
		if by := Coordinates[id].Error; by != 0 && v[id].OK() {
			v[id].Error = v[by].Trusted()
		}
	}
}

// of reads a quantity, withheld where it cannot be trusted.
func (r *Reading) of(q *Quantity, coord int) metrics.Estimate {
	if !r.State.Facts.Has(q.Needs) {
		return metrics.Withheld(metrics.Absent, 0)
	}
	if r.State.OtherTruth && q.Needs&(Truth|CovTruth|Reference|FunctionTruth) != 0 {
		return metrics.Withheld(metrics.OtherTruth, r.State.Draws)
	}
	if s := r.Trust[q.Basis]; s != metrics.OK {
		return metrics.Withheld(s, r.State.Draws)
	}
	k := r.tails
	if q.Exists == metrics.NoMean { // a mean is withheld that may not exist
		k += r.tailsError
	}
	if k > q.Exists && q.Exists > 0 {
		return metrics.Withheld(metrics.Tails, r.State.Draws)
	}
	if q.score != nil {
		return scored(q, &r.scores)
	}
	return q.read(r, coord)
}

// scored is a score, which has no known error.
func scored(q *Quantity, s *Scores) metrics.Estimate {
	v, draws := q.score(s)
	if draws == 0 {
		return metrics.Withheld(metrics.NoDraws, 0)
	}
	return metrics.Known(v, nan, draws)
}

// known is a statistic of the window's draws without a known error.
func (r *Reading) known(v float64) metrics.Estimate {
	if v != v {
		return metrics.Withheld(metrics.Unknown, r.State.Draws)
	}
	return metrics.Known(v, nan, r.State.Draws)
}

// A Point holds the charted quantities at a point of a lane's history, in less room than Values.
type Point struct {
	value  [N]float64
	status [N]metrics.Status
	Chain  metrics.Status // what can be trusted of the chain there
}

// PointOf reads the charted quantities of a lane but for its scores, which [Point.Score] fills in.
func PointOf(s Source) (p Point) {
	r := begin(s)
	p.Chain = r.Trust[Chain]
	for id := range All {
		if All[id].Charted {
			p.Set(ID(id), r.of(&All[id], 0))
		}
	}
	return p
}

// Score fills in the scores of a point that has none yet.
func (p *Point) Score(s *Scores) {
	for id := range All {
		if All[id].Charted && All[id].score != nil && p.status[id] == metrics.NoDraws {
			p.Set(ID(id), scored(&All[id], s))
		}
	}
}

// Of is a charted quantity, NaN where it cannot be trusted, and why that is so. Of any other it is absent.
func (p *Point) Of(id ID) (float64, metrics.Status) {
	if p.status[id] != metrics.OK {
		return nan, p.status[id]
	}
	return p.value[id], metrics.OK
}

// Set puts a charted quantity.
func (p *Point) Set(id ID, e metrics.Estimate) { p.value[id], p.status[id] = e.Value, e.Status }

// ess is the effective size of the slowest coordinate for each of a number of something.
// Its error is that of τ, which stands with τ.
func (r *Reading) ess(per float64) metrics.Estimate {
	ess := r.slowest.ESS
	if !ess.OK() {
		return ess
	}
	if !(per > 0) {
		return metrics.Withheld(metrics.Unknown, ess.Draws)
	}
	return metrics.Known(ess.Value/per, nan, ess.Draws)
}

// rhat is an R-hat, beside the bulk ESS of its chains. One that says that several chains agree, and that of one chain
// but where its halves differ, needs a lane that can be trusted.
func (r *Reading) rhat(e, bulk metrics.Estimate) metrics.Estimate {
	switch {
	case !e.OK() || r.Trust[Mixing] == metrics.OK || bulk.Status == metrics.Drifting:
		return e
	case r.State.Facts.Has(Several) && e.Value >= metrics.RHatBound:
		return e
	}
	return metrics.Withheld(r.Trust[Mixing], e.Draws)
}

// stepped is a number of the newest step.
func (r *Reading) stepped(x float64) metrics.Estimate {
	if r.State.Step == 0 {
		return metrics.Withheld(metrics.Unknown, 0)
	}
	return metrics.Exact(x)
}
