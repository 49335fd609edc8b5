package state

import (
	"errors"

	"github.com/psgld/psgld-tui/engine/timeline"
)

// RemoveLane ends a lane.
type RemoveLane struct {
	Lane int `json:"lane"`
}

var _ = recorded[RemoveLane]()

func (RemoveLane) Kind() string { return "remove-lane" }
func (c RemoveLane) lane() int  { return c.Lane }

func (c RemoveLane) after(ids []int, at []uint64) ([]int, []uint64) {
	return without(ids, c.Lane), without(at, c.Lane)
}

func (c RemoveLane) apply(s *State) (Fact, error) {
	if len(s.Lanes) == 1 {
		return nil, errors.New("a session has at least one lane")
	}
	if err := s.has(c.Lane); err != nil {
		return nil, err
	}
	gone := s.Lanes[c.Lane].ID
	s.Lanes, s.Undo = without(s.Lanes, c.Lane), timeline.Undo[Turned]{}
	return LaneRemoved{Lane: gone}, nil
}
