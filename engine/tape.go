package engine

import "slices"

// Tape is where a session stands in its past and future. A place counts the steps that
// the furthest lane has executed. Unlike a lane's step it does not go back at a rewind
// or a restart.
type Tape struct {
	At, End uint64
	Events  []LoggedCommand // the commands that changed numbers, or will
	Done    int             // of Events, those that are done
	Seeking bool            // on the way to To
	To      uint64
}

// A LoggedCommand is an event on a tape, at its place. Lane is the ID of the lane that it is
// for, or AllLanes.
type LoggedCommand struct {
	At   uint64
	Lane int
	Event
}

// Place implements timeline.Entry.
func (t LoggedCommand) Place() uint64 { return t.At }

// Logged puts a script's events at their places on the tape of a session that begins
// with so many lanes.
func Logged(lanes int, script []Event) []LoggedCommand {
	all := make([]LoggedCommand, len(script))
	at, from := uint64(0), make([]uint64, lanes)
	ids := make([]int, lanes)
	for i := range ids {
		ids[i] = i
	}
	for k, e := range script {
		at += Furthest(from, e.At)
		t := LoggedCommand{At: at, Lane: LaneOf(e.Command, ids), Event: e}
		switch c := e.Command.(type) {
		case AddLane:
			ids = append(slices.Clone(ids), t.Lane)
		case RemoveLane:
			if c.Lane >= 0 && c.Lane < len(ids) {
				ids = slices.Delete(slices.Clone(ids), c.Lane, c.Lane+1)
			}
		}
		all[k], from = t, e.After()
	}
	return all
}

// After returns the lanes' odometers after the event.
func (e Event) After() []uint64 {
	switch c := e.Command.(type) {
	case Restart, SetTarget:
		return make([]uint64, len(e.At))
	case AddLane:
		return append(slices.Clone(e.At), 0)
	case RemoveLane:
		if c.Lane >= 0 && c.Lane < len(e.At) {
			return slices.Delete(slices.Clone(e.At), c.Lane, c.Lane+1)
		}
	}
	return e.At
}

// Furthest is the most that an odometer has moved.
func Furthest(from, to []uint64) uint64 {
	most := uint64(0)
	for i := range min(len(from), len(to)) {
		most = max(most, to[i]-min(from[i], to[i]))
	}
	return most
}

// LaneOf is the ID of the lane that a command is for, given the lanes' ids, or AllLanes.
func LaneOf(c Command, ids []int) int {
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
		return FreeID(ids)
	}
	if i < 0 || i >= len(ids) {
		return AllLanes
	}
	return ids[i]
}

// FreeID is the ID of the next lane.
func FreeID(ids []int) int {
	id := 0
	for slices.Contains(ids, id) {
		id++
	}
	return id
}
