package app

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// quit ends the program. Where something of worth would be lost it says so first,
// and ends at the next key that asks for it.
func (m *model) quit() tea.Cmd {
	var lost, keys []string
	for _, loss := range m.Losses {
		what, saved := loss()
		if what != "" {
			lost = append(lost, what)
		}
		if saved != "" {
			keys = append(keys, saved)
		}
	}
	if m.asked > 0 && m.asked+1 == m.Press || len(lost) == 0 {
		return tea.Quit
	}
	m.asked = m.Press
	m.Close()
	keys = append(keys, m.Key("quit")+" again quits")
	return m.Say(true, strings.Join(lost, ", ")+"; "+strings.Join(keys, ", "))
}
