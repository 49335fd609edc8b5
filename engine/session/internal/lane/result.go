package lane

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

func (l *lane[F]) Result(interrupted bool) engine.LaneResult {
	l.flush()
	l.Finish()
	l.Settle()
	eps := l.presentEps()
	l.compared.Whole, l.slowest = math.MaxInt, slowest{}
	if n := len(l.chains) * len(l.tracked); interrupted && n > 0 {
		l.compared.Whole = max(agreement.AtEnd/n, agreement.Live)
	}
	defer func() { l.compared.Whole, l.slowest = 0, slowest{} }()
	of := quantity.Of(l)
	r := engine.LaneResult{
		Lane: engine.LaneLetter(l.id), Sampler: l.method.Name, Kind: l.method.Kind.String(), Chains: len(l.chains), Steps: l.Step(), Draws: l.draws, Seconds: l.busy.Seconds(),
		StepsPerSecond: engine.Num(l.rate()), Values: of.Values(), Eps: engine.Num(eps), LR: engine.Num(engine.LROfEps(eps, l.prob.N())),
		Diverged: l.div, Digest: l.Digest().Digest,
	}
	for i, at := range l.tracked {
		r.Names = append(r.Names, l.prob.Name(at))
		r.Coords = append(r.Coords, of.Coordinate(i))
	}
	if !l.converges() && l.ranks() && l.draws > 0 && l.div == nil {
		r.Probes = l.compared.Probed(l.moment())
	}
	if l.first.keeper != nil {
		_, r.RanksEvery = l.first.keeper.Append(nil, 0, l.compared.Whole)
	}
	if n := len(l.tracked); l.pool.Cov(l.cov) {
		for i := range n {
			r.Cov = append(r.Cov, list.Map(l.cov[i*n:][:n], func(x float64) engine.Num { return engine.Num(x) }))
		}
	}
	return r
}

func (l *lane[F]) KeepParts() { l.evaluator.KeepParts() }

func (l *lane[F]) Predicted() *predict.Kept {
	if l.div != nil {
		return nil
	}
	return l.evaluator.Kept()
}

func (l *lane[F]) Newest() (all []engine.Draws) {
	l.flush()
	for k, c := range l.chains {
		d := engine.Draws{ChainID: engine.ChainID{Lane: l.id, Chain: k, Chains: len(l.chains)}, Sampler: l.method.Name, Of: l.rounds()}
		for i, at := range l.tracked {
			d.Names = append(d.Names, l.prob.Name(at))
			d.Columns = append(d.Columns, c.ring.Append(nil, i, math.MaxInt))
		}
		all = append(all, d)
	}
	return all
}

func (l *lane[F]) NewestTheta() engine.NewestTheta {
	n := engine.NewestTheta{Lane: engine.LaneLetter(l.id), Sampler: l.set.Sampler}
	n.F32, _ = any(l.first.state.Theta).([]float32)
	n.F64, _ = any(l.first.state.Theta).([]float64)
	if t, ok := l.prob.Impl().(targets.Layered); ok {
		n.Layers = t.Layers()
	}
	return n
}
