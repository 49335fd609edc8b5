package control

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// Verb is the binding of a move of the grammar that applies to a lane, or to all where it is one of the target. send does
// each of its commands.
func (d *Desk) Verb(name string, lane func() int, send func(engine.Command) tea.Cmd, help string, examples ...string) Binding {
	return Binding{Name: name, Help: help, Examples: examples, With: func(arg string) (func() tea.Cmd, error) {
		at := lane()
		if engine.OfTarget(name) {
			at = engine.AllLanes
		}
		commands, err := grammar.Move{Lane: at, Name: name, Arg: arg}.Commands(d.Feed.Foreseen)
		return func() tea.Cmd { return tea.Batch(list.Map(commands, send)...) }, err
	}}
}

// LanesTurned is the lane that turns apply to, or all of them.
func (d *Desk) LanesTurned() int {
	if d.Focus.Separate {
		return d.Lane().ID
	}
	return engine.AllLanes
}
