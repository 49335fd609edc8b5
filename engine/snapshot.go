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

// LaneView is a lane in a snapshot: the window at hand, where the lane stands, and what
// is drawn of it.
type LaneView struct {
	Window

	ID       int // 0 to 3: A to D
	Title    string
	Kind     sampler.Kind
	Facts    quantity.Facts
	Step     uint64
	Executed uint64
	Kept     uint64 // draws in all
	Scored   uint64 // of Kept, those that do not wait to be in the scores
	Burning  bool   // still in the burn-in
	Eps      float64
	Temp     float64 // the T in force
	Seconds  float64 // sampling
	Epoch    float64 // NaN without data
	Diverged *Divergence
	Previous *Window // before the last tweak

	// The watched coordinates, or the draws' principal directions.
	Watch     [2]int
	Principal bool
	Names     [2]string
	Coords    [2]Coord
	Slowest   string     // name of the coordinate with the largest τ
	Now       [2]float64 // where the chain stands
	Motion    *Motion    // the newest step in its parts, while steps come slowly; nil if not known
	Local     [2]float64 // √(T ε G), or the method's own: standard deviation of the next step's noise; 0 where θ gets none
	TrailX    []float64  // newest draws, oldest first
	TrailY    []float64
	// Passage is the way before there is a draw, through the burn-in, or a method's
	// own warm-up, oldest first: states of which no statistic knows. Nil after it.
	Passage [2][]float64
	Cov     [3]float64 // var x, cov xy, var y of the window's draws; NaN if not known
	TrueCov [3]float64 // the same of the truth
	ACF     [2][]float64

	Reliability []metrics.Bin // of the test set, or of the training set without one
	Weights     []LayerView   // only if watched
	// Left is the time in seconds that the lane needs to its limit; NaN without
	// one or before its speed is known.
	Left    float64
	History []Point
}

// Coord is one coordinate over the window.
type Coord struct {
	Name   string
	Values quantity.CoordValues
	Rough  metrics.Estimate // τ without the demand for 50 τ draws, to be marked as such
}

// Window is what is measured of the draws between two tweaks.
type Window struct {
	Start, End uint64 // steps
	Draws      uint64
	Setting    Lane
	Values     quantity.Values
	Trust      quantity.Trust // of what is not in Values: the covariance, the means
}

func (l *lane[F]) window(r *quantity.Reading) Window {
	return Window{Start: l.windowStart, End: l.state.Step, Draws: l.draws, Setting: l.set, Values: r.Values(), Trust: r.Trust}
}

// silent is whether the newest step of a sampler injected no noise, though T is
// not 0, as SGHMC's does not where it takes all of it to be in the gradient.
func (l *lane[F]) silent() bool {
	return !l.method.Metropolis && !l.info.Skip && l.state.Step > 0 && l.info.Noise2 == 0
}

func (l *lane[F]) rate() float64 {
	if l.busy <= 0 {
		return 0
	}
	return float64(l.odometer) / l.busy.Seconds()
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
		Window: l.window(r), Facts: r.State.Facts,
		ID: l.id, Title: l.method.Title, Kind: l.method.Kind, Step: l.state.Step, Executed: l.odometer,
		Kept: l.kept, Scored: l.evaluator.Scored(l.kept), Burning: float64(l.state.Step) < l.set.Or(sampler.KeyBurnIn, 0),
		Eps: eps, Temp: l.params.Temp, Seconds: l.busy.Seconds(), Epoch: r.State.Epoch, Diverged: l.div, Previous: l.previous,
		Watch: [2]int{l.x, l.y}, Left: nan,
		History: l.history.points[:len(l.history.points):len(l.history.points)],
	}
	if r.Trust[quantity.Mixing] == metrics.OK {
		at, _ := l.Slowest()
		v.Slowest = l.name(l.tracked[at])
	}
	for k, i := range v.Watch {
		at := l.tracked[i]
		v.Names[k], v.Now[k] = l.name(at), float64(l.state.Theta[at])
		if l.method.Kind == sampler.Sampling && !l.method.Metropolis && (l.info.Noise2 > 0 || l.state.Step == 0) {
			v.Local[k] = math.Sqrt(l.injected(eps, at))
		}
		v.Coords[k] = Coord{Name: v.Names[k], Values: r.Coordinate(i), Rough: metrics.Withheld(r.Trust[quantity.Mixing], l.draws)}
		if r.Trust[quantity.Mixing] == metrics.OK {
			v.Coords[k].Rough = l.chain.ACTLoose(i)
		}
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
	v.Weights = l.weightsView(running)
	if l.principal {
		l.principalView(&v)
	}
	v.Motion = l.newestStep()
	if l.div == nil {
		v.Reliability = l.evaluator.Reliability(reliabilityBins)
	}
	return v
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
