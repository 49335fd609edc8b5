package tui

import (
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// pickTarget opens the list of targets. A target that is not on it, such as a
// file, can be typed.
func pickTarget(m *model) tea.Cmd {
	var all []choice
	for _, f := range targets.Families() {
		for _, spec := range f.Examples {
			all = append(all, choice{
				name: spec, note: f.Doc, detail: aboutFamily(f), why: m.opener.refused[spec],
				take: func(m *model) tea.Cmd { return m.open(spec) },
			})
		}
	}
	c := newChooser(m, "target", all)
	c.typed = func(text string) []choice {
		f, ok := family(text)
		if !ok || slices.ContainsFunc(all, func(ch choice) bool { return ch.name == text }) {
			return nil
		}
		return []choice{{
			name: text, note: f.Doc, detail: aboutFamily(f), why: m.opener.refused[text],
			take: func(m *model) tea.Cmd { return m.open(text) },
		}}
	}
	c.look(m.Feed.Shown.Config.Target)
	m.mode = c
	return nil
}

// aboutFamily is what is said of a target in the list.
func aboutFamily(f targets.Family) []paragraph { return []paragraph{{f.Doc, 2}, {f.Usage, 1}} }

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
	serial  int               // of the newest one asked for
	// set is the place among the commands of the newest that chooses a target, 0
	// once it is told.
	set uint64
}

type openedMsg struct {
	serial  int
	spec    string
	problem *targets.Problem
	err     error
}

// open opens a target. The newest one asked for wins.
func (m *model) open(spec string) tea.Cmd {
	cfg := m.Feed.Shown.Config
	cfg.Target = spec
	m.opener.serial++
	serial, dir := m.opener.serial, m.opts.DataDir
	return tea.Batch(m.Say(false, "opening "+spec), func() tea.Msg {
		p, err := cfg.Open(dir)
		return openedMsg{serial, spec, p, err}
	})
}

// opened hands an opened target to the session.
func (m *model) opened(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		m.opener.refused[msg.spec] = msg.err.Error()
		return m.Say(true, msg.err.Error())
	}
	delete(m.opener.refused, msg.spec)
	if msg.serial != m.opener.serial {
		return nil
	}
	m.Notices.Clear()
	cmd := m.Feed.Send(engine.SetTarget{Target: msg.problem.Spec, Problem: msg.problem}, nil)
	m.opener.set = m.Feed.Sent
	return cmd
}
