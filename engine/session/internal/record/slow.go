package record

import (
	"time"

	"github.com/psgld/psgld-tui/engine/agreement"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/metrics"
)

// With many coordinates τ of each is too much work for every frame.
const (
	manyCoords   = 32
	slowestEvery = 250 * time.Millisecond
)

// slow reads the slowest tracked coordinate.
type slow[F sampler.Float] struct {
	*Run[F]
	pool     metrics.Chains
	compared *agreement.Chains
	virial   *metrics.Virial
	newest   slowest
}

// slowest is what Slowest found, and at which draw.
type slowest struct {
	kept, draws uint64
	moving      bool // while the lane ran, for which a comparison of a moment ago will do
	quantity.Slowest
	found    time.Time
	location metrics.Estimate // what Location found; Absent until it is asked for
}

// pointTrust is what points of the curves rest on: the slowest coordinate and whether there is a temperature, and at which
// draw of the window they were found. The chains were compared at draw compared.
type pointTrust struct {
	draws, compared uint64
	quantity.Slowest
	temperature metrics.Status
}

func (s *slow[F]) forget() { s.newest = slowest{} }

// linger lets a view of a running lane of many coordinates do with the slowest of a moment ago.
func (s *slow[F]) linger() {
	w, draws := &s.newest, s.Window.Draws
	if len(s.Tracked) > manyCoords && w.draws > 0 && w.draws <= draws && time.Since(w.found) < slowestEvery {
		w.kept, w.draws = s.Kept, draws
	}
}

// Slowest is the tracked coordinate with the least effective draws. It is kept until a draw comes. At points of the curves it
// is kept until the draws have grown by a tenth: in a short chain, finding it takes longer than the steps. Comparing the chains
// takes longer still. They are compared anew when the draws have grown by a half, by a quarter if the chains did not agree, and
// fourfold if there is one chain.
func (s *slow[F]) Slowest() quantity.Slowest {
	draws := s.Window.Draws
	if !s.now.Point {
		w := &s.newest
		if w.ESS.Status == metrics.Absent || w.kept != s.Kept || w.draws != draws || w.moving && !s.now.Moving {
			*w = slowest{kept: s.Kept, draws: draws, moving: s.now.Moving, Slowest: s.find(), found: time.Now()}
			w.Agreement = s.agreement(&w.Slowest)
		}
		return w.Slowest
	}
	w := &s.Window.trusted
	if w.draws == 0 || draws > w.draws+w.draws/10 {
		agreed := w.Agreement
		w.draws, w.Slowest, w.temperature = draws, s.find(), s.virial.Temperature().Status
		growth := w.compared / 2
		switch {
		case agreed.Status == metrics.Absent:
			growth = 0
		case agreed.Status != metrics.OK || agreed.Spread != metrics.OK:
			growth = w.compared / 4
		case len(s.Chains) == 1:
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
	for i := range s.Tracked {
		act := s.pool.ACT(i)
		ess := s.pool.ESSBy(i, act, s.pool.MCSEOf(i, act))
		if i == 0 || !ess.OK() || ess.Value < found.ESS.Value {
			found.Coord, found.ACT, found.ESS = i, act, ess
		}
		if !ess.OK() {
			break
		}
		found.Skewed = found.Skewed || s.pool.Skewed(i, len(s.Tracked), ess.Value)
	}
	found.Drifts = found.ESS.OK() && s.pool.Drifts(found.Coord)
	return found
}

// agreement compares the chains, if they can be compared. The halves of one chain are compared if it is long enough.
func (s *slow[F]) agreement(of *quantity.Slowest) quantity.Agreement {
	if !s.Ranks() || len(s.Chains) == 1 && !of.ESS.OK() {
		return quantity.Agreement{}
	}
	return s.compared.Agreement(of.Coord, s.moment())
}
