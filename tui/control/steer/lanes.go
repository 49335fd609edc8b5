package steer

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// pickSampler opens the list of samplers for the lanes that turns apply to.
func (c *Steer) pickSampler() tea.Cmd {
	list := dialog.NewChooser(c.Desk, "sampler", methodChoices(catalog.Methods(), c.Feed.Shown.Problem, c.setSampler))
	list.Select(c.Lane().Setting.Sampler)
	return c.Open(list)
}

// pickLane opens the list of samplers for a new lane.
func (c *Steer) pickLane() tea.Cmd {
	if err := c.roomForLane(); err != nil {
		return c.Say(true, err.Error())
	}
	return c.Open(dialog.NewChooser(c.Desk, "add a lane", methodChoices(catalog.Methods(), c.Feed.Shown.Problem, c.addLane)))
}

// kindGroups are the headings of the list of samplers.
var kindGroups = [...]string{
	sampler.Sampling: "samplers", sampler.Optimising: "optimisers", sampler.Variational: "variational families",
}

// methodChoices lists methods by kind. One that does not run on the target is
// there to be read, with the reason, but not to be taken.
func methodChoices(methods []sampler.Method, p *targets.Problem, take func(name string) tea.Cmd) []control.Choice {
	var all []control.Choice
	for kind, group := range kindGroups {
		for _, s := range methods {
			if s.Kind != sampler.Kind(kind) {
				continue
			}
			c := control.Choice{
				Name: s.Name, Note: s.Doc, Group: group,
				Detail: []control.Paragraph{{Text: s.Title + ": " + s.Doc, Rows: 2}, {Text: s.Source, Rows: 2}, {Text: s.Equation, Rows: 3}},
			}
			if why := s.Misfit(p); why != "" {
				c.Why = s.Title + " " + why
			} else {
				c.Take = func() tea.Cmd { return take(s.Name) }
			}
			all = append(all, c)
		}
	}
	return all
}

func (c *Steer) setSampler(name string) tea.Cmd {
	return c.Feed.Send(engine.SetSampler{Lane: c.Focus.Index(c.Feed.Shown), Name: name})
}

func (c *Steer) addLane(name string) tea.Cmd {
	return c.Feed.Send(engine.AddLane{Name: name, Like: c.Focus.Index(c.Feed.Shown)})
}

func (c *Steer) roomForLane() error {
	if len(c.Feed.Shown.Lanes) >= engine.MaxLanes {
		return fmt.Errorf("a session has at most %d lanes", engine.MaxLanes)
	}
	return nil
}

func (c *Steer) link() tea.Cmd {
	c.Focus.Separate = !c.Focus.Separate
	if c.Focus.Separate {
		return c.Say(false, "turns apply to lane "+engine.LaneLetter(c.Lane().ID)+" alone")
	}
	return c.Say(false, "turns apply to all lanes")
}
