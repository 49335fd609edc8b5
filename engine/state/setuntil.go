package state

import "github.com/psgld/psgld-tui/engine/quantity"

// SetUntil is another Config.Until, which may ask for nothing. The session looks at once whether it holds.
type SetUntil struct {
	Until quantity.Until `json:"until,omitzero"`
}

var _ = recorded[SetUntil]()

func (SetUntil) Kind() string { return "set-until" }

func (c SetUntil) apply(s *State) (Fact, error) {
	s.Config.Until = c.Until
	return UntilSet(c), s.Whole().Validate(s.Problem)
}
