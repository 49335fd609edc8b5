package state

import (
	"cmp"
	"errors"

	"github.com/psgld/psgld-tui/targets"
)

// Load puts another session in the place of the present one: a Config on its
// opened target and, of a recording, its Script. Return puts back what there was.
type Load struct {
	Config  Config
	Problem *targets.Problem // opened, and with its reference if the Config wants a truth
	Script  []Event          // Recording.Script, or nil
	Paused  bool             // it stands before its first step
	Passing bool             // what it replaces is not held for Return; what was held stays
	// Speed limits its steps a second from the first on. Nil leaves the limit as it is.
	Speed *float64
}

func (Load) Kind() string { return "" }

func (c Load) apply(s *State) (Fact, error) {
	p := c.Problem
	if p == nil {
		return nil, errors.New("there is no target to load")
	}
	was := *s
	was.Problem = nil // the first coordinates are shown, of whichever target
	cfg := c.Config
	cfg.Ranked = cmp.Or(cfg.Ranked, s.Bounds.Ranked)
	to, err := Start(cfg, p, was)
	if to.Mode.Paused = c.Paused; c.Speed != nil {
		to.Mode.Speed = s.Bounds.Speed(*c.Speed)
	}
	*s = to
	return Loaded{Title: p.Title, Note: p.Remark(), Seed: c.Config.Seed}, err
}
