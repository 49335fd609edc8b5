package steer

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// verb is a move of the grammar. A parameter that it names is selected.
func (c *Steer) verb(name, help string, examples ...string) control.Binding {
	b := c.Verb(name, false, func(command state.Command) tea.Cmd { return c.do(name, command) }, help, examples...)
	b.Group = control.Parameters
	return b
}

// verbs are what can be done by name alone.
func (c *Steer) verbs() []control.Binding {
	return []control.Binding{
		{Each: func() []control.Binding {
			var all []control.Binding
			for _, p := range c.Focus.List(c.Feed.Foreseen) {
				b := c.verb(p.Key, p.Doc+"; allowed: "+p.Allowed())
				b.Symbol = p.Symbol
				all = append(all, b)
			}
			return all
		}},
		c.verb("lr", "ε as a learning rate: h = εN/2"),
		c.verb("schedule", "how ε falls: const, halve:20ep, halve:STEPS or poly:a,b,gamma",
			":schedule …: how ε falls: halve:20ep, poly:a,b,gamma, const"),
	}
}

// do sends a command of the move with a name, as its key does.
func (c *Steer) do(name string, command state.Command) tea.Cmd {
	set, ok := command.(state.SetParam)
	if ok && set.Key == name || name == state.KeyChains {
		c.selectParam(name)
	}
	if p, of := paramOf(c.Feed.Foreseen.Problem, c.Lane(), set.Key); ok && of {
		return tea.Batch(c.Feed.Send(set), c.atRestart(p, set.Value))
	}
	return c.Feed.Send(command)
}
