package engine

import (
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine/state"
)

// A script's events lie as far apart as the lane that moved furthest, and lanes keep their
// IDs while others come and go.
func TestLogged(t *testing.T) {
	all := Logged(2, []state.Event{
		{At: []uint64{10, 12}, Command: state.SetParam{Lane: 1}},
		{At: []uint64{15, 13}, Command: state.RemoveLane{Lane: 0}},
		{At: []uint64{20}, Command: state.AddLane{}},
		{At: []uint64{20, 4}, Command: state.SetParam{Lane: 0}},
		{At: []uint64{20, 4}, Command: state.Restart{}},
		{At: []uint64{1, 2}, Command: state.Rewind{Lane: 1}},
	})
	var places []uint64
	var lanes []int
	for _, c := range all {
		places, lanes = append(places, c.Place()), append(lanes, c.Lane)
	}
	if want := []uint64{12, 17, 24, 28, 28, 30}; !slices.Equal(places, want) {
		t.Errorf("places %v, want %v", places, want)
	}
	if want := []int{1, 0, 0, 1, state.AllLanes, 0}; !slices.Equal(lanes, want) {
		t.Errorf("lanes %v, want %v", lanes, want)
	}
}
