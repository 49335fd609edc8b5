package app

import (
	"fmt"
	"runtime/debug"

	tea "charm.land/bubbletea/v2"
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
		defer func() {
			if r := recover(); r != nil {
				g.crash(fmt.Errorf("the screen panicked: %v\n%s", r, debug.Stack()))
			}
		}()
		msg = cmd()
		if all, ok := msg.(tea.BatchMsg); ok {
			for i := range all {
				all[i] = g.guard(all[i])
			}
		}
		return msg
	}
}
