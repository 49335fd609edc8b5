package steer

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// verb is a move of the grammar. A parameter that it names is selected.
func (c *Steer) verb(name, help string, examples ...string) control.Binding {
	b := c.Verb(name, false, func(command state.Command) tea.Cmd { return c.do(name, command) }, help, examples...)
	b.Group = control.Parameters
	return b
}

// verbs are what can be done by name alone.
func (c *Steer) verbs() []control.Binding {
	point := c.verb(grammar.Point, "add a datum, as x=0 y=1 or, of two classes, x=0 y=1 class=1; clear takes them away",
		":point x=0 y=1: one datum more; also clear")
	point.Lacks = func() string {
		if _, ok := c.Feed.Foreseen.Problem.F64.(targets.Functional); !ok {
			return "needs regress or classify, whose data can be seen"
		}
		return ""
	}
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
		point,
	}
}

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
