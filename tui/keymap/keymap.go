// Package keymap names the keys that panes speak of.
package keymap

// An Action is what a key asks for.
type Action uint8

// The actions.
const (
	None Action = iota
	Pause
	Restart
	RewindHalf
	Rewind
	Race
	Target
	Link
	Card
	ZoomAll
	GridLonger
	Tape
	Film
	Back
)

// A Map knows the key of an action.
type Map map[Action]string

// New returns the Map.
func New() Map {
	return Map{Pause: "space", Restart: "R", RewindHalf: "r", Rewind: "b", Card: "d", GridLonger: ")", Back: "esc"}
}

// Key returns the key of an action, for messages such as "press r".
func (m Map) Key(a Action) string { return m[a] }
