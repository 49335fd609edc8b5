package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// bindings lists what can be done, concern by concern. Those for a state of the screen
// come in the order in which keys are asked of them.
func (m *model) bindings() []control.Binding {
	var all []control.Binding
	for _, c := range m.controllers {
		all = append(all, c.Bindings()...)
	}
	return slices.Concat(all,
		m.sweepBindings(), []control.Binding{m.sweepVerb()}, m.rootBindings(), dialog.Keys())
}

func (m *model) sweepBindings() []control.Binding {
	cell := func(n int) func() tea.Cmd { return func() tea.Cmd { return m.moveCell(n) } }
	named := func(name string) func() tea.Cmd { return func() tea.Cmd { return m.Desk.Do(name) } }
	longer := func(n int) func() tea.Cmd { return func() tea.Cmd { return m.longer(n) } }
	const choose, far, ends, param, value, length = "sweep: choose a cell", "sweep: ten cells on", "sweep: to the first cell, the last", "sweep: over another parameter", "sweep: turn the session's value", "sweep: shorter cells, longer ones"
	return slices.Concat(
		control.In(control.Grid, m.onGrid, []control.Binding{
			{Name: "sweep: cell before", Keys: "left", Help: choose, Hint: "cell", Rank: 3, Do: cell(-1)},
			{Name: "sweep: next cell", Keys: "right", Help: choose, Hint: "cell", Rank: 3, Do: cell(1)},
			{Name: "sweep: ten cells before", Keys: "shift+left pgdown", Help: far, Do: cell(-10)},
			{Name: "sweep: ten cells on", Keys: "shift+right pgup", Help: far, Do: cell(10)},
			{Name: "sweep: first cell", Keys: "home", Help: ends, Do: cell(-1 << 20)},
			{Name: "sweep: last cell", Keys: "end", Help: ends, Do: cell(1 << 20)},
			{Name: "sweep: jump to the cell", Keys: "enter", Help: "sweep: the session jumps to the cell", Hint: "jump to it", Rank: 1, Do: m.jump},
			{Name: "sweep: parameter before", Keys: "up k", Help: param, Hint: "parameter", Rank: 4, Do: named("previous parameter")},
			{Name: "sweep: next parameter", Keys: "down j", Help: param, Hint: "parameter", Rank: 4, Do: named("next parameter")},
			{Name: "sweep: turn down", Keys: "-", Help: value, Hint: "turn", Rank: 6, Do: named("turn down")},
			{Name: "sweep: turn up", Keys: "+", Help: value, Hint: "turn", Rank: 6, Do: named("turn up")},
			{Name: "sweep: shorter cells", Keys: "(", Help: length, Hint: "length", Rank: 7, Do: longer(-1)},
			{Name: "sweep: longer cells", Keys: ")", Help: length, Hint: "length", Rank: 7, Do: longer(1)},
			{Name: "sweep: pause", Keys: "P", Help: "sweep: pause it or go on", Hint: "pause it", Rank: 8, Do: m.pauseGrid},
			{Name: "sweep: anew", Keys: "G", Help: "sweep: anew about the present value", Hint: "anew", Rank: 5, Do: m.againGrid},
		}),
	)
}

func (m *model) rootBindings() []control.Binding {
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			{Name: "suspend", Keys: "ctrl+z", Help: "to the shell, whose fg comes back", Always: true, Do: m.stop},
			{Name: "quit", Keys: "q", Help: "quit", Hint: "quit", Rank: 2, Do: m.quit},
			{Keys: "ctrl+c", Help: "quit", Always: true, Do: m.quit},
			{Name: "notice.clear", At: func(control.Hit) tea.Cmd { m.Notices.Clear(); return nil }},
		}),
	)
}
