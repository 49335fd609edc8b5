package keymap

// A Gesture is what can be done with the mouse. All of it can be done by keys too.
type Gesture struct{ Do, Help string }

// Gestures lists what the mouse does, in the order of the help.
func Gestures() []Gesture {
	return []Gesture{
		{"click a hint", "what its key does, in the last row"},
		{"click a notice", "puts it away"},
		{"click the header", "target, tape, pause, lockstep"},
		{"click a pane", "focuses it, and its lane"},
		{"double click", "the pane alone, or all"},
		{"hover a chart", "exact values"},
		{"wheel on a chart", "zoom; with shift along it"},
		{"drag a chart", "move what is zoomed"},
		{"drag a slider", "turn, or go along the tape"},
		{"wheel on a value", "turns it"},
		{"click a value", "select it; once more to type"},
		{"click a cell", "of the sweep: choose; twice: jump"},
		{"click a line", "of a list: take it; a lesson: answer"},
	}
}
