package app

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// pickTarget opens the list of targets. A target that is not on it, such as a
// file, can be typed.
func (m *model) pickTarget() tea.Cmd {
	var all []control.Choice
	for _, f := range targets.Families() {
		for _, spec := range f.Examples {
			all = append(all, control.Choice{
				Name: spec, Note: f.Doc, Detail: aboutFamily(f), Why: m.opener.refused[spec],
				Take: func() tea.Cmd { return m.open(spec) },
			})
		}
	}
	c := dialog.NewChooser(m.Desk, "target", all)
	c.Typed = func(text string) []control.Choice {
		f, ok := family(text)
		if !ok || slices.ContainsFunc(all, func(ch control.Choice) bool { return ch.Name == text }) {
			return nil
		}
		return []control.Choice{{
			Name: text, Note: f.Doc, Detail: aboutFamily(f), Why: m.opener.refused[text],
			Take: func() tea.Cmd { return m.open(text) },
		}}
	}
	c.Select(m.Feed.Shown.Config.Target)
	return m.Open(c)
}

// aboutFamily is what is said of a target in the list.
func aboutFamily(f targets.Family) []control.Paragraph {
	return []control.Paragraph{{Text: f.Doc, Rows: 2}, {Text: f.Usage, Rows: 1}}
}

// family finds the family of a typed target with settings.
func family(text string) (targets.Family, bool) {
	all := targets.Families()
	i := slices.IndexFunc(all, func(f targets.Family) bool { return strings.HasPrefix(text, f.Name+":") && text != f.Name+":" })
	if i < 0 {
		return targets.Family{}, false
	}
	return all[i], true
}

// opener opens targets beside the screen, since a file takes its time.
type opener struct {
	refused map[string]string // why a target could not be opened
	// set is the place among the commands of the newest that chooses a target, 0
	// once it is told.
	set uint64
}

// open opens a target.
func (m *model) open(spec string) tea.Cmd {
	cfg := m.Feed.Shown.Config
	cfg.Target = spec
	dir := m.opts.DataDir
	return tea.Batch(m.Say(false, "opening "+spec), m.Fetch(func() func() tea.Cmd {
		p, err := cfg.Open(dir)
		return func() tea.Cmd { return m.opened(spec, p, err) }
	}))
}

// opened hands an opened target to the session.
func (m *model) opened(spec string, p *targets.Problem, err error) tea.Cmd {
	if err != nil {
		m.opener.refused[spec] = err.Error()
		return m.Say(true, err.Error())
	}
	delete(m.opener.refused, spec)
	m.Notices.Clear()
	cmd := m.Feed.Send(engine.SetTarget{Target: p.Spec, Problem: p}, nil)
	m.opener.set = m.Feed.Sent
	return cmd
}
