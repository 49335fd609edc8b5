package app

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/caught"
)

// guarded is the root model, of whose commands a panic ends the program with an
// error. Bubble Tea would tell of it on the screen that is about to go.
type guarded struct {
	*model
	crash func(error) // takes the first
}

// Init implements tea.Model.
func (g guarded) Init() tea.Cmd { return g.guard(g.model.Init()) }

// Update implements tea.Model.
func (g guarded) Update(msg tea.Msg) (tea.Model, tea.Cmd) {
	_, cmd := g.model.Update(msg)
	return g, g.guard(cmd)
}

// guard is a command, and those in its batch, whose panic is told to crash.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		if p := caught.In("the screen", func() { msg = cmd() }); p != nil {
			g.crash(p)
		}
		if all, ok := msg.(tea.BatchMsg); ok {
			for i := range all {
				all[i] = g.guard(all[i])
			}
		}
		return msg
	}
}
