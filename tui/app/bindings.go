package app

import (
	"strings"

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
	all = append(all, control.In(control.General, nil, []control.Binding{
		{Name: "suspend", Keys: "ctrl+z", Help: "suspend the program; the shell's fg resumes it", Always: true,
			Do: m.stop},
		{Name: "quit", Keys: "q", Help: "quit", Hint: "quit", Rank: 2, Do: m.quit},
		{Keys: "ctrl+c", Help: "quit", Always: true, Do: m.quit},
		{Name: "notice.clear", At: func(control.Hit) tea.Cmd { m.Notices.Clear(); return nil },
			Examples: []string{"click a hint: do what its key does", "click a notice: put it away",
				"click the header: target, history, pause, together or race"}},
	})...)
	return append(all, dialog.Keys()...)
}

// quit ends the program. Where something of worth would be lost it says so first,
// and ends at the next key that asks for it.
func (m *model) quit() tea.Cmd {
	lost, keys := m.Losses.All()
	if m.asked > 0 && m.asked+1 == m.Keys.Press || len(lost) == 0 {
		return tea.Quit
	}
	m.asked = m.Keys.Press
	m.Close()
	keys = append(keys, m.Keys.First("quit")+" again quits")
	return m.Say(true, strings.Join(lost, ", ")+"; "+strings.Join(keys, ", "))
}
