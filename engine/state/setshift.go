package state

import "github.com/psgld/psgld-tui/targets"

// SetShift shifts test images before they are predicted, in the snapshot alone. Scores and curves stay those of the
// images as they are. From is the place in Snapshot.Predictions of the first image that is looked at. The images around
// it are predicted. A session that is not interactive refuses it.
type SetShift struct {
	Shift targets.Shift
	From  int
}

func (SetShift) Kind() string { return "" }

func (c SetShift) apply(s *State) (Fact, error) {
	s.Mode.Shift = c.Shift
	return nil, nil
}
