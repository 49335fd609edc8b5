package lesson

import (
	"cmp"
	"fmt"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
)

// A Lesson is a guided tour of a few scenes.
type Lesson struct {
	Name    string // on the command line
	Title   string
	Caption string // what it is about, for a list of lessons
	Source  string // the file
	Scenes  []Scene
}

// A Scene is one card of a lesson: something to read, a question, something to do
// and what came of it. All parts but the caption may be missing.
type Scene struct {
	Title   string
	Caption string
	// Preset is how the screen is set when the scene begins.
	Preset Preset
	// The user picks one of Choices, and then sees which is right.
	Question string
	Choices  []string
	Answer   int // index of the right one
	// Do says what the user is to do until Goal holds.
	Do    string
	Goal  Condition
	Hints []string
	// Reveal is shown once the goal is reached, with its numbers.
	Reveal Text
	// Moves reach the goal, and then Claims, what the texts say in words, must hold.
	Moves  []grammar.Move
	Claims Condition

	line  int // in Source
	lines map[string]int
}

// A Preset is how the screen is set when a scene begins. What is nil or empty stays as it was, and the speed is that of
// the scene before. If the scene starts a session, it is the screen's default instead: full speed, lanes linked, the
// first lane in focus, curves against steps with a linear x axis and a logarithmic y axis.
type Preset struct {
	// Session is the flags of the session that starts anew, as on the command line; nil to go on with the one at hand.
	Session grammar.Args
	View    *int // by its place
	XAxis   *pane.XAxis
	LogX    *bool
	LogY    *bool
	Linked  *bool
	Speed   *float64 // steps a second, 0 for as fast as it goes
	Lane    *int     // the focused lane
	Param   string   // key of the parameter selected on the strip
	// Shift is what the test images are shifted by, in the view of predictions alone.
	Shift *targets.Shift
}

// Starts reports whether a session starts with the scene.
func (p Preset) Starts() bool { return p.Session != nil }

// Commands are what a session is told where the preset comes into force. The speed of one that starts comes with it.
func (p Preset) Commands() (all []state.Command) {
	if p.Shift != nil {
		all = append(all, state.SetShift{Shift: *p.Shift})
	}
	if !p.Starts() && p.Speed != nil {
		all = append(all, state.SetSpeed{PerSecond: *p.Speed})
	}
	return all
}

// Begins is the index of the scene at or before i with which its session starts.
func (l *Lesson) Begins(i int) int {
	for i > 0 && !l.Scenes[i].Preset.Starts() {
		i--
	}
	return i
}

// at says where in the lesson's file something is.
func (l *Lesson) at(scene int, key string) string {
	s := &l.Scenes[scene]
	return fmt.Sprintf("%s:%d: scene %d: %s", l.Source, cmp.Or(s.lines[key], s.line), scene+1, key)
}
