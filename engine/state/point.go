package state

import (
	"errors"
	"slices"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// AddPoint adds a datum to those of a target that is a function of its input, and ClearPoints takes all away that were
// added. Every lane goes on from where it is, at its ε. A minibatch of all data stays that. The truth, which is of the
// data before, is given up.
type (
	AddPoint    struct{ targets.Datum }
	ClearPoints struct{}
)

var _, _ = recorded[AddPoint](), recorded[ClearPoints]()

func (AddPoint) Kind() string    { return "add-point" }
func (ClearPoints) Kind() string { return "clear-points" }

func (c AddPoint) apply(s *State) (Fact, error) {
	return s.points(append(slices.Clip(s.Problem.Added), c.Datum))
}

func (ClearPoints) apply(s *State) (Fact, error) {
	if len(s.Problem.Added) == 0 {
		return nil, errors.New("point clear: no datum was added")
	}
	return s.points(nil)
}

// points has the data that are added be others, in all lanes.
func (s *State) points(added []targets.Datum) (Fact, error) {
	was := float64(s.Problem.N())
	p, err := s.Problem.Plus(added)
	if err != nil {
		return nil, unfit("point", "", err.Error())
	}
	fact, err := s.change(AllLanes, func(_ int, set Setting) (Setting, error) {
		if set = set.On(p); set.Has(sampler.KeyBatch) {
			if b := set.Value(sampler.KeyBatch); b == was || b > float64(p.N()) {
				set = set.With(sampler.KeyBatch, float64(p.N()))
			}
		}
		return set, set.Validate(p)
	})
	s.Config.Truth = Truth{}
	return fact, err
}
