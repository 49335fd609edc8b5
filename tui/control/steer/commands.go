package steer

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// verbs are what can be done by name alone.
func (c *Steer) verbs() []control.Binding {
	example := catalog.Methods()[0].Name
	target := func() int {
		if c.Focus.Separate {
			return c.Lane().ID
		}
		return engine.AllLanes
	}
	focused := func() int { return c.Lane().ID }
	verb := func(name string, lane func() int, help string, examples ...string) control.Binding {
		return control.Binding{Name: name, Help: help, Examples: examples, With: func(arg string) (func() tea.Cmd, error) {
			commands, err := grammar.Move{Lane: lane(), Name: name, Arg: arg}.Commands(c.Feed.Foreseen)
			return func() tea.Cmd { return c.do(name, commands) }, err
		}}
	}
	choosing := func(b control.Binding, take func(name string) tea.Cmd) control.Binding {
		b.Offer = func() []control.Choice { return methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, take) }
		return b
	}
	add := choosing(verb(grammar.Add, focused, "a lane, by its sampler's name: add "+example), c.addLane)
	with, offer := add.With, add.Offer
	add.With = func(arg string) (func() tea.Cmd, error) {
		if err := c.roomForLane(); err != nil {
			return nil, err
		}
		return with(arg)
	}
	add.Offer = func() []control.Choice {
		if c.roomForLane() != nil {
			return nil
		}
		return offer()
	}
	return []control.Binding{
		{Each: func() []control.Binding {
			var all []control.Binding
			for _, p := range c.Params() {
				all = append(all, verb(p.Key, target, p.Doc+"; allowed: "+p.Allowed()))
			}
			return all
		}},
		verb("lr", target, "step per mean gradient, h = εN/2"),
		verb("schedule", target, "const, halve:20ep, halve:STEPS or poly:a,b,gamma", ":schedule …: halve:20ep, poly:a,b,gamma, const"),
		{Name: "target", Help: "gaussian:a=2, blr:FILE, …", With: func(arg string) (func() tea.Cmd, error) {
			return func() tea.Cmd { return c.open(arg) }, nil
		}},
		choosing(verb(grammar.Sampler, focused, "another sampler, by name: sampler "+example), c.setSampler),
		add,
		verb(grammar.Speed, target, "steps a second, or full"),
		verb(grammar.Seed, target, "restart on a seed"),
		verb(grammar.Run, target, "run so many steps, then pause", ":run 500: that many steps, then pause"),
		verb(grammar.Back, target, "go back so many steps; a second number multiplies ε"),
	}
}

// do sends the commands of a move with a name, each as its key does. A parameter that is
// named is selected.
func (c *Steer) do(name string, commands []engine.Command) tea.Cmd {
	var all []tea.Cmd
	for _, command := range commands {
		switch command := command.(type) {
		case engine.SetSpeed:
			all = append(all, c.setSpeed(command.PerSecond))
		case engine.SetParam:
			if command.Key == name {
				c.selectParam(name)
			}
			all = append(all, c.Feed.Send(command))
			if p, ok := paramOf(c.Feed.Foreseen.Problem, c.Lane(), command.Key); ok {
				all = append(all, c.atRestart(p, command.Value))
			}
		case engine.Restart:
			if name == engine.KeyChains {
				c.selectParam(name)
			}
			all = append(all, c.Feed.Send(command))
		default:
			all = append(all, c.Feed.Send(command))
		}
	}
	return tea.Batch(all...)
}
