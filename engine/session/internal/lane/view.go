package lane

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/beside"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

func (l *lane[F]) window(r *quantity.Reading) engine.Window {
	set := l.set
	set.Problem = nil // the snapshot has it
	return engine.Window{Start: l.windowStart, End: l.Step(), Draws: l.draws, Setting: set, Values: r.Values(), Trust: r.Trust}
}

// silent reports whether the newest step of a sampler injected no noise though T is not
// 0. SGHMC's does so where it takes all noise to be in the gradient.
func (l *lane[F]) silent() bool {
	return !l.method.Metropolis && !l.first.info.Skip && l.Step() > 0 && l.first.info.Noise2 == 0
}

// noiseless reports whether a sampler injects no noise.
func (l *lane[F]) noiseless() bool { return l.params.Temp == 0 || l.silent() }

// rate is how many steps the chains make together in a second, 0 if it is not known.
func (l *lane[F]) rate() float64 {
	if l.busy <= 0 {
		return 0
	}
	return float64(l.odometer) * float64(len(l.chains)) / l.busy.Seconds()
}

const (
	trailLen = 4096 // draws in a snapshot's trail, at most
	acfLags  = 201

	reliabilityBins = 10
)

func (l *lane[F]) View(running bool, by *beside.Worker) engine.LaneView {
	l.flush()
	l.collect()
	nan := math.NaN()
	eps := l.presentEps()
	if running {
		l.keepSlowest()
	}
	if l.compared.Begin(running, by) {
		l.slowest = slowest{}
	}
	l.moving, l.beside = running, by
	defer func() { l.moving, l.beside = false, nil }()
	r := quantity.Of(l)
	v := engine.LaneView{
		Window: l.window(r), Facts: r.State.Facts,
		ID: l.id, Title: l.method.Title, Kind: l.method.Kind, Step: l.Step(), Executed: l.odometer,
		Kept: l.kept, Scored: l.evaluator.Scored(l.kept), Burning: float64(l.Step()) < l.set.Or(sampler.KeyBurnIn, 0),
		Eps: eps, Temp: l.params.Temp, Seconds: l.busy.Seconds(), Epoch: r.State.Epoch, Diverged: l.div, Previous: l.previous, Periods: slices.Clip(l.periods), Begun: l.begun,
		Watch: [2]int{l.x, l.y}, Left: nan,
		History: l.history.Points(),
	}
	if r.Trust[quantity.Mixing] == metrics.OK {
		at := l.Slowest().Coord
		v.Slowest = l.prob.Name(l.tracked[at])
	}
	for k, i := range v.Watch {
		at := l.tracked[i]
		v.Names[k], v.Now[k] = l.prob.Name(at), float64(l.first.state.Theta[at])
		if l.method.Kind == sampler.Sampling && !l.method.Metropolis && (l.first.info.Noise2 > 0 || l.Step() == 0) {
			v.Local[k] = math.Sqrt(l.injected(eps, at))
		}
		v.Coords[k] = engine.Coord{Values: r.Coordinate(i), Rough: metrics.Withheld(r.Trust[quantity.Mixing], l.draws)}
		if r.Trust[quantity.Mixing] == metrics.OK {
			v.Coords[k].Rough = l.rough(i)
		}
		acf := make([]float64, acfLags)
		v.ACF[k] = acf[:l.pool.ACF(i, acf)]
		v.Passage[k] = l.passage.Coordinate(i)
	}
	if l.isNetwork {
		v.PassageSteps, v.PassageLoss = l.passage.Losses()
	}
	v.TrailX = l.first.ring.Append(make([]float64, 0, trailLen), l.x, trailLen)
	v.TrailY = l.first.ring.Append(make([]float64, 0, trailLen), l.y, trailLen)
	v.Cov = [3]float64{nan, nan, nan}
	v.TrueCov = [3]float64{nan, nan, nan}
	if d := len(l.tracked); l.truthHolds() && l.truth.Cov != nil {
		v.TrueCov = [3]float64{l.truth.Cov[l.x*d+l.x], l.truth.Cov[l.x*d+l.y], l.truth.Cov[l.y*d+l.y]}
	}
	if d := len(l.tracked); l.pool.Cov(l.cov) {
		v.Cov = [3]float64{l.cov[l.x*d+l.x], l.cov[l.x*d+l.y], l.cov[l.y*d+l.y]}
	}
	v.Chains = l.chainViews()
	if l.converges() && len(l.chains) > 1 {
		v.RanksEvery = l.compared.Compare(l.x, l.moment()).Every
	}
	v.Trace = l.traceView()
	v.Rows, v.Needed = l.rowsView(r, running), l.neededView(r.Trust[quantity.Chain], running)
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

// chainViews are the chains of a lane of several as they are drawn.
func (l *lane[F]) chainViews() []engine.ChainView {
	if len(l.chains) == 1 {
		return nil
	}
	all := make([]engine.ChainView, len(l.chains))
	for j, i := range [2]int{l.x, l.y} {
		var ranks [][]int
		if l.first.keeper != nil && l.draws > 0 {
			ranks = l.compared.Ranks(i, l.moment())
		}
		for k, c := range l.chains {
			v, n := &all[k], trailLen/len(l.chains)
			*[...]*[]float64{&v.TrailX, &v.TrailY}[j] = c.ring.Append(make([]float64, 0, n), i, n)
			v.Now[j] = float64(c.state.Theta[l.tracked[i]])
			if ranks != nil {
				v.Ranks[j] = ranks[k]
			}
		}
	}
	return all
}

// gradients is how many data a gradient takes.
func (l *lane[F]) gradients() float64 {
	if n := l.first.grad.N; n > 0 {
		return float64(n)
	}
	return float64(l.prob.N())
}

// injected is the variance of the noise in a coordinate at step size eps.
func (l *lane[F]) injected(eps float64, i int) float64 {
	if k, ok := l.first.kernel.(sampler.Injector); ok {
		p := l.params
		p.Eps = eps
		return k.Injected(&p)
	}
	return l.params.Temp * eps * l.gain(i)
}

// gain is the newest G of a coordinate; 1 without a preconditioner.
func (l *lane[F]) gain(i int) float64 {
	if l.Step() > 0 {
		return float64(l.first.kernel.GainAt(i))
	}
	return 1
}

// traceView is the path of all chains in the watched coordinates. The bins of the chains
// are at the same steps.
func (l *lane[F]) traceView() (t engine.Trace) {
	t.Last, t.Every, t.Even = l.first.ring.Newest()
	t.Steps = slices.Clone(l.first.envelope.Bins())
	for k, i := range [2]int{l.x, l.y} {
		at := &t.Coords[k]
		lo, hi, mean := l.first.envelope.Of(i)
		at.Lo, at.Hi, at.Mean = slices.Clone(lo), slices.Clone(hi), slices.Clone(mean)
		for _, c := range l.chains[1:] {
			lo, hi, mean = c.envelope.Of(i)
			for j := range at.Lo {
				at.Lo[j], at.Hi[j] = min(at.Lo[j], lo[j]), max(at.Hi[j], hi[j])
				at.Mean[j] += mean[j]
			}
		}
		for j := range at.Mean {
			at.Mean[j] /= float64(len(l.chains))
		}
	}
	return t
}
