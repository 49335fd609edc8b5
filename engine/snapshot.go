package engine

import (
	"math"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// Phase is what a session is doing.
type Phase uint8

// The phases.
const (
	Running Phase = iota
	Paused
	Done        // a limit was reached
	AllDiverged // every lane has diverged
)

func (p Phase) String() string {
	return [...]string{"running", "paused", "done", "diverged"}[p]
}

// Snapshot is what a session shows of itself. It is never changed once it is
// published, and shares nothing with the session that the session changes.
type Snapshot struct {
	Version   uint64 // grows with each snapshot
	Applied   uint64 // serial of the newest command that was applied or refused
	Config    Config // with the lanes' present settings
	Problem   *targets.Problem
	Phase     Phase
	Speed     float64 // limit in steps a second, 0 for none
	Rate      float64 // steps a second, summed over the lanes
	Lanes     []LaneView
	Marks     []Mark
	Notice    Notice // the newest thing to tell the user
	CanUndo   bool
	CanRedo   bool
	CanReturn bool // there is a session that the one at hand has replaced
	// Predictions are those of single test images, the most disputed first; only
	// if watched, and only for a target with a test set.
	Predictions []predict.Prediction
	// Shift is what the lanes say of shifted test images, nil where there are none
	// to shift. While a shift is on, Predictions keeps its order.
	Shift *predict.ShiftView
	// Replaying is how many events of a recording are still to come.
	Replaying int
	Tape      Tape
}

// LaneView is a lane in a snapshot.
type LaneView struct {
	ID       int // 0 to 3: A to D
	Title    string
	Kind     sampler.Kind
	Setting  Lane
	Step     uint64
	Executed uint64
	Draws    uint64 // kept, in this window
	Kept     uint64 // kept, in all
	Scored   uint64 // of Kept, those that do not wait to be in Test, Train and Newest
	Burning  bool   // still in the burn-in
	Eps, LR  float64
	Temp     float64 // the T in force
	Seconds  float64 // sampling
	Rate     float64 // steps a second
	Epoch    float64 // NaN without data
	Diverged *Divergence

	Facts  quantity.Facts
	Values quantity.Values
	Trust  quantity.Trust // of what is not in Values: the draws' covariance, their means

	// The watched coordinates, or the draws' principal directions.
	Watch     [2]int
	Principal bool
	Names     [2]string
	Now       [2]float64 // where the chain stands
	Motion    *Motion    // the newest step in its parts, while steps come slowly; nil if not known
	Local     [2]float64 // √(T ε G), or the method's own: standard deviation of the next step's noise; 0 where θ gets none
	TrailX    []float64  // newest draws, oldest first
	TrailY    []float64
	// Passage is the way before there is a draw, through the burn-in, or a method's
	// own warm-up, oldest first: states of which no statistic knows. Nil after it.
	Passage [2][]float64
	Coords  [2]Coord
	Cov     [3]float64 // var x, cov xy, var y of the window; NaN if not known
	TrueCov [3]float64 // the same of the truth
	ACF     [2][]float64

	Worst     int // coordinate with the least ESS
	WorstName string
	MinESS    metrics.Estimate
	MaxACT    metrics.Estimate
	ESSPerSec float64 // of MinESS; NaN if not known
	ESSPerG   float64 // of MinESS, for each gradient of one datum

	CovError  float64 // against the truth
	MeanError float64
	Bias      float64 // the part of CovError that the discretisation causes, where it is known exactly
	Virial    metrics.Estimate
	VirialSE  metrics.Estimate
	LogPost   float64
	Loss      float64 // as in Point
	ELBO      float64 // of a variational family, else NaN
	// Acceptance is the mean probability of acceptance over the window, NaN for a
	// method that accepts all, and Divergences its divergent trajectories.
	Acceptance  float64
	Divergences uint64

	Test, Train, Newest metrics.Scores
	Reliability         []metrics.Bin // of Test, or of Train without a test set

	Weights []LayerView // only if watched
	// Left is the time in seconds that the lane needs to its limit; NaN without
	// one or before its speed is known.
	Left float64

	Drift, Noise float64 // norms of the step
	GMin, GMax   float64
	History      []Point
	Window       Window
	Previous     *Window // before the last tweak
}

// Coord is the summary of one coordinate over the window.
type Coord struct {
	Name             string
	Values           quantity.CoordValues
	Mean, SD         float64
	MCSE, ACT, ESS   metrics.Estimate
	ACTLoose         metrics.Estimate // without the demand for 50 τ draws
	TrueMean, TrueSD float64          // NaN where there is no truth
}

// Window is the summary of the draws between two tweaks.
type Window struct {
	Start, End uint64 // steps
	Draws      uint64
	Setting    Lane
	Values     quantity.Values
	MaxACT     metrics.Estimate
	MinESS     metrics.Estimate
	CovError   float64
	Temp       float64
	TestError  float64
	MeanX      float64
	SDX        float64
	Rate       float64
}

func (l *lane[F]) windowSummary() Window { return l.windowOf(quantity.Of(l)) }

func (l *lane[F]) windowOf(r *quantity.Reading) Window {
	w := Window{
		Values: r.Values(),
		Start:  l.windowStart, End: l.state.Step, Draws: l.draws, Setting: l.set,
		Temp: l.virial.Mean(0), TestError: l.Scores().Test.Error,
		MeanX: l.chain.Mean(l.x), SDX: math.Sqrt(l.chain.Var(l.x)), Rate: l.rate(),
	}
	w.CovError, _ = l.errors()
	_, w.MaxACT, w.MinESS = l.worst()
	return w
}

// sure is an estimate of a lane that samples: a diverged lane and one without
// noise have none, however their numbers look.
func (l *lane[F]) sure(e metrics.Estimate) metrics.Estimate {
	switch {
	case l.div != nil:
		e = metrics.Withheld(metrics.Diverged, l.draws)
	case l.method.Kind != sampler.Sampling:
		e = metrics.Withheld(metrics.NotSampled, l.draws)
	case l.params.Temp == 0 || l.silent():
		e = metrics.Withheld(metrics.NoNoise, l.draws)
	}
	return e
}

// silent is whether the newest step of a sampler injected no noise, though T is
// not 0, as SGHMC's does not where it takes all of it to be in the gradient.
func (l *lane[F]) silent() bool {
	return !l.method.Metropolis && !l.info.Skip && l.state.Step > 0 && l.info.Noise2 == 0
}

// worst returns the coordinate with the largest τ, its τ and its ESS. If one
// coordinate has none, then so has the whole.
func (l *lane[F]) worst() (at int, act, ess metrics.Estimate) {
	at, act = l.Slowest()
	return at, l.sure(act), l.sure(l.chain.ESS(at))
}

func (l *lane[F]) rate() float64 {
	if l.busy <= 0 {
		return 0
	}
	return float64(l.odometer) / l.busy.Seconds()
}

func (l *lane[F]) coord(r *quantity.Reading, i int) Coord {
	c := Coord{
		Values: r.Coordinate(i),
		Name:   l.name(l.tracked[i]), Mean: l.chain.Mean(i), SD: math.Sqrt(l.chain.Var(i)),
		MCSE: l.sure(l.chain.MCSE(i)), ACT: l.sure(l.chain.ACT(i)), ESS: l.sure(l.chain.ESS(i)), ACTLoose: l.sure(l.chain.ACTLoose(i)),
		TrueMean: math.NaN(), TrueSD: math.NaN(),
	}
	if l.truth != nil && l.truthHolds() {
		c.TrueMean, c.TrueSD = l.truth.Mean[i], l.truth.SD[i]
	}
	return c
}

const (
	trailLen = 4096 // draws in a snapshot's trail, at most
	acfLags  = 201

	reliabilityBins = 10
)

func (l *lane[F]) view(running bool) LaneView {
	l.flush()
	l.collect()
	nan := math.NaN()
	eps := l.presentEps()
	if running {
		l.keepSlowest()
	}
	r := quantity.Of(l)
	v := LaneView{
		Facts: r.State.Facts, Trust: r.Trust,
		ID: l.id, Title: l.method.Title, Kind: l.method.Kind, Setting: l.set, Step: l.state.Step, Executed: l.odometer,
		Draws: l.draws, Kept: l.kept, Scored: l.evaluator.Scored(l.kept), Burning: float64(l.state.Step) < l.set.Or(sampler.KeyBurnIn, 0),
		Eps: eps, LR: LROfEps(eps, l.prob.N()), Temp: l.params.Temp,
		Seconds: l.busy.Seconds(), Rate: l.rate(), Epoch: nan, Diverged: l.div,
		Watch: [2]int{l.x, l.y},
		Drift: math.Sqrt(l.info.Drift2), Noise: math.Sqrt(l.info.Noise2), GMin: l.info.GMin, GMax: l.info.GMax,
		History:  l.history.points[:len(l.history.points):len(l.history.points)],
		Previous: l.previous, Bias: nan, ESSPerSec: nan, ESSPerG: nan, LogPost: nan, Left: nan,
		Loss: nan, ELBO: nan, Acceptance: nan,
		Window: l.windowOf(r),
	}
	v.Values = v.Window.Values
	if l.prob.HasData() {
		v.Epoch = float64(l.state.Step) / l.stepsPerEpoch()
	}
	v.CovError, v.MeanError = l.errors()
	for k, i := range v.Watch {
		at := l.tracked[i]
		v.Names[k], v.Now[k] = l.name(at), float64(l.state.Theta[at])
		if l.method.Kind == sampler.Sampling && !l.method.Metropolis && (l.info.Noise2 > 0 || l.state.Step == 0) {
			v.Local[k] = math.Sqrt(l.injected(eps, at))
		}
		v.Coords[k] = l.coord(r, i)
		acf := make([]float64, acfLags)
		v.ACF[k] = acf[:l.chain.ACF(i, acf)]
		v.Passage[k] = l.passing(i)
	}
	v.TrailX = l.ring.appendTo(make([]float64, 0, trailLen), l.x, trailLen)
	v.TrailY = l.ring.appendTo(make([]float64, 0, trailLen), l.y, trailLen)
	v.Cov = [3]float64{nan, nan, nan}
	v.TrueCov = [3]float64{nan, nan, nan}
	if d := len(l.tracked); l.truth != nil && l.truth.Cov != nil && l.truthHolds() {
		v.TrueCov = [3]float64{l.truth.Cov[l.x*d+l.x], l.truth.Cov[l.x*d+l.y], l.truth.Cov[l.y*d+l.y]}
	}
	if d := len(l.tracked); l.chain.Cov(l.cov) {
		v.Cov = [3]float64{l.cov[l.x*d+l.x], l.cov[l.x*d+l.y], l.cov[l.y*d+l.y]}
	}
	v.Worst, v.MaxACT, v.MinESS = l.worst()
	v.Virial, v.VirialSE = l.virialMean(v.MaxACT)
	v.WorstName = l.name(l.tracked[v.Worst])
	if s := l.busy.Seconds(); s > 0 && v.MinESS.OK() && l.odometer > 0 {
		// Seconds of the window's share of the steps.
		steps := float64(l.state.Step - l.windowStart)
		v.ESSPerSec = v.MinESS.Value / (s * steps / float64(l.odometer))
		v.ESSPerG = v.MinESS.Value / (float64(l.gradEvals-l.evals) * l.gradients())
	}
	if l.truth != nil {
		v.Bias = l.bias(eps)
	}
	v.Weights = l.weightsView(running)
	if l.principal {
		l.principalView(&v)
	}
	v.Motion = l.newestStep()
	if n := len(l.history.points); n > 0 {
		v.LogPost, v.Loss = l.history.points[n-1].LogPost, l.history.points[n-1].Loss
	}
	if l.method.Kind == sampler.Variational && l.div == nil {
		v.ELBO, _ = l.seen.bound()
	}
	if l.method.Metropolis {
		v.Acceptance, v.Divergences = l.seen.acceptance(), l.seen.divergent
	}
	e := l.Scores()
	v.Test, v.Train, v.Newest = e.Test, e.Training, e.Newest
	if l.div == nil {
		v.Reliability = l.evaluator.Reliability(reliabilityBins)
	}
	return v
}

// virialMean is the configurational temperature and its standard error. On the
// way to the typical set θ·∇U is far from its mean and hardly varies, so neither
// is trusted before τ of every coordinate is.
func (l *lane[F]) virialMean(worst metrics.Estimate) (mean, se metrics.Estimate) {
	se = l.sure(l.virial.MCSE(0))
	mean = se
	if se.OK() && !worst.OK() {
		se.Value, se.Status = math.NaN(), worst.Status
	}
	mean.Value, mean.Status = math.NaN(), se.Status
	if se.OK() {
		mean.Value = l.virial.Mean(0)
	}
	return mean, se
}

// gradients is how many data a gradient takes.
func (l *lane[F]) gradients() float64 {
	if n := l.grad.n; n > 0 {
		return float64(n)
	}
	return float64(l.prob.N())
}

// injected is the variance of the noise in a coordinate at step size eps.
func (l *lane[F]) injected(eps float64, i int) float64 {
	if k, ok := l.kernel.(sampler.Injector); ok {
		p := l.params
		p.Eps = eps
		return k.Injected(&p)
	}
	return l.params.Temp * eps * l.gain(i)
}

// gain is the newest G of a coordinate; 1 without a preconditioner.
func (l *lane[F]) gain(i int) float64 {
	if l.state.Step > 0 {
		return float64(l.kernel.GainAt(i))
	}
	return 1
}

// bias is the covariance error that the method's discretisation has however
// long it runs; NaN where it is not known.
func (l *lane[F]) bias(eps float64) float64 {
	d := len(l.truth.Mean)
	p := l.params
	p.Eps = eps
	cov := make([]float64, d*d)
	if l.method.StationaryCov == nil || !l.set.Schedule.Constant() || !l.method.StationaryCov(cov, l.prob.Impl(), &p) {
		return math.NaN()
	}
	return metrics.CovError(cov, l.truth.Cov)
}
