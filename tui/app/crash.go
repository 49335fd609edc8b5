package app

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/tool/caught"
)

// guarded is the root model, of which a panic, or one of its commands, ends the program with an error. Bubble Tea would
// tell of it on the screen that is about to go, and close the terminal while it is read.
type guarded struct {
	*model
	crash func(error) // does not wait for the program's end
	pace  *pace
}

// Init implements tea.Model.
func (g guarded) Init() (cmd tea.Cmd) {
	g.do(func() { cmd = g.model.Init() })
	return g.guard(cmd)
}

// Update implements tea.Model.
func (g guarded) Update(msg tea.Msg) (_ tea.Model, cmd tea.Cmd) {
	g.do(func() { _, cmd = g.model.Update(msg) })
	return g, g.guard(cmd)
}

// View implements tea.Model.
func (g guarded) View() (v tea.View) {
	if g.Screen.Dirty && g.pace.holds() {
		return g.shown()
	}
	g.do(func() { g.pace.draw(g.Feed.Interval, func() { v = g.model.View() }) })
	return v
}

// do tells crash of a panic of f.
func (g guarded) do(f func()) {
	if p := caught.In("the screen", f); p != nil {
		g.crash(p)
	}
}

// guard is a command, and those in its batch, whose panic is told to crash.
func (g guarded) guard(cmd tea.Cmd) tea.Cmd {
	if cmd == nil {
		return nil
	}
	return func() (msg tea.Msg) {
		g.do(func() { msg = cmd() })
		if all, ok := msg.(tea.BatchMsg); ok {
			for i := range all {
				all[i] = g.guard(all[i])
			}
		}
		return msg
	}
}
