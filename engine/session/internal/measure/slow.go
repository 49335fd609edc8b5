package measure

import (
	"math"
	"time"

	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// With many coordinates τ of each is too much work for every frame.
const (
	manyCoords   = 32
	slowestEvery = 250 * time.Millisecond
)

// slow reads the slowest tracked coordinate, and whether the chains agree.
type slow[F sampler.Float] struct {
	kept     *kept[F]
	truth    *truth[F]
	extremes *extremes[F]
	chains   agreement.Chains
	newest   slowest
}

// newSlow compares the chains in their draws, or those of a network in its probes.
func newSlow[F sampler.Float](k *kept[F], t *truth[F], e *extremes[F]) *slow[F] {
	s := &slow[F]{kept: k, truth: t, extremes: e,
		chains: agreement.Chains{Dim: len(k.Tracked), Pool: k.pool, Keepers: k.keepers}}
	s.chains.Grouped = len(k.Chains) >= state.ManyChains && k.Config.RandomStart()
	if !k.Converges() {
		s.chains.Probes = k.Evaluator()
	}
	return s
}

// slowest is what Slowest found, and at which draw.
type slowest struct {
	kept, draws uint64
	moving      bool // while the lane ran, for which a comparison of a moment ago will do
	quantity.Slowest
	found    time.Time
	location metrics.Estimate // what Location found; Absent until it is asked for
}

// pointTrust is what points of the curves rest on: the slowest coordinate and whether there is a temperature, and at
// which draw of the window they were found. The chains were compared at draw compared.
type pointTrust struct {
	draws, compared uint64
	quantity.Slowest
	temperature metrics.Status
}

func (s *slow[F]) forget() {
	s.newest = slowest{}
	s.chains.Forget()
}

// linger lets a view of a running lane of many coordinates do with the slowest of a moment ago.
func (s *slow[F]) linger() {
	w, draws := &s.newest, s.kept.Window.Draws
	if len(s.kept.Tracked) > manyCoords && w.draws > 0 && w.draws <= draws && time.Since(w.found) < slowestEvery {
		w.kept, w.draws = s.kept.Kept, draws
	}
}

// Slowest is the tracked coordinate with the least effective draws of those that move. It is kept until a draw comes.
// At points of the curves it is kept until the draws have grown by a tenth: in a short chain, finding it takes longer
// than the steps. Comparing the chains takes longer still. They are compared anew when the draws have grown by a half,
// by a quarter if the chains did not agree, and fourfold if there is one chain.
func (s *slow[F]) Slowest() quantity.Slowest {
	draws := s.kept.Window.Draws
	if !s.kept.now.Point {
		w := &s.newest
		if w.ESS.Status == metrics.Absent || w.kept != s.kept.Kept || w.draws != draws ||
			w.moving && !s.kept.now.Moving {
			*w = slowest{kept: s.kept.Kept, draws: draws, moving: s.kept.now.Moving, Slowest: s.find(),
				found: time.Now()}
			w.Agreement = s.agreement(&w.Slowest)
		}
		return w.Slowest
	}
	w := &s.kept.trusted
	if w.draws == 0 || draws > w.draws+w.draws/10 {
		agreed := w.Agreement
		w.draws, w.Slowest, w.temperature = draws, s.find(), s.kept.Temperature.Virial.Temperature().Status
		growth := w.compared / 2
		switch {
		case agreed.Status == metrics.Absent:
			growth = 0
		case agreed.Status != metrics.OK || agreed.Spread != metrics.OK:
			growth = w.compared / 4
		case len(s.kept.Chains) == 1:
			growth = w.compared * 3
		}
		if w.Agreement = agreed; draws > w.compared+growth {
			w.compared, w.Agreement = draws, s.agreement(&w.Slowest)
		}
	}
	return w.Slowest
}

// find finds the slowest coordinate, but not whether the chains agree.
func (s *slow[F]) find() (found quantity.Slowest) {
	found.Tails, found.Frozen = math.NaN(), s.kept.pool.Frozen()
	found.ESS = metrics.Withheld(metrics.Constant, s.kept.Window.Draws)
	found.ACT = found.ESS
	for i := range s.kept.Tracked {
		if s.kept.pool.Still(i) {
			continue // it says nothing of the others
		}
		act := s.kept.pool.ACT(i)
		mcse := s.kept.pool.MCSEOf(i, act)
		ess := s.kept.pool.ESSBy(i, act, mcse)
		if !ess.OK() || !(found.ESS.Value <= ess.Value) {
			found.Coord, found.ACT, found.ESS = i, act, ess
		}
		if !ess.OK() {
			break
		}
		found.Skewed = found.Skewed || s.kept.pool.Skewed(i, len(s.kept.Tracked), ess.Value)
		found.Drifts = found.Drifts || s.extremes.transient(i, ess.Value/float64(len(s.kept.Chains)))
		if k := s.extremes.Tails(i); k.OK() && !(found.Tails >= k.Value) {
			found.Tails, found.TailsError = k.Value, k.Error
		}
		if found.Off == metrics.Absent {
			found.Off = s.truth.off(i, mcse.Value)
		}
	}
	found.Drifts = found.ESS.OK() && (found.Drifts || s.kept.pool.Drifts(found.Coord))
	return found
}

// agreement compares the chains, if they can be compared. The halves of one chain are compared if it is long enough.
func (s *slow[F]) agreement(of *quantity.Slowest) quantity.Agreement {
	if !s.kept.ranks() || len(s.kept.Chains) == 1 && !of.ESS.OK() {
		return quantity.Agreement{}
	}
	return s.chains.Agreement(of.Coord, s.kept.moment())
}

// Temperature is that of the window's probes. At a point of the curves it has no error.
func (m *Measures[F]) Temperature() metrics.Estimate {
	v, status := m.kept.Temperature.Virial, m.trusted.temperature
	switch {
	case !m.now.Point:
		return v.Temperature()
	case status != metrics.OK:
		return metrics.Withheld(status, m.Window.Draws)
	}
	return metrics.Known(v.Mean(), math.NaN(), v.Draws())
}

// Location is a z-score of the mean gradient of the potential. It is kept for as long as the slowest coordinate is.
func (m *Measures[F]) Location() metrics.Estimate {
	z := &m.slow.newest.location
	if z.Status == metrics.Absent {
		*z = m.kept.Temperature.Virial.Location()
	}
	return *z
}

// Comparison compares the chains in a tracked coordinate, or the halves of the only chain. Of a network there is none
// unless it is asked for: see [quantity.Identified]. Where not all draws are compared, the error of the sd is that of
// all, as the sd is.
func (s *slow[F]) Comparison(i int) metrics.Comparison {
	of := s.chains.Compare(i, s.kept.moment())
	found := of.Comparison
	if of.Every > 1 && found.SD.OK() {
		if e := s.kept.pool.SDError(i); e.OK() {
			found.SD.Error = e.Value
		}
	}
	return found
}
