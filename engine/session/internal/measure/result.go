package measure

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

func (m *Measures[F]) Result(interrupted bool) engine.LaneResult {
	m.Flush()
	m.Finish()
	m.Settle()
	eps := m.PresentEps()
	most := math.MaxInt
	if interrupted {
		most = m.atEnd()
	}
	defer m.whole(most)()
	by := quantity.Of(m)
	seconds, rate := m.Took.Wall.Seconds(), m.rate()
	if m.Drawn() {
		eps, seconds, rate = 0, 0, 0 // nobody knows them
	}
	v := engine.LaneResult{
		Lane:           state.LaneLetter(m.ID),
		Sampler:        m.Method.Name,
		Kind:           m.Method.Kind.String(),
		Chains:         len(m.Records.Chains),
		Steps:          m.Step(),
		Draws:          m.Window.Draws,
		Gradients:      m.GradientCount(),
		Seconds:        seconds,
		StepsPerSecond: engine.Num(rate),
		Eps:            engine.Num(eps),
		LR:             engine.Num(state.LROfEps(eps, m.Problem.N())),
		Diverged:       m.Diverged,
		Digest:         m.Digest().Digest,
	}
	needed, chains := m.rows.need(by.Trust[quantity.Chain]), uint64(v.Chains)
	if m.Functions != nil {
		needed = m.function.found.Needed
	}
	if needed > v.Draws {
		v.StepsNeeded = v.Steps + (needed-v.Draws+chains-1)/chains*m.Records.Thin
	}
	constant, start := m.Unlearnt()
	v.ConstantLoss, v.StartLoss = engine.Num(constant), engine.Num(start)
	for i, at := range m.Tracked {
		v.Names, v.Coords = append(v.Names, m.Problem.Name(at)), append(v.Coords, by.Coordinate(i))
	}
	by.State.Expected = v.Expected().Error(m.Window.Draws)
	v.Values = by.Values()
	v.BiasUnknown = quantity.BiasUnknown(by.State.Facts, &v.Values, v.Coords)
	if !m.Converges() && m.ranks() && m.Window.Draws > 0 && m.Diverged == nil {
		v.Probes = m.slow.chains.Probed(m.moment())
	}
	if k := m.First.Keeper; k != nil {
		_, v.RanksEvery = k.Append(nil, 0, most)
	}
	if n, cov := len(m.Tracked), m.truth.cov; m.pool.Cov(cov) {
		for i := range n {
			v.Cov = append(v.Cov, list.Map(cov[i*n:][:n], func(x float64) engine.Num { return engine.Num(x) }))
		}
	}
	return v
}

// atEnd is how many of a chain's draws are compared where somebody waits.
func (m *Measures[F]) atEnd() int {
	return max(agreement.AtEnd/max(len(m.Records.Chains)*len(m.Tracked), 1), agreement.Live)
}

// whole has so many of a chain's kept draws compared, in all coordinates, until the function that it returns is called.
func (m *Measures[F]) whole(most int) (undo func()) {
	set := func(most int) {
		m.slow.chains.Whole = most
		m.slow.newest = slowest{}
	}
	set(most)
	return func() { set(0) }
}

func (m *Measures[F]) Enough(u quantity.Until) bool {
	m.Flush()
	if !m.Converges() && len(m.Records.Chains) > 1 {
		m.Settle() // they are compared in their predictions
	}
	defer m.whole(math.MaxInt)()
	return u.Met(m, len(m.Tracked))
}

func (m *Measures[F]) Newest() (all []engine.Draws) {
	m.Flush()
	for k, c := range m.Records.Chains {
		d := engine.Draws{ChainID: engine.ChainID{Lane: m.ID, Chain: k, Chains: len(m.Records.Chains)},
			Sampler: m.Method.Name, Of: m.Rounds()}
		for i, at := range m.Tracked {
			d.Names, d.Columns = append(d.Names, m.Problem.Name(at)),
				append(d.Columns, c.Ring.Append(nil, i, math.MaxInt))
		}
		all = append(all, d)
	}
	return all
}

func (m *Measures[F]) NewestTheta() engine.NewestTheta {
	n := engine.NewestTheta{Lane: state.LaneLetter(m.ID), Sampler: m.Setting.Sampler}
	theta := any(m.Shown(m.First.State.Theta))
	n.F32, _ = theta.([]float32)
	n.F64, _ = theta.([]float64)
	if t, ok := m.Problem.Impl().(targets.Layered); ok {
		n.Layers = t.Layers()
	}
	return n
}
