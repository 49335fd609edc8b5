package engine

// Tape is where a session stands in its past and future. A place counts the steps that
// the furthest lane has executed. Unlike a lane's step it does not go back at a rewind
// or a restart.
type Tape struct {
	At, End uint64
	Events  []LoggedCommand // the commands that changed numbers, or will
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
