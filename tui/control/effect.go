package control

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
)

// effectOf is what a command does to a snapshot that does not know of it yet, nil where
// that cannot be foreseen. Places of lanes are those in the snapshot shown.
func effectOf(c engine.Command, shown *engine.Snapshot) func(*engine.Snapshot) {
	switch c := c.(type) {
	case engine.Pause:
		return func(s *engine.Snapshot) {
			s.Tape.Seeking = false
			if s.Phase == engine.Running {
				s.Phase = engine.Paused
			}
		}
	case engine.Resume:
		return func(s *engine.Snapshot) {
			if s.Phase == engine.Paused {
				s.Phase = engine.Running
			}
		}
	case engine.StepBy:
		return func(s *engine.Snapshot) {
			if s.Phase == engine.Running {
				s.Phase = engine.Paused
			}
		}
	case engine.Seek:
		return func(s *engine.Snapshot) {
			s.Phase, s.Tape.Seeking, s.Tape.To = engine.Running, true, c.To
		}
	case engine.Restart:
		return func(s *engine.Snapshot) { s.Config.Seed = c.Seed }
	case engine.SetSpeed:
		return func(s *engine.Snapshot) { s.Speed = c.PerSecond }
	case engine.SetRace:
		return func(s *engine.Snapshot) { s.Config.Race = c.On }
	case engine.SetParam:
		ids := idsAt(shown, c.Lane)
		return func(s *engine.Snapshot) {
			for i := range s.Lanes {
				if slices.Contains(ids, s.Lanes[i].ID) {
					turned(&s.Lanes[i], c.Key, c.Value)
				}
			}
		}
	case engine.SetEach:
		return func(s *engine.Snapshot) {
			for i := range s.Lanes {
				if i < len(c.Values) {
					turned(&s.Lanes[i], c.Key, c.Values[i])
				}
			}
		}
	case engine.RemoveLane:
		ids := idsAt(shown, c.Lane)
		return func(s *engine.Snapshot) {
			if len(s.Lanes) > 1 {
				s.Lanes = slices.DeleteFunc(s.Lanes, func(l engine.LaneView) bool { return slices.Contains(ids, l.ID) })
			}
		}
	case engine.Watch:
		if c.Principal {
			return nil
		}
		return func(s *engine.Snapshot) {
			for i := range s.Lanes {
				s.Lanes[i].Watch = [2]int{c.X, c.Y}
			}
		}
	case engine.SetShift:
		return func(s *engine.Snapshot) {
			if s.Shift != nil {
				v := *s.Shift
				v.Asked = c.Shift
				s.Shift = &v
			}
		}
	}
	return nil
}

// turned gives a lane that has the parameter another value. The step in force changes in
// proportion to ε.
func turned(l *engine.LaneView, key string, to float64) {
	if !l.Setting.Has(key) {
		return
	}
	if from := l.Setting.Eps(); key == sampler.KeyEps && from > 0 {
		l.Eps *= to / from
	}
	l.Setting = l.Setting.With(key, to)
}

// idsAt lists the lane at a place, or all of them, by their IDs.
func idsAt(s *engine.Snapshot, lane int) []int {
	var ids []int
	for i, l := range s.Lanes {
		if lane == engine.AllLanes || lane == i {
			ids = append(ids, l.ID)
		}
	}
	return ids
}
