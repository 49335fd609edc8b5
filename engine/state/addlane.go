package state

import (
	"cmp"
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine/timeline"
)

// AddLane adds a lane, from the start, with the values of the lane Like where both mean the same, so that both sample
// the same posterior. A sampler on another scale of step sizes has its default one.
type AddLane struct {
	Name string `json:"name"`
	Like int    `json:"like,omitempty"`
}

var _ = recorded[AddLane]()

func (AddLane) Kind() string { return "add-lane" }

func (AddLane) after(ids []int, at []uint64) ([]int, []uint64) {
	return append(slices.Clip(ids), FreeID(ids)), append(slices.Clip(at), 0)
}

func (c AddLane) apply(s *State) (Fact, error) {
	if most := cmp.Or(s.Bounds.Lanes, MaxLanes); len(s.Lanes) >= most {
		return nil, fmt.Errorf("a session has at most %d lanes", most)
	}
	if err := cmp.Or(s.runs(c.Name), s.has(c.Like)); err != nil {
		return nil, err
	}
	l := Lane{ID: FreeID(s.IDs()), Setting: Like(s.Problem, s.Lanes[c.Like].Setting, c.Name).on(s.Problem), Born: s.born()}
	s.Lanes, s.Undo = append(slices.Clip(s.Lanes), l), timeline.Undo[Turned]{}
	return LaneAdded{Lane: l.ID}, nil
}
