package state

import (
	"errors"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/timeline"
	"github.com/psgld/psgld-tui/targets"
)

// SetTarget starts the session's samplers on another target with its default settings.
type SetTarget struct {
	Target  string `json:"target"`
	Dataset string `json:"dataset,omitempty"` // as in Config
	// Problem is the opened target. Resolve opens it where the sender has not.
	Problem *targets.Problem `json:"-"`
}

var _ = recorded[SetTarget]()

func (SetTarget) Kind() string                                   { return "set-target" }
func (SetTarget) after(ids []int, at []uint64) ([]int, []uint64) { return again(ids, at) }

func (c SetTarget) resolve(s *State, with Opener) (_, logged Command, err error) {
	p := c.Problem
	if p == nil {
		cfg := s.Config
		cfg.Target, cfg.Dataset = c.Target, c.Dataset
		if p, err = with.Target(cfg); err != nil {
			return nil, nil, err
		}
	}
	c.Dataset, c.Problem = p.Dataset, nil // by name, if it was a default
	logged = c
	c.Problem = p
	return c, logged, nil
}

func (c SetTarget) apply(s *State) (Fact, error) {
	p := c.Problem
	if p == nil {
		return nil, errors.New("the target is not open")
	}
	cfg := s.Config.Unlimited()
	cfg.Target, cfg.Dataset, cfg.Init, cfg.Truth = c.Target, p.Dataset, "random", Truth{}
	cfg.Draw = UsualDraw(p)
	var unfit []Unfitted
	for _, l := range s.Lanes {
		m, _ := catalog.Find(l.Setting.Sampler)
		if why := m.Misfit(p); why != "" {
			first := catalog.Methods()[0]
			unfit = append(unfit, Unfitted{Lane: l.ID, Sampler: m.Name, By: first.Name, Why: why})
			m = first
		}
		cfg.Lanes = append(cfg.Lanes, DefaultSetting(p, m.Name))
	}
	if err := s.begin(cfg, p, s.IDs()); err != nil {
		return nil, err
	}
	s.Undo = timeline.Undo[Turned]{}
	return TargetSet{Title: p.Title, Note: p.Remark(), Unfit: unfit}, nil
}
