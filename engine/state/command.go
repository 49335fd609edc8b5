package state

import "encoding/json"

// A Command asks a session for something. It is applied between two steps. The set of commands is closed: one is in
// this package, or embeds Own.
type Command interface {
	// Kind is the command's name in a recording, or "" for a command that changes no number and is not recorded.
	Kind() string
	// apply makes of a state, whose slices it does not change in place, what the command asks for, and says what there
	// is to tell of that, nil for nothing. After an error the state counts for nothing.
	apply(s *State) (Fact, error)
}

// What commands can do beside that.
type (
	// ofLane is a command for the lane at an index, or for AllLanes.
	ofLane interface{ lane() int }
	// turning is a command that sets a parameter, and so may go on with a gesture.
	turning interface{ turns() (key string) }
	// moving is a command after which there are other lanes, or their odometers are others. It changes neither in
	// place.
	moving interface {
		after(ids []int, at []uint64) ([]int, []uint64)
	}
	// opening is a command that needs what the caller has to open or to count first. It is logged without what was
	// opened.
	opening interface {
		resolve(s *State, with Opener) (c, logged Command, err error)
	}
)

// Own is embedded in a command that is a session's own affair, and changes nothing of its State.
type Own struct{}

func (Own) Kind() string               { return "" }
func (Own) apply(*State) (Fact, error) { return nil, nil }

// InGesture is a command that goes on with the gesture of the one before, such as the next notch
// of a slider that is dragged: both have one mark, one undo and one window before them. It
// stands for Command alone where the one before did not set the same parameter.
type InGesture struct{ Command }

// cut parts a command from whether it is InGesture.
func cut(c Command) (plain Command, inGesture bool) {
	if j, ok := c.(InGesture); ok {
		return j.Command, true
	}
	return c, false
}

// Changes reports whether a command changes numbers. It then makes a branch where some of the tape is still ahead.
func Changes(c Command) bool { return c.Kind() != "" }

// Branches reports whether a command makes a branch where some of the tape is ahead.
func Branches(c Command) bool { return Changes(c) || c == Command(Branch{}) }

// LaneOf is the ID of the lane that a command is for, given the lanes' ids, or AllLanes.
func LaneOf(c Command, ids []int) int {
	if _, ok := c.(AddLane); ok {
		return FreeID(ids)
	}
	if l, ok := c.(ofLane); ok && l.lane() >= 0 && l.lane() < len(ids) {
		return ids[l.lane()]
	}
	return AllLanes
}

// AllLanes in a command's Lane stands for every lane. Otherwise Lane is an index into the snapshot's lanes.
const AllLanes = -1

// decoders reads each command that is recorded, by its Kind.
var decoders = map[string]func(with json.RawMessage) (Command, error){}

func recorded[C Command]() struct{} {
	var zero C
	decoders[zero.Kind()] = func(with json.RawMessage) (Command, error) {
		var c C
		err := json.Unmarshal(with, &c)
		return c, err
	}
	return struct{}{}
}
