package measure

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// window is the newest window, read.
func (m *Measures[F]) window(by *quantity.Reading) engine.Window {
	set := m.Setting
	set.Problem = nil // the snapshot has it
	return engine.Window{Start: m.Window.Start, Draws: m.Window.Draws, Setting: set, Values: by.Values(),
		Trust: by.Trust}
}

const (
	trailLen = 4096 // draws in a snapshot's trail, at most
	acfLags  = 201
	// thinSpan is how many τ the draws that are shown span at least: their histogram is then of some 100
	// effective draws or more.
	thinSpan = 200

	reliabilityBins = 10
)

func (m *Measures[F]) View(running bool, worker *beside.Worker) engine.LaneView {
	m.Flush()
	m.Collect()
	eps := m.PresentEps()
	if running {
		m.slow.linger()
	}
	if m.slow.chains.Begin(running, worker) {
		m.slow.newest = slowest{}
	}
	m.now.Moving, m.now.Beside = running, worker
	defer func() { m.now.Moving, m.now.Beside = false, nil }()
	by := quantity.Of(m)
	v := engine.LaneView{
		Window: m.window(by), Facts: by.State.Facts,
		ID: m.ID, Title: m.Method.Title, Kind: m.Method.Kind, Step: m.Step(), Executed: m.Odometer,
		Kept:    m.Kept,
		Scored:  m.Evaluator().Scored(m.Kept),
		Burning: float64(m.Step()) < m.Setting.Or(sampler.KeyBurnIn, 0),
		Eps:     eps, Temp: m.Params.Temp, Seconds: m.Took.Busy.Seconds(), Epoch: by.State.Epoch, Diverged: m.Diverged,
		Previous: m.Window.Before,
		Periods:  slices.Clip(m.Periods),
		Begun:    m.Begun,
		Watch:    [2]int{m.x, m.y},
		Left:     math.NaN(),
		History:  m.curve.history.Points(),
	}
	v.ConstantLoss, v.StartLoss = m.Unlearnt()
	if by.Trust[quantity.Mixing] == metrics.OK {
		v.Slowest = m.Problem.Name(m.Tracked[m.Slowest().Coord])
	}
	v.Farthest = m.truth.Farthest(by)
	for k, i := range v.Watch {
		m.coordView(&v, k, i, by)
	}
	v.BiasUnknown = quantity.BiasUnknown(v.Facts, &v.Values,
		[]quantity.CoordValues{v.Coords[0].Values, v.Coords[1].Values})
	if m.Minibatches != nil {
		v.PassageSteps, v.PassageLoss = m.Passage.Losses()
	}
	v.TrailX = m.First.Ring.Append(make([]float64, 0, trailLen), m.x, trailLen)
	v.TrailY = m.First.Ring.Append(make([]float64, 0, trailLen), m.y, trailLen)
	v.Cov, v.TrueCov = m.truth.covs(m.x, m.y)
	v.Chains, v.Thinned = m.chainViews(), m.thinned(&v)
	if m.Converges() && len(m.Records.Chains) > 1 {
		v.RanksEvery = m.slow.chains.Compare(m.x, m.moment()).Every
	}
	v.Trace = m.traceView()
	v.Rows, v.Needed = m.rows.of(by, m.x), m.rows.need(by.Trust[quantity.Chain])
	if m.Functions != nil && !v.Values[quantity.FnError].OK() { // weights may never be trusted, and need not be
		v.Needed = max(m.function.found.Needed, v.Draws+v.Draws/10)
	}
	v.Weights, v.Function = m.weights.view(), m.function.view()
	if m.principal {
		m.principalView(&v)
	} else {
		v.Motion = m.motion.of([2]int{m.Tracked[m.x], m.Tracked[m.y]})
	}
	if m.Diverged == nil {
		v.Reliability = m.Evaluator().Reliability(reliabilityBins)
	}
	return v
}

