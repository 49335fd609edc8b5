package record

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// window is the newest window, read.
func (r *Records[F]) window(by *quantity.Reading) engine.Window {
	set := r.Setting
	set.Problem = nil // the snapshot has it
	return engine.Window{Start: r.Window.Start, End: r.Step(), Draws: r.Window.Draws, Setting: set, Values: by.Values(), Trust: by.Trust}
}

const (
	trailLen = 4096 // draws in a snapshot's trail, at most
	acfLags  = 201

	reliabilityBins = 10
)

// View is the lane as it is shown, while it runs or stands still. worker works out what takes long. It
// may be nil.
func (r *Records[F]) View(running bool, worker *beside.Worker) engine.LaneView {
	r.Flush()
	if r.predictions != nil {
		r.predictions.collect()
	}
	eps := r.PresentEps()
	if running {
		r.slow.linger()
	}
	if r.compared.by.Begin(running, worker) {
		r.slow.forget()
	}
	r.now.Moving, r.now.Beside = running, worker
	defer func() { r.now.Moving, r.now.Beside = false, nil }()
	by := quantity.Of(r)
	v := engine.LaneView{
		Window: r.window(by), Facts: by.State.Facts,
		ID: r.ID, Title: r.Method.Title, Kind: r.Method.Kind, Step: r.Step(), Executed: r.Odometer,
		Kept: r.Kept, Scored: r.evaluator().Scored(r.Kept), Burning: float64(r.Step()) < r.Setting.Or(sampler.KeyBurnIn, 0),
		Eps: eps, Temp: r.Params.Temp, Seconds: r.Busy.Seconds(), Epoch: by.State.Epoch, Diverged: r.Diverged,
		Previous: r.Window.Before, Periods: slices.Clip(r.Periods), Begun: r.Begun, Watch: [2]int{r.x, r.y}, Left: math.NaN(),
		History: r.curve.history.Points(),
	}
	if by.Trust[quantity.Mixing] == metrics.OK {
		v.Slowest = r.Problem.Name(r.Tracked[r.Slowest().Coord])
	}
	for k, i := range v.Watch {
		r.coordView(&v, k, i, by)
	}
	if r.minibatches != nil {
		v.PassageSteps, v.PassageLoss = r.Passage.Losses()
	}
	v.TrailX = r.First.ring.Append(make([]float64, 0, trailLen), r.x, trailLen)
	v.TrailY = r.First.ring.Append(make([]float64, 0, trailLen), r.y, trailLen)
	v.Cov, v.TrueCov = r.truth.covs(r.x, r.y)
	v.Chains = r.chainViews()
	if r.Converges() && len(r.Run.Chains) > 1 {
		v.RanksEvery = r.compared.by.Compare(r.x, r.moment()).Every
	}
	v.Trace = r.traceView()
	v.Rows, v.Needed = r.rows.of(by, r.x), r.rows.need(by.Trust[quantity.Chain])
	v.Weights = r.weights.view()
	if r.principal {
		r.principalView(&v)
	}
	if !r.principal {
		v.Motion = r.motion.of([2]int{r.Tracked[r.x], r.Tracked[r.y]})
	}
	if r.Diverged == nil {
		v.Reliability = r.evaluator().Reliability(reliabilityBins)
	}
	return v
}

// coordView sets the k-th watched coordinate of a view, which is the i-th that is tracked.
func (r *Records[F]) coordView(v *engine.LaneView, k, i int, by *quantity.Reading) {
	at, info := r.Tracked[i], &r.First.Info
	v.Names[k], v.Now[k] = r.Problem.Name(at), float64(r.First.State.Theta[at])
	if r.Method.Kind == sampler.Sampling && !r.Method.Metropolis && (info.Noise2 > 0 || r.Step() == 0) {
		v.Local[k] = math.Sqrt(r.injected(v.Eps, at))
	}
	why := by.Trust[quantity.Mixing]
	v.Coords[k] = engine.Coord{Values: by.Coordinate(i), Rough: metrics.Withheld(why, r.Window.Draws)}
	if why == metrics.OK {
		v.Coords[k].Rough = r.rows.rough(i)
	}
	acf := make([]float64, acfLags)
	v.ACF[k] = acf[:r.pool.ACF(i, acf)]
	v.Passage[k] = r.Passage.Coordinate(i)
}

// chainViews are the chains of a lane of several as they are drawn.
func (r *Records[F]) chainViews() []engine.ChainView {
	if len(r.Run.Chains) == 1 {
		return nil
	}
	all := make([]engine.ChainView, len(r.Run.Chains))
	for j, i := range [2]int{r.x, r.y} {
		var ranks [][]int
		if r.First.keeper != nil && r.Window.Draws > 0 {
			ranks = r.compared.by.Ranks(i, r.moment())
		}
		for k, c := range r.Run.Chains {
			v, n := &all[k], trailLen/len(r.Run.Chains)
			*[...]*[]float64{&v.TrailX, &v.TrailY}[j] = c.ring.Append(make([]float64, 0, n), i, n)
			v.Now[j] = float64(c.State.Theta[r.Tracked[i]])
			if ranks != nil {
				v.Ranks[j] = ranks[k]
			}
		}
	}
	return all
}

// traceView is the path of all chains in the watched coordinates. The bins of the chains
// are at the same steps.
func (r *Records[F]) traceView() (t engine.Trace) {
	t.Last, t.Every, t.Even = r.First.ring.Newest()
	t.Steps = slices.Clone(r.First.envelope.Bins())
	for k, i := range [2]int{r.x, r.y} {
		at := &t.Coords[k]
		lo, hi, mean := r.First.envelope.Of(i)
		at.Lo, at.Hi, at.Mean = slices.Clone(lo), slices.Clone(hi), slices.Clone(mean)
		for _, c := range r.Run.Chains[1:] {
			lo, hi, mean = c.envelope.Of(i)
			for j := range at.Lo {
				at.Lo[j], at.Hi[j] = min(at.Lo[j], lo[j]), max(at.Hi[j], hi[j])
				at.Mean[j] += mean[j]
			}
		}
		for j := range at.Mean {
			at.Mean[j] /= float64(len(r.Run.Chains))
		}
	}
	return t
}
