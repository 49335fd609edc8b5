package session

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// Saved returns what can be written of a session whose Run has returned. The command
// Save asks one that runs.
func (s *Session) Saved(version string) engine.Saved {
	return engine.Saved{Recording: s.Recording(version), Result: s.Result(version), Draws: slices.Concat(ofLanes(s, runner.newest)...)}
}

// Result returns the end of a session whose Run has returned.
func (s *Session) Result(version string) engine.Result {
	c := s.config()
	c.Lanes = list.Map(c.Lanes, engine.Lane.Off)
	return engine.Result{Version: version, Config: c, EndedBy: s.endedBy(), Lanes: ofLanes(s, runner.result), Truth: engine.TruthOf(s.prob)}
}

func (l *lane[F]) result() engine.LaneResult {
	l.flush()
	l.finish()
	l.settle()
	eps := l.presentEps()
	l.compared.Whole, l.slowest = true, slowest{}
	defer func() { l.compared.Whole, l.slowest = false, slowest{} }()
	of := quantity.Of(l)
	r := engine.LaneResult{
		Lane: engine.LaneLetter(l.id), Sampler: l.method.Name, Kind: l.method.Kind.String(), Chains: len(l.chains), Steps: l.state.Step, Draws: l.draws, Seconds: l.busy.Seconds(),
		StepsPerSecond: engine.Num(l.rate()), Values: of.Values(), Eps: engine.Num(eps), LR: engine.Num(engine.LROfEps(eps, l.prob.N())),
		Diverged: l.div, Digest: l.digest().Digest,
	}
	for i, at := range l.tracked {
		r.Names = append(r.Names, l.prob.Name(at))
		r.Coords = append(r.Coords, of.Coordinate(i))
	}
	if !l.converges() && l.ranks() && l.draws > 0 && l.div == nil {
		r.Probes = l.compared.Probed(l.moment())
	}
	if l.keeper != nil {
		r.RanksEvery = l.keeper.Every()
	}
	if n := len(l.tracked); l.pool.Cov(l.cov) {
		for i := range n {
			r.Cov = append(r.Cov, list.Map(l.cov[i*n:][:n], func(x float64) engine.Num { return engine.Num(x) }))
		}
	}
	return r
}

// Predicted returns what the lanes of a session with Runtime.Parts predict on the test set,
// after Run has returned; nil for a lane that predicts nothing there.
func (s *Session) Predicted() []*predict.Kept { return ofLanes(s, runner.predicted) }

func (l *lane[F]) keepParts() { l.evaluator.KeepParts() }

func (l *lane[F]) predicted() *predict.Kept {
	if l.div != nil {
		return nil
	}
	return l.evaluator.Kept()
}

// newest copies the draws of the chains' rings.
func (l *lane[F]) newest() (all []engine.Draws) {
	l.flush()
	for k, c := range l.chains {
		d := engine.Draws{Place: engine.Place{Lane: l.id, Chain: k, Chains: len(l.chains)}, Sampler: l.method.Name, Of: l.rounds()}
		for i, at := range l.tracked {
			d.Names = append(d.Names, l.prob.Name(at))
			d.Columns = append(d.Columns, c.ring.Append(nil, i, math.MaxInt))
		}
		all = append(all, d)
	}
	return all
}

// NewestThetas returns the lanes' θ of a session whose Run has returned. The
// caller does not change them.
func (s *Session) NewestThetas() []engine.NewestTheta { return ofLanes(s, runner.newestTheta) }

func (l *lane[F]) newestTheta() engine.NewestTheta {
	n := engine.NewestTheta{Lane: engine.LaneLetter(l.id), Sampler: l.set.Sampler}
	n.F32, _ = any(l.state.Theta).([]float32)
	n.F64, _ = any(l.state.Theta).([]float64)
	if t, ok := l.prob.Impl().(targets.Layered); ok {
		n.Layers = t.Layers()
	}
	return n
}
