package app

import (
	"errors"
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
func (m *model) pickSampler() tea.Cmd {
	c := dialog.NewChooser(m.Desk, "sampler", methodChoices(catalog.Methods(), m.Feed.Shown.Problem, m.setSampler))
	c.Select(m.Lane().Setting.Sampler)
	return m.Open(c)
}

// pickLane opens the list of samplers for a new lane.
func (m *model) pickLane() tea.Cmd {
	if err := m.roomForLane(); err != nil {
		return m.Say(true, err.Error())
	}
	return m.Open(dialog.NewChooser(m.Desk, "add a lane", methodChoices(catalog.Methods(), m.Feed.Shown.Problem, m.addLane)))
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

func (m *model) setSampler(name string) tea.Cmd {
	return m.Feed.Send(engine.SetSampler{Lane: m.Focus.Index(m.Feed.Shown), Name: name}, nil)
}

func (m *model) addLane(name string) tea.Cmd {
	return m.Feed.Send(engine.AddLane{Name: name, Like: m.Focus.Index(m.Feed.Shown)}, nil)
}

func (m *model) roomForLane() error {
	if len(m.Feed.Shown.Lanes) >= engine.MaxLanes {
		return fmt.Errorf("a session has at most %d lanes", engine.MaxLanes)
	}
	return nil
}

// parseMethod reads the name of a method that runs on the target.
func (m *model) parseMethod(name string, take func(name string) tea.Cmd) (func() tea.Cmd, error) {
	s, rest, ok := catalog.Cut(name)
	if !ok || rest != "" {
		return nil, engine.UnknownSampler(name)
	}
	if why := s.Misfit(m.Feed.Shown.Problem); why != "" {
		return nil, errors.New(s.Title + " " + why)
	}
	return func() tea.Cmd { return take(s.Name) }, nil
}