// coordView sets the k-th watched coordinate of a view, which is the i-th that is tracked.
func (m *Measures[F]) coordView(v *engine.LaneView, k, i int, by *quantity.Reading) {
	at, info := m.Tracked[i], &m.First.Info
	v.Names[k], v.Now[k] = m.Problem.Name(at), float64(m.Shown(m.First.State.Theta)[at])
	if m.Problem.Scale == nil && m.Method.Kind == sampler.Sampling && !m.Method.Metropolis &&
		(info.Noise2 > 0 || m.Step() == 0) {
		v.Local[k] = math.Sqrt(m.Injected(v.Eps, at))
	}
	why := by.Trust[quantity.Mixing]
	v.Coords[k] = engine.Coord{Values: by.Coordinate(i), Rough: metrics.Withheld(why, m.Window.Draws)}
	if why == metrics.OK || why == metrics.TooShort {
		v.Coords[k].Rough = m.rows.rough(i)
	}
	acf := make([]float64, acfLags)
	v.ACFEvery[k] = lagsEvery(v.Coords[k].Rough)
	v.ACF[k] = acf[:m.pool.ACF(i, v.ACFEvery[k], acf)]
	v.Passage[k] = m.Passage.Coordinate(i)
}

// chainViews are the chains of a lane of several as they are drawn.
func (m *Measures[F]) chainViews() []engine.ChainView {
	if len(m.Records.Chains) == 1 {
		return nil
	}
	all := make([]engine.ChainView, len(m.Records.Chains))
	for j, i := range [2]int{m.x, m.y} {
		var ranks [][]int
		if m.First.Keeper != nil && m.Window.Draws > 0 {
			ranks = m.slow.chains.Ranks(i, m.moment())
		}
		for k, c := range m.Records.Chains {
			v, n := &all[k], trailLen/len(m.Records.Chains)
			*[...]*[]float64{&v.TrailX, &v.TrailY}[j] = c.Ring.Append(make([]float64, 0, n), i, n)
			v.Now[j] = float64(m.Shown(c.State.Theta)[m.Tracked[i]])
			if ranks != nil {
				v.Ranks[j] = ranks[k]
			}
		}
	}
	return all
}

// lagsEvery is how far the lags of an autocorrelation lie apart for it to reach ten times τ: 1, 2 or 5 times a power
// of ten.
func lagsEvery(tau metrics.Estimate) int {
	need := 10 * tau.Value / (acfLags - 1)
	for unit := 1; unit < math.MaxInt32/10; unit *= 10 {
		for _, every := range [...]int{unit, 2 * unit, 5 * unit} {
			if !(float64(every) < need) {
				return every
			}
		}
	}
	return 1
}

// thinned are draws of each chain that lie so far apart that they span [thinSpan] τ of the slower watched coordinate,
// or the whole window where the chain cannot be trusted, so that τ is not known. It is nil where the newest draws span
// as much, and for an optimiser.
func (m *Measures[F]) thinned(v *engine.LaneView) []engine.Trail {
	span := math.Inf(1)
	if why := v.Coords[0].Rough.Status; why == metrics.OK || why == metrics.TooShort {
		span = thinSpan * max(v.Coords[0].Rough.Value, v.Coords[1].Rough.Value)
	}
	k, n := m.First.Keeper, trailLen/len(m.Records.Chains)
	if k == nil || m.Method.Kind != sampler.Sampling || !(span > float64(n)) {
		return nil
	}
	stride := 1
	for stride*n < k.Len() && float64(k.Every())*float64(stride*n) < span {
		stride *= 2
	}
	every := k.Every() * uint64(stride)
	if every == 1 {
		return nil
	}
	return list.Map(m.Records.Chains, func(c *record.Chain[F]) engine.Trail {
		t := engine.Trail{Every: every}
		for j, to := range [2]*[]float64{&t.X, &t.Y} {
			*to = c.Keeper.Newest(make([]float64, 0, n), [2]int{m.x, m.y}[j], n, stride)
		}
		return t
	})
}

// traceView is the path of all chains in the watched coordinates. The bins of the chains are at the same steps.
func (m *Measures[F]) traceView() (t engine.Trace) {
	t.Last, t.Every, t.Even = m.First.Ring.Newest()
	t.Steps = slices.Clone(m.First.Envelope.Bins())
	for k, i := range [2]int{m.x, m.y} {
		at := &t.Coords[k]
		lo, hi, mean := m.First.Envelope.Of(i)
		at.Lo, at.Hi, at.Mean = slices.Clone(lo), slices.Clone(hi), slices.Clone(mean)
		for _, c := range m.Records.Chains[1:] {
			lo, hi, mean = c.Envelope.Of(i)
			for j := range at.Lo {
				at.Lo[j], at.Hi[j] = min(at.Lo[j], lo[j]), max(at.Hi[j], hi[j])
				at.Mean[j] += mean[j]
			}
		}
		for j := range at.Mean {
			at.Mean[j] /= float64(len(m.Records.Chains))
		}
	}
	return t
}
