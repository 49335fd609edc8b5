package choose

import (
	"fmt"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// pickSampler opens the list of samplers for the lanes that turns apply to.
func (c *Choose) pickSampler() tea.Cmd {
	list := dialog.NewChooser(c.Desk, "sampler",
		methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, c.setSampler))
	list.Select(c.Lane().Setting.Sampler)
	return c.Open(list)
}

// pickLane opens the list of samplers for a new lane.
func (c *Choose) pickLane() tea.Cmd {
	if err := c.roomForLane(); err != nil {
		return c.Say(true, err.Error())
	}
	return c.Open(dialog.NewChooser(c.Desk, "add a lane",
		methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, c.addLane)))
}

// kindGroups are the headings of the list of samplers.
var kindGroups = [...]string{
	sampler.Sampling: "samplers", sampler.Optimising: "optimisers", sampler.Variational: "variational families",
}

// distilled begins the names of the samplers of which a student learns.
const distilled = "distill:"

// methodChoices lists methods by kind, those that are distilled in one line. One that does
// not run on the target stands at the end, to be read, with the reason, but not to be taken.
func methodChoices(methods []sampler.Method, p *targets.Problem, take func(name string) tea.Cmd) []control.Choice {
	var fit, unfit []control.Choice
	folded := false
	for kind, group := range kindGroups {
		for _, s := range methods {
			if s.Kind != sampler.Kind(kind) {
				continue
			}
			c := control.Choice{
				Name: s.Name, Note: s.Doc, Group: group,
				Detail: []control.Paragraph{{Text: s.Title + ": " + s.Doc, Rows: 2}, {Text: s.Source, Rows: 2},
					{Text: s.Equation, Rows: 3}},
			}
			to := &fit
			if why := s.Misfit(p); why != "" {
				c.Why, c.Group, to = s.Title+" "+why, "not on this target", &unfit
			} else {
				c.Take = func() tea.Cmd { return take(s.Name) }
			}
			if strings.HasPrefix(s.Name, distilled) && !folded {
				folded = true
				*to = append(*to, control.Choice{
					Name:  distilled + " …",
					Folds: distilled,
					Note:  "a student network, fitted to the averaged prediction of a sampler",
					Group: c.Group,
					Why:   map[bool]string{true: "needs a network"}[c.Why != ""], Detail: c.Detail,
				})
			}
			*to = append(*to, c)
		}
	}
	return append(fit, unfit...)
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

// verb is a move of the grammar that applies to the focused lane.
func (c *Choose) verb(name, help string) control.Binding {
	return c.Verb(name, true, c.Feed.Send, help)
}

// choosingSampler is the command that gives the focused lane another sampler.
func (c *Choose) choosingSampler() control.Binding {
	b := c.verb(grammar.Sampler, "choose the focused lane's sampler")
	b.Keys, b.Page, b.Hint, b.Rank, b.Do = "s", control.TenKeys, "sampler", 9, c.pickSampler
	b.Offer = func() []control.Choice {
		return methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, c.setSampler)
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
		return methodChoices(catalog.Methods(), c.Feed.Foreseen.Problem, c.addLane)
	}
	return b
}
