package app

import (
	"slices"

	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/prefs"
)

// bindings lists what can be done, concern by concern. Those for a state of the screen
// come in the order in which keys are asked of them.
func (m *model) bindings() []control.Binding {
	var all []control.Binding
	for _, c := range m.controllers {
		all = append(all, c.Bindings()...)
	}
	return slices.Concat(all,
		m.sweepBindings(), m.keepBindings(), m.openBindings(), m.rootBindings(), m.verbs(), dialog.Keys())
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

func (m *model) keepBindings() []control.Binding {
	theme := word("theme", "colours: auto, dark, light", prefs.Themes(), m.setTheme)
	theme.Keys, theme.Do = "T", m.nextTheme
	write := func(dir string) (func() tea.Cmd, error) { return func() tea.Cmd { return m.write(dir) }, nil }
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			theme,
			{Name: "copy the command line", Keys: "y", Help: "copy the command line of this session", Do: m.copyLine},
			{Name: "write", Keys: "w", Help: "save: write the session and its draws", Do: func() tea.Cmd { return m.write("") }, With: write},
			{Name: "open a session …", Keys: "E", Help: "open a session that was written", Do: m.pickSession},
			{Name: "session before", Keys: "B", Help: "back to the session before this one", Do: m.sessionBefore},
			{Name: "record the screen", Keys: "ctrl+r", Help: "record the screen as a cast, or stop", Do: func() tea.Cmd { return m.film("") }},
			{Name: "picture of the screen", Keys: "W", Help: "the screen as SVG; :picture F.png", Do: func() tea.Cmd { return m.picture("", false) }},
		}),
	)
}

// Names of what opens by itself what it is asked from.
const paletteName, helpName, wordsName = "command …", "help", "what is this?"

func (m *model) openBindings() []control.Binding {
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			{Name: paletteName, Keys: ":", Help: "any command by name, as in eps 0.3", Hint: "command", Rank: 10, Do: m.openPalette},
			{Name: helpName, Keys: "?", Help: "this help", Hint: "help", Rank: 1, Do: m.openHelp},
			{Name: wordsName, Keys: "H", Help: "what the words of the pane mean", Do: m.openWords},
			{Name: "notice.clear", At: func(control.Hit) tea.Cmd { m.Notices.Clear(); return nil }},
		}),
	)
}

func (m *model) rootBindings() []control.Binding {
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			{Name: "suspend", Keys: "ctrl+z", Help: "to the shell, whose fg comes back", Always: true, Do: m.stop},
			{Name: "quit", Keys: "q", Help: "quit", Hint: "quit", Rank: 2, Do: m.quit},
			{Keys: "ctrl+c", Help: "quit", Always: true, Do: m.quit},
		}),
	)
}
