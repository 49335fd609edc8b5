package state

import "github.com/psgld/psgld-tui/engine/quantity"

type (
	// Pause stops the lanes, and a seek.
	Pause struct{}
	// StepBy runs so many steps, and pauses.
	StepBy struct{ N uint64 }
	// Resume goes on, beyond a limit that has ended the session.
	Resume struct{}
)

func (Pause) Kind() string  { return "" }
func (StepBy) Kind() string { return "" }
func (Resume) Kind() string { return "" }

func (Pause) apply(s *State) (Fact, error) { return StepBy{}.apply(s) }

func (c StepBy) apply(s *State) (Fact, error) {
	m := &s.Mode
	if m.Paused, m.StepBy, m.Seeking = true, c.N, false; m.Phase == Running {
		m.Phase = Paused
	}
	return nil, nil
}

func (Resume) apply(s *State) (Fact, error) {
	m, c := &s.Mode, &s.Config
	m.Paused = false
	switch {
	case m.Phase == Paused:
		m.Phase = Running
	case m.Phase == Done && m.Met: // it goes on to the other limits
		c.Until = quantity.Until{}
	case m.Phase == Done: // it goes on without the others
		c.Steps, c.Epochs, c.Seconds = 0, 0, 0
	}
	return nil, nil
}
