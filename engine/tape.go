package engine

// Tape is where a session stands in its past and future. A place counts the steps that
// the furthest lane has executed. Unlike a lane's step it does not go back at a rewind
// or a restart.
type Tape struct {
	At, End uint64
	Events  []Turn // the commands that changed numbers, or will
	Seeking bool   // on the way to To
	To      uint64
}

// A Turn is an event on a tape, at its place. Lane is the ID of the lane that it is
// for, or AllLanes.
type Turn struct {
	At   uint64
	Lane int
	Event
}

// Place implements timeline.Entry.
func (t Turn) Place() uint64 { return t.At }

// Changes reports whether a command changes numbers. It then makes a branch where some
// of the tape is still ahead.
func Changes(c Command) bool { return c.Kind() != "" }
