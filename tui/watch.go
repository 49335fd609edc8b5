package tui

import (
	"fmt"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/engine"
)

// watchNext shows the next coordinate on an axis, 0 for x and 1 for y.
func (m *model) watchNext(axis int) tea.Cmd {
	dim := min(m.feed.shown.Problem.Dim(), engine.MaxTracked)
	if dim <= 2 {
		return m.bothShown()
	}
	at := m.lane().Watch
	at[axis] = (at[axis] + 1) % dim
	if at[axis] == at[1-axis] {
		at[axis] = (at[axis] + 1) % dim
	}
	return m.watchAt(at)
}

func (m *model) watchAt(at [2]int) tea.Cmd {
	return m.feed.send(engine.Watch{X: at[0], Y: at[1]}, func(s *engine.Snapshot) {
		for i := range s.Lanes {
			s.Lanes[i].Watch = at
		}
	})
}

// watchPrincipal shows the draws' principal directions, or the coordinates
// again.
func (m *model) watchPrincipal() tea.Cmd {
	if m.feed.shown.Problem.Dim() <= 2 {
		return m.bothShown()
	}
	l := m.lane()
	return m.feed.send(engine.Watch{X: l.Watch[0], Y: l.Watch[1], Principal: !l.Principal}, nil)
}

func (m *model) bothShown() tea.Cmd {
	p := m.feed.shown.Problem
	return m.say(false, fmt.Sprintf("%s has %d coordinates, and both are shown", p.Spec, p.Dim()))
}
