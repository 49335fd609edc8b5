package record

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/list"
)

// Result is the end of the lane: what it was, and its quantities.
func (r *Records[F]) Result() engine.LaneResult {
	r.Flush()
	r.Finish()
	r.Settle()
	eps := r.PresentEps()
	defer r.whole()()
	by := quantity.Of(r)
	v := engine.LaneResult{
		Lane: engine.LaneLetter(r.ID), Sampler: r.Method.Name, Kind: r.Method.Kind.String(), Chains: len(r.Run.Chains), Steps: r.Step(),
		Draws: r.Window.Draws, Seconds: r.Busy.Seconds(), StepsPerSecond: engine.Num(r.Rate()), Values: by.Values(),
		Eps: engine.Num(eps), LR: engine.Num(engine.LROfEps(eps, r.Problem.N())), Diverged: r.Diverged, Digest: r.Digest().Digest,
	}
	for i, at := range r.Tracked {
		v.Names, v.Coords = append(v.Names, r.Problem.Name(at)), append(v.Coords, by.Coordinate(i))
	}
	if !r.Converges() && r.Ranks() && r.Window.Draws > 0 && r.Diverged == nil {
		v.Probes = r.compared.by.Probed(r.moment())
	}
	if k := r.First.keeper; k != nil {
		v.RanksEvery = k.Every()
	}
	if n, cov := len(r.Tracked), r.truth.cov; r.pool.Cov(cov) {
		for i := range n {
			v.Cov = append(v.Cov, list.Map(cov[i*n:][:n], func(x float64) engine.Num { return engine.Num(x) }))
		}
	}
	return v
}

// whole has all that is kept compared, in all coordinates, until the function that it returns is called.
func (r *Records[F]) whole() (undo func()) {
	set := func(on bool) {
		r.compared.by.Whole = on
		r.slow.forget()
	}
	set(true)
	return func() { set(false) }
}

// Enough reports whether the draws are what u wants, by the numbers that Result would have.
func (r *Records[F]) Enough(u quantity.Until) bool {
	r.Flush()
	if !r.Converges() && len(r.Run.Chains) > 1 {
		r.Settle() // they are compared in their predictions
	}
	defer r.whole()()
	return u.Met(r, len(r.Tracked))
}

// Newest copies the newest draws of each chain.
func (r *Records[F]) Newest() (all []engine.Draws) {
	r.Flush()
	for k, c := range r.Run.Chains {
		d := engine.Draws{ChainID: engine.ChainID{Lane: r.ID, Chain: k, Chains: len(r.Run.Chains)}, Sampler: r.Method.Name, Of: r.Rounds()}
		for i, at := range r.Tracked {
			d.Names, d.Columns = append(d.Names, r.Problem.Name(at)), append(d.Columns, c.ring.Append(nil, i, math.MaxInt))
		}
		all = append(all, d)
	}
	return all
}

// NewestTheta is θ of the first chain. The caller does not change it.
func (r *Records[F]) NewestTheta() engine.NewestTheta {
	n, theta := engine.NewestTheta{Lane: engine.LaneLetter(r.ID), Sampler: r.Setting.Sampler}, any(r.First.State.Theta)
	n.F32, _ = theta.([]float32)
	n.F64, _ = theta.([]float64)
	if t, ok := r.Problem.Impl().(targets.Layered); ok {
		n.Layers = t.Layers()
	}
	return n
}
