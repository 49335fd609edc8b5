package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"
)

// copyLine copies the command line that starts the session shown.
func copyLine(m *model) tea.Cmd {
	if m.opts.CommandLine == nil {
		return m.say(true, "there is no command line for this session")
	}
	s := m.feed.snap
	text := m.opts.CommandLine(s.Config, s.Problem)
	return tea.Batch(tea.SetClipboard(text), m.say(false, "copied: "+text))
}

type wroteMsg struct {
	where string
	err   error
}

// write saves the session beside the screen.
func (m *model) write(dir string) tea.Cmd {
	f := m.opts.Write
	if f == nil {
		return m.say(true, "this session cannot be written while it runs; --record FILE writes it at the end")
	}
	return tea.Batch(m.say(false, "writing"), func() tea.Msg {
		where, err := f(strings.TrimSpace(dir))
		return wroteMsg{where, err}
	})
}

func (m *model) wrote(msg wroteMsg) tea.Cmd {
	if msg.err != nil {
		return m.say(true, msg.err.Error())
	}
	return m.say(false, "wrote "+msg.where)
}
