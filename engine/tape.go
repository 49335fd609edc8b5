package engine

import "github.com/psgld/psgld-tui/engine/state"

// Tape is where a session stands in its past and future. A place counts the steps that the furthest lane has executed.
// Unlike a lane's step it does not go back at a rewind or a restart.
type Tape struct {
	At, End uint64
	Events  []LoggedCommand // the commands that changed numbers, or will
	Done    int             // of Events, those that are done
	Seeking bool            // on the way to To
	To      uint64
}

// A LoggedCommand is an event on a tape, at its place. Lane is the ID of the lane that it is for, or AllLanes.
type LoggedCommand struct {
	At   uint64
	Lane int
	state.Event
}

// Place implements timeline.Entry.
func (t LoggedCommand) Place() uint64 { return t.At }

// Logged puts a script's events at their places on the tape of a session that begins with so many lanes.
func Logged(lanes int, script []state.Event) []LoggedCommand {
	all := make([]LoggedCommand, len(script))
	at, from := uint64(0), make([]uint64, lanes)
	ids := make([]int, lanes)
	for i := range ids {
		ids[i] = i
	}
	for k, e := range script {
		at += state.Furthest(from, e.At)
		all[k] = LoggedCommand{At: at, Lane: state.LaneOf(e.Command, ids), Event: e}
		ids, from = e.After(ids)
	}
	return all
}
