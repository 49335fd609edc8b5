package measure

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
)

// window is the newest window, read.
func (m *Measures[F]) window(by *quantity.Reading) engine.Window {
	set := m.Setting
	set.Problem = nil // the snapshot has it
	return engine.Window{Start: m.Window.Start, End: m.Step(), Draws: m.Window.Draws, Setting: set, Values: by.Values(), Trust: by.Trust}
}

const (
	trailLen = 4096 // draws in a snapshot's trail, at most
	acfLags  = 201

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
		Kept: m.Kept, Scored: m.Evaluator().Scored(m.Kept), Burning: float64(m.Step()) < m.Setting.Or(sampler.KeyBurnIn, 0),
		Eps: eps, Temp: m.Params.Temp, Seconds: m.Took.Busy.Seconds(), Epoch: by.State.Epoch, Diverged: m.Diverged,
		Previous: m.Window.Before, Periods: slices.Clip(m.Periods), Begun: m.Begun, Watch: [2]int{m.x, m.y}, Left: math.NaN(),
		History: m.curve.history.Points(), ConstantLoss: m.ConstantLoss(),
	}
	if by.Trust[quantity.Mixing] == metrics.OK {
		v.Slowest = m.Problem.Name(m.Tracked[m.Slowest().Coord])
	}
	for k, i := range v.Watch {
		m.coordView(&v, k, i, by)
	}
	if m.Minibatches != nil {
		v.PassageSteps, v.PassageLoss = m.Passage.Losses()
	}
	v.TrailX = m.First.Ring.Append(make([]float64, 0, trailLen), m.x, trailLen)
	v.TrailY = m.First.Ring.Append(make([]float64, 0, trailLen), m.y, trailLen)
	v.Cov, v.TrueCov = m.truth.covs(m.x, m.y)
	v.Chains = m.chainViews()
	if m.Converges() && len(m.Records.Chains) > 1 {
		v.RanksEvery = m.slow.chains.Compare(m.x, m.moment()).Every
	}
	v.Trace = m.traceView()
	v.Rows, v.Needed = m.rows.of(by, m.x), m.rows.need(by.Trust[quantity.Chain])
	v.Weights = m.weights.view()
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
	v.Names[k], v.Now[k] = m.Problem.Name(at), float64(m.First.State.Theta[at])
	if m.Method.Kind == sampler.Sampling && !m.Method.Metropolis && (info.Noise2 > 0 || m.Step() == 0) {
		v.Local[k] = math.Sqrt(m.Injected(v.Eps, at))
	}
	why := by.Trust[quantity.Mixing]
	v.Coords[k] = engine.Coord{Values: by.Coordinate(i), Rough: metrics.Withheld(why, m.Window.Draws)}
	if why == metrics.OK || why == metrics.TooShort {
		v.Coords[k].Rough = m.rows.rough(i)
	}
	acf := make([]float64, acfLags)
	v.ACF[k] = acf[:m.pool.ACF(i, acf)]
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
			v.Now[j] = float64(c.State.Theta[m.Tracked[i]])
			if ranks != nil {
				v.Ranks[j] = ranks[k]
			}
		}
	}
	return all
}

// traceView is the path of all chains in the watched coordinates. The bins of the chains
// are at the same steps.
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
