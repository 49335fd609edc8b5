package steer

import (
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// verb is a command of the grammar that applies to a lane.
func (c *Steer) verb(name string, lane func() int, help string, examples ...string) control.Binding {
	return control.Binding{Name: name, Help: help, Examples: examples, With: func(arg string) (func() tea.Cmd, error) {
		at := lane()
		if engine.OfTarget(name) {
			at = engine.AllLanes
		}
		commands, err := grammar.Move{Lane: at, Name: name, Arg: arg}.Commands(c.Feed.Foreseen)
		return func() tea.Cmd { return c.do(name, commands) }, err
	}}
}

func (c *Steer) focusedLane() int { return c.Lane().ID }

func (c *Steer) lanesTurned() int {
	if c.Focus.Separate {
		return c.Lane().ID
	}
	return engine.AllLanes
}

// choosingSampler is the command that gives the focused lane another sampler.
func (c *Steer) choosingSampler() control.Binding {
	b := c.verb(grammar.Sampler, c.focusedLane, "choose the focused lane's sampler")
	b.Keys, b.Page, b.Hint, b.Rank, b.Do = "s", control.TenKeys, "sampler", 9, c.pickSampler
	b.Offer = func() []control.Choice {
		return methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, c.setSampler)
	}
	return b
}

// adding is the command that adds a lane.
func (c *Steer) adding() control.Binding {
	b := c.verb(grammar.Add, c.focusedLane, "add a lane")
	with := b.With
	b.Keys, b.Do = "a", c.pickLane
	b.With = func(arg string) (func() tea.Cmd, error) {
		if err := c.roomForLane(); err != nil {
			return nil, err
		}
		return with(arg)
	}
	b.Offer = func() []control.Choice {
		if c.roomForLane() != nil {
			return nil
		}
		return methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, c.addLane)
	}
	return b
}

// verbs are what can be done by name alone.
func (c *Steer) verbs() []control.Binding {
	seed := c.verb(grammar.Seed, c.lanesTurned, "restart with this seed, or with the next", ":seed 7: restart with seed 7, or with the next")
	numbered := seed.With
	seed.With = func(arg string) (func() tea.Cmd, error) {
		if arg == "next" {
			return control.By(c.restart, 1), nil
		}
		return numbered(arg)
	}
	back := c.verb(grammar.Back, c.lanesTurned, "go back 200 steps, or N; N 0.5 also halves ε", ":back 500: go back 500 steps")
	back.Do = c.rewind
	return []control.Binding{
		{Each: func() []control.Binding {
			var all []control.Binding
			for _, p := range c.Params() {
				b := c.verb(p.Key, c.lanesTurned, p.Doc+"; allowed: "+p.Allowed())
				b.Symbol = p.Symbol
				all = append(all, b)
			}
			return all
		}},
		c.verb("lr", c.lanesTurned, "ε as a learning rate: h = εN/2"),
		c.verb("schedule", c.lanesTurned, "how ε falls: const, halve:20ep, halve:STEPS or poly:a,b,gamma", ":schedule …: how ε falls: halve:20ep, poly:a,b,gamma, const"),
		c.verb(grammar.Speed, c.lanesTurned, "steps a second, or full"),
		seed,
		c.verb(grammar.Until, c.lanesTurned, "end where enough is drawn: "+quantity.UntilHelp()+"; several with commas, or off", ":until ess=400: end at 400 effective draws"),
		c.verb(grammar.Run, c.lanesTurned, "run N steps, then pause", ":run 500: run 500 steps, then pause"),
		back,
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
