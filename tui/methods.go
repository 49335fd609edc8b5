package tui

import (
	"errors"
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
)

// pickSampler opens the list of samplers for the lanes that turns apply to.
func pickSampler(m *model) tea.Cmd {
	c := newChooser(m, "sampler", methodChoices(catalog.Methods(), m.Feed.Shown.Problem, (*model).setSampler))
	c.look(m.Lane().Setting.Sampler)
	m.mode = c
	return nil
}

// pickLane opens the list of samplers for a new lane.
func pickLane(m *model) tea.Cmd {
	if err := m.roomForLane(); err != nil {
		return m.Say(true, err.Error())
	}
	m.mode = newChooser(m, "add a lane", methodChoices(catalog.Methods(), m.Feed.Shown.Problem, (*model).addLane))
	return nil
}

// kindGroups are the headings of the list of samplers.
var kindGroups = [...]string{
	sampler.Sampling: "samplers", sampler.Optimising: "optimisers", sampler.Variational: "variational families",
}

// methodChoices lists methods by kind. One that does not run on the problem is
// there to be read, with the reason, but not to be taken.
func methodChoices(methods []sampler.Method, p *targets.Problem, take func(m *model, name string) tea.Cmd) []choice {
	var all []choice
	for kind, group := range kindGroups {
		for _, s := range methods {
			if s.Kind != sampler.Kind(kind) {
				continue
			}
			c := choice{
				name: s.Name, note: s.Doc, group: group,
				detail: []paragraph{{s.Title + ": " + s.Doc, 2}, {s.Source, 2}, {s.Equation, 3}},
			}
			if why := s.Misfit(p); why != "" {
				c.why = s.Title + " " + why
			} else {
				c.take = func(m *model) tea.Cmd { return take(m, s.Name) }
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
func parseMethod(m *model, name string, take func(m *model, name string) tea.Cmd) (action, error) {
	s, rest, ok := catalog.Cut(name)
	if !ok || rest != "" {
		return nil, engine.UnknownSampler(name)
	}
	if why := s.Misfit(m.Feed.Shown.Problem); why != "" {
		return nil, errors.New(s.Title + " " + why)
	}
	return func(m *model) tea.Cmd { return take(m, s.Name) }, nil
}
