package choose

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// pickSampler opens the list of samplers for the lanes that turns apply to.
func (c *Choose) pickSampler() tea.Cmd { return c.pickMethod("sampler", c.setSampler) }

// pickLane opens the list of samplers for a new lane.
func (c *Choose) pickLane() tea.Cmd {
	if err := c.roomForLane(); err != nil {
		return c.Say(true, err.Error())
	}
	return c.pickMethod("add a lane", c.addLane)
}

// pickMethod opens the list of samplers at that of the focused lane.
func (c *Choose) pickMethod(title string, take func(name string) tea.Cmd) tea.Cmd {
	chooser := dialog.NewChooser(c.Desk, title, methodChoices(catalog.Groups(), c.Feed.Foreseen.Problem, take))
	chooser.Select(c.Lane().Setting.Sampler)
	return c.Open(chooser)
}

// methodChoices lists groups of methods, each below a line that unfolds it. What does not run on the target is a group
// of its own at the end, to be read, with the reason, but not to be taken.
func methodChoices(groups []catalog.Group, p *targets.Problem, take func(name string) tea.Cmd) []control.Choice {
	var all, unfit []control.Choice
	fold := func(group string, some []control.Choice) {
		if len(some) == 0 {
			return
		}
		names := strings.Join(list.Map(some, func(c control.Choice) string { return c.Name }), ", ")
		all = append(all, control.Choice{Name: group + " …", Folds: group, Note: names,
			Detail: []control.Paragraph{{Text: names, Rows: 4}}})
		for i := range some {
			some[i].Group = group
		}
		all = append(all, some...)
	}
	for _, g := range groups {
		var fit []control.Choice
		for _, s := range g.Methods {
			c := control.Choice{
				Name: s.Name, Note: s.Doc,
				Detail: []control.Paragraph{{Text: s.Title + ": " + s.Doc, Rows: 2}, {Text: s.Source, Rows: 2},
					{Text: s.Equation, Rows: 3}},
			}
			if why := s.Misfit(p); why != "" {
				c.Why = s.Title + " " + why
				unfit = append(unfit, c)
			} else {
				c.Take = func() tea.Cmd { return take(s.Name) }
				fit = append(fit, c)
			}
		}
		fold(g.Name, fit)
	}
	fold("not on this target", unfit)
	return all
}

func (c *Choose) setSampler(name string) tea.Cmd {
	return c.Feed.Send(state.SetSampler{Lane: c.Focus.Index(c.Feed.Foreseen), Name: name})
}

func (c *Choose) addLane(name string) tea.Cmd {
	return c.Feed.Send(state.AddLane{Name: name, Like: c.Focus.Index(c.Feed.Foreseen)})
}

func (c *Choose) roomForLane() error {
	if len(c.Feed.Foreseen.Lanes) >= state.MaxLanes {
		return fmt.Errorf("a session has at most %d lanes", state.MaxLanes)
	}
	return nil
}

// removeLane ends the focused lane and focuses the one in its place.
func (c *Choose) removeLane() tea.Cmd {
	s := c.Feed.Foreseen
	at := c.Focus.Index(s)
	if len(s.Lanes) == 1 {
		return c.Say(true, "a session has at least one lane")
	}
	cmd := c.Feed.Send(state.RemoveLane{Lane: at})
	s = c.Feed.Foreseen
	c.Focus.Lane = s.Lanes[min(at, len(s.Lanes)-1)].ID
	return cmd
}

// verb is a move of the grammar that gives the focused lane, or one like it, a sampler.
func (c *Choose) verb(name, help string) control.Binding {
	b := c.Verb(name, true, c.Feed.Send, help)
	with := b.With
	b.With = func(arg string) (func() tea.Cmd, error) {
		do, err := with(arg)
		if _, _, known := catalog.Cut(arg); err != nil && !known {
			err = fmt.Errorf("%w; %s lists them", err, c.Keys.First(name))
		}
		return do, err
	}
	return b
}

// choosingSampler is the command that gives the focused lane another sampler.
func (c *Choose) choosingSampler() control.Binding {
	b := c.verb(grammar.Sampler, "choose the focused lane's sampler")
	b.Keys, b.Page, b.Hint, b.Rank, b.Do = "s", control.TenKeys, "sampler", 9, c.pickSampler
	b.Offer = func() []control.Choice {
		return methodChoices(catalog.Groups(), c.Feed.Foreseen.Problem, c.setSampler)
	}
	return b
}

// adding is the command that adds a lane.
func (c *Choose) adding() control.Binding {
	b := c.verb(grammar.Add, "add a lane")
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
		return methodChoices(catalog.Groups(), c.Feed.Foreseen.Problem, c.addLane)
	}
	return b
}
