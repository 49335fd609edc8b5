package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
)

// turns puts a script's events at their places on the tape of a session that begins
// with so many lanes.
func turns(lanes int, script []engine.Event) []engine.LoggedCommand {
	all := make([]engine.LoggedCommand, len(script))
	at, from := uint64(0), make([]uint64, lanes)
	ids := make([]int, lanes)
	for i := range ids {
		ids[i] = i
	}
	for k, e := range script {
		at += furthest(from, e.At)
		t := engine.LoggedCommand{At: at, Lane: laneOf(e.Command, ids), Event: e}
		switch c := e.Command.(type) {
		case engine.AddLane:
			ids = append(slices.Clone(ids), t.Lane)
		case engine.RemoveLane:
			if c.Lane >= 0 && c.Lane < len(ids) {
				ids = slices.Delete(slices.Clone(ids), c.Lane, c.Lane+1)
			}
		}
		all[k], from = t, after(e)
	}
	return all
}

// after returns the odometers after an event.
func after(e engine.Event) []uint64 {
	switch c := e.Command.(type) {
	case engine.Restart, engine.SetTarget:
		return make([]uint64, len(e.At))
	case engine.AddLane:
		return append(slices.Clone(e.At), 0)
	case engine.RemoveLane:
		if c.Lane >= 0 && c.Lane < len(e.At) {
			return slices.Delete(slices.Clone(e.At), c.Lane, c.Lane+1)
		}
	}
	return e.At
}

// furthest is the most that an odometer has moved.
func furthest(from, to []uint64) uint64 {
	most := uint64(0)
	for i := range min(len(from), len(to)) {
		most = max(most, to[i]-min(from[i], to[i]))
	}
	return most
}

func (s *Session) odometers() []uint64 { return ofLanes(s, runner.odo) }

// place is where the session stands.
func (s *Session) place() uint64 {
	most := uint64(0)
	for i, r := range s.lanes {
		if odo := r.odo(); i < len(s.from) {
			most = max(most, odo-min(odo, s.from[i]))
		}
	}
	return s.base + most
}

// anchor counts places from the newest command done.
func (s *Session) anchor() {
	if done := s.line.Done(); len(done) > 0 {
		t := done[len(done)-1]
		s.base, s.from = t.At, after(t.Event)
		return
	}
	s.base, s.from = 0, make([]uint64, len(s.start.Lanes))
}

// laneOf is the ID of the lane that a command is for, given the lanes' ids, or AllLanes.
func laneOf(c engine.Command, ids []int) int {
	i := engine.AllLanes
	switch c := c.(type) {
	case engine.SetParam:
		i = c.Lane
	case engine.SetSampler:
		i = c.Lane
	case engine.SetSchedule:
		i = c.Lane
	case engine.RemoveLane:
		i = c.Lane
	case engine.Rewind:
		i = c.Lane
	case engine.AddLane:
		return freeID(ids)
	}
	if i < 0 || i >= len(ids) {
		return engine.AllLanes
	}
	return ids[i]
}

// freeID is the ID of the next lane.
func freeID(ids []int) int {
	id := 0
	for slices.Contains(ids, id) {
		id++
	}
	return id
}

// tape is the timeline as a snapshot shows it.
func (s *Session) tape() engine.Tape {
	at := s.place()
	ahead := s.line.Ahead()
	if n := len(ahead); n > 0 && !engine.Changes(ahead[n-1].Command) {
		ahead = ahead[:n-1] // where the tape ends
	}
	return engine.Tape{At: at, End: s.line.End(at), Events: append(s.line.Done(), ahead...), Seeking: s.line.Seeking, To: s.line.To}
}
