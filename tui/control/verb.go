package control

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// Verb is the binding of a move of the grammar. It applies to the focused lane if that is alone, or turns apply to it
// alone, and else to all lanes, as one of the target always does. send does each of its commands.
func (d *Desk) Verb(name string, alone bool, send func(state.Command) tea.Cmd, help string,
	examples ...string) Binding {
	return Binding{Name: name, Help: help, Examples: examples, With: func(arg string) (func() tea.Cmd, error) {
		at := state.AllLanes
		if (alone || d.Focus.Separate) && !grammar.OfTarget(name) {
			at = d.Lane().ID
		}
		commands, err := grammar.Move{Lane: at, Name: name, Arg: arg}.Commands(d.Feed.Foreseen.State())
		return func() tea.Cmd { return tea.Batch(list.Map(commands, send)...) }, err
	}}
}
