package class

import (
	"math"
	"slices"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// A standing is where a student stands.
type standing struct {
	number   int
	name     string
	eps      float64
	y        metrics.Estimate // what is drawn
	diverged *state.Divergence
	off      bool // on another target than the lecturer's, or without that sampler
	follows  bool // the lecturer's screen
	lost     bool // the line
}

// stoodOf is what standings are of: the lane of a sampler, and a place in shownQuantities.
type stoodOf struct {
	sampler string
	of      int
}

// standings are those of the students in the lane of a sampler. They are at most boardEvery old,
// because each look makes the session publish a snapshot.
func (b *Board) standings(sampler string) (all []standing) {
	of := stoodOf{sampler, b.of}
	if b.stoodOf == of && time.Since(b.stoodAt) < boardEvery*3/4 && len(b.stood) == len(b.room.Seats()) {
		return b.stood
	}
	defer func() { b.stood, b.stoodOf, b.stoodAt = all, of, time.Now() }()
	target := b.Feed.Newest.Problem.Spec
	for _, seat := range b.room.Seats() {
		at := standing{number: seat.Number, off: true, lost: seat.Lost()}
		b.room.locked(func() { at.name, at.follows = seat.name, seat.follows })
		if s := seat.Snapshot(); s != nil {
			i := slices.IndexFunc(s.Lanes, func(l engine.LaneView) bool { return l.Setting.Sampler == sampler })
			if i >= 0 {
				l := &s.Lanes[i]
				at.eps, at.y, at.diverged, at.off = l.Setting.Eps(), l.Values[shownQuantities[b.of]], l.Diverged,
					s.Problem.Spec != target
			}
		}
		all = append(all, at)
	}
	return all
}

// lane is the lecturer's lane whose exact bias is known, else the first.
func (b *Board) lane() *engine.LaneView {
	s := b.Feed.Newest
	for i := range s.Lanes {
		l := &s.Lanes[i]
		if v := l.Values[quantity.CovBias]; v.OK() {
			return l
		}
	}
	return &s.Lanes[0]
}

// exact is the error of the covariance that a lane's discretisation has at a step size, NaN where that is not known.
func exact(s *engine.Snapshot, set state.Setting, eps float64) float64 {
	truth := s.Problem.Exact()
	if truth == nil || s.Problem.Dim() > metrics.MaxCovDim {
		return math.NaN()
	}
	return state.CovBias(s.Problem, set, eps, truth.Cov)
}

// bound is the step size from which on a lane is unstable, 0 where none is known for all of its steps.
func bound(s *engine.Snapshot, set state.Setting) float64 {
	m, ok := catalog.Find(set.Sampler)
	if !ok || m.MaxStep == nil || m.StationaryCov == nil {
		return 0
	}
	q := state.ValuesInForce(s.Problem, m, set)
	return m.MaxStep(s.Problem.Impl(), &q, new(sampler.Info)).Eps
}
