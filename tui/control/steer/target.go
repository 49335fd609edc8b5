package steer

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/wording"
)

// pickTarget opens the list of targets. A target that is not on it, such as a
// file, can be typed.
func (c *Steer) pickTarget() tea.Cmd {
	var all []control.Choice
	for _, f := range targets.Families() {
		for _, spec := range f.Examples {
			all = append(all, control.Choice{
				Name: spec, Note: f.Doc, Detail: aboutFamily(f), Why: c.refused[spec],
				Take: func() tea.Cmd { return c.open(spec) },
			})
		}
	}
	list := dialog.NewChooser(c.Desk, "target", all)
	list.Typed = func(text string) []control.Choice {
		f, ok := family(text)
		if !ok || slices.ContainsFunc(all, func(ch control.Choice) bool { return ch.Name == text }) {
			return nil
		}
		return []control.Choice{{
			Name: text, Note: f.Doc, Detail: aboutFamily(f), Why: c.refused[text],
			Take: func() tea.Cmd { return c.open(text) },
		}}
	}
	list.Select(c.Feed.Shown.Config.Target)
	return c.Open(list)
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

// open opens a target. The newest one asked for wins.
func (c *Steer) open(spec string) tea.Cmd {
	cfg, dir := c.Feed.Shown.Config, c.dataDir
	cfg.Target = spec
	return tea.Batch(c.Say(false, "opening "+spec), c.Fetch(func() func() tea.Cmd {
		p, err := cfg.Open(dir)
		return func() tea.Cmd { return c.opened(spec, p, err) }
	}))
}

// opened hands an opened target to the session.
func (c *Steer) opened(spec string, p *targets.Problem, err error) tea.Cmd {
	if err != nil {
		c.refused[spec] = err.Error()
		return c.Say(true, err.Error())
	}
	delete(c.refused, spec)
	c.Notices.Clear()
	cmd := c.Feed.Send(engine.SetTarget{Target: p.Spec, Problem: p})
	c.set = c.Feed.Sent
	return cmd
}

// replaced says how another target's predecessor comes back, once there is another.
func (c *Steer) replaced(before *engine.Snapshot) tea.Cmd {
	s := c.Feed.Snap
	if c.set == 0 || s.Applied < c.set {
		return nil
	}
	c.set = 0
	if s.Notice.Err() != nil || before.Problem == s.Problem || s.Tape.At == 0 {
		return nil
	}
	return c.Say(false, wording.Notice(s.Notice)+"; "+c.BackHint("undo", "target"))
}
