package engine

import "slices"

// Tape is where a session stands in its past and future. Places are counted in
// steps that the furthest lane has executed; unlike a lane's step they never go
// back at a rewind or a restart.
type Tape struct {
	At, End uint64
	Events  []Turn // the commands that changed numbers, or will
	Seeking bool   // on the way to To
	To      uint64
}

// A Turn is a command on a tape, at its place. Lane is the ID of the lane that it
// is for, or AllLanes.
type Turn struct {
	At      uint64
	Lane    int
	Command Command

	odometers []uint64 // of the lanes, before the command
	digests   []string // theirs
	joins     bool     // as in Event
}

// Place implements timeline.Entry.
func (t Turn) Place() uint64 { return t.At }

// event is the turn as it is recorded.
func (t Turn) event() Event {
	return Event{At: t.odometers, Digests: t.digests, Command: t.Command, Joins: t.joins}
}

// Changes reports whether a command changes numbers, and so makes a branch where
// some of the tape is still to come.
func Changes(c Command) bool { return c.kind() != "" }

// turns are a script's events at their places on the tape of a session with so many
// lanes.
func turns(lanes int, script []Event) []Turn {
	all := make([]Turn, len(script))
	at, from := uint64(0), make([]uint64, lanes)
	ids := make([]int, lanes)
	for i := range ids {
		ids[i] = i
	}
	for k, e := range script {
		at += furthest(from, e.At)
		t := Turn{At: at, Lane: laneOf(e.Command, ids), Command: e.Command, odometers: e.At, digests: e.Digests, joins: e.Joins}
		switch c := e.Command.(type) {
		case AddLane:
			ids = append(slices.Clone(ids), t.Lane)
		case RemoveLane:
			if c.Lane >= 0 && c.Lane < len(ids) {
				ids = slices.Delete(slices.Clone(ids), c.Lane, c.Lane+1)
			}
		}
		all[k], from = t, t.after()
	}
	return all
}

// after is where the odometers stand after the command.
func (t Turn) after() []uint64 {
	switch c := t.Command.(type) {
	case Restart, SetTarget:
		return make([]uint64, len(t.odometers))
	case AddLane:
		return append(slices.Clone(t.odometers), 0)
	case RemoveLane:
		if c.Lane >= 0 && c.Lane < len(t.odometers) {
			return slices.Delete(slices.Clone(t.odometers), c.Lane, c.Lane+1)
		}
	}
	return t.odometers
}

// furthest is the most that an odometer has moved.
func furthest(from, to []uint64) uint64 {
	most := uint64(0)
	for i := range min(len(from), len(to)) {
		most = max(most, to[i]-min(from[i], to[i]))
	}
	return most
}

func (s *Session) odometers() []uint64 {
	odo := make([]uint64, len(s.lanes))
	for i, r := range s.lanes {
		odo[i] = r.odo()
	}
	return odo
}

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

// anchor has places counted from the newest command done.
func (s *Session) anchor() {
	if done := s.line.Done(); len(done) > 0 {
		t := done[len(done)-1]
		s.base, s.from = t.At, t.after()
		return
	}
	s.base, s.from = 0, make([]uint64, len(s.start.Lanes))
}

// laneOf is the ID of the lane that a command is for, where the lanes have ids.
func laneOf(c Command, ids []int) int {
	i := AllLanes
	switch c := c.(type) {
	case SetParam:
		i = c.Lane
	case SetSampler:
		i = c.Lane
	case SetSchedule:
		i = c.Lane
	case RemoveLane:
		i = c.Lane
	case Rewind:
		i = c.Lane
	case AddLane:
		return freeID(ids)
	}
	if i < 0 || i >= len(ids) {
		return AllLanes
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
func (s *Session) tape() Tape {
	at := s.place()
	ahead := s.line.Ahead()
	if n := len(ahead); n > 0 && !Changes(ahead[n-1].Command) {
		ahead = ahead[:n-1] // where the tape ends
	}
	return Tape{At: at, End: s.line.End(at), Events: append(s.line.Done(), ahead...), Seeking: s.line.Seeking, To: s.line.To}
}
