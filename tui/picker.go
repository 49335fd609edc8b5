package tui

import (
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// pickTarget opens the list of targets. A target that is not on it, such as a
// file, can be typed.
func pickTarget(m *model) tea.Cmd {
	var all []choice
	for _, f := range targets.Families() {
		for _, spec := range f.Examples {
			all = append(all, choice{
				name: spec, note: f.Doc, detail: f.Usage, why: m.opener.refused[spec],
				take: func(m *model) tea.Cmd { return m.open(spec) },
			})
		}
	}
	c := newChooser(m, "target", all)
	c.typed = func(text string) (choice, bool) {
		f, ok := family(text)
		if !ok || slices.ContainsFunc(all, func(ch choice) bool { return ch.name == text }) {
			return choice{}, false
		}
		return choice{
			name: text, note: f.Doc, detail: f.Usage, why: m.opener.refused[text],
			take: func(m *model) tea.Cmd { return m.open(text) },
		}, true
	}
	c.look(m.feed.shown.Config.Target)
	m.mode = c
	return nil
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

// pickSampler opens the list of samplers for the lanes that turns apply to.
func pickSampler(m *model) tea.Cmd {
	c := newChooser(m, "sampler", samplers(func(name string) action {
		return func(m *model) tea.Cmd { return m.setSampler(name) }
	}))
	c.look(m.lane().Setting.Sampler)
	m.mode = c
	return nil
}

// pickLane opens the list of samplers for a new lane.
func pickLane(m *model) tea.Cmd {
	if len(m.feed.shown.Lanes) >= engine.MaxLanes {
		return m.say(true, fmt.Sprintf("a session has at most %d lanes", engine.MaxLanes))
	}
	m.mode = newChooser(m, "add a lane", samplers(func(name string) action {
		return func(m *model) tea.Cmd {
			return m.feed.send(engine.AddLane{Name: name, Like: m.focus.index(m.feed.shown)}, nil)
		}
	}))
	return nil
}

func samplers(take func(name string) action) []choice {
	var all []choice
	for _, s := range sampler.Methods() {
		all = append(all, choice{name: s.Name, note: s.Doc, detail: s.Equation, take: take(s.Name)})
	}
	return all
}

func (m *model) setSampler(name string) tea.Cmd {
	return m.feed.send(engine.SetSampler{Lane: m.focus.target(m.feed.shown), Name: name}, nil)
}

// opener opens targets beside the screen, since a file takes its time.
type opener struct {
	refused map[string]string // why a target could not be opened
	serial  int               // of the newest one asked for
}

type openedMsg struct {
	serial  int
	spec    string
	problem *targets.Problem
	err     error
}

// open opens a target. The newest one asked for wins.
func (m *model) open(spec string) tea.Cmd {
	cfg := m.feed.shown.Config
	cfg.Target = spec
	m.opener.serial++
	serial, dir := m.opener.serial, m.opts.DataDir
	return tea.Batch(m.say(false, "opening "+spec), func() tea.Msg {
		p, err := cfg.Open(dir)
		return openedMsg{serial, spec, p, err}
	})
}

// opened hands an opened target to the session.
func (m *model) opened(msg openedMsg) tea.Cmd {
	if msg.err != nil {
		m.opener.refused[msg.spec] = msg.err.Error()
		return m.say(true, msg.err.Error())
	}
	delete(m.opener.refused, msg.spec)
	if msg.serial != m.opener.serial {
		return nil
	}
	m.notices.clear()
	return m.feed.send(engine.SetTarget{Target: msg.problem.Spec, Problem: msg.problem}, nil)
}
