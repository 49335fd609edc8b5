package app

import (
	"cmp"
	"io"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
)

// stopping stops the program until its shell lets it go on. Bubble Tea leaves the terminal to the shell meanwhile. The
// session is held between two steps, so that no lane's clock runs.
type stopping struct{ hold func(func()) }

var _ tea.ExecCommand = stopping{}

func (s stopping) Run() error {
	s.hold(stopProcess)
	return nil
}

func (stopping) SetStdin(io.Reader)  {}
func (stopping) SetStdout(io.Writer) {}
func (stopping) SetStderr(io.Writer) {}

// stop gives the terminal back to the shell.
func (m *model) stop() tea.Cmd {
	if m.opts.hold == nil || !m.opts.host().stops() {
		return m.Say(false, cmp.Or(m.Outside.Closed, "there is no shell to go back to from here"))
	}
	return tea.Exec(stopping{m.opts.hold}, func(err error) tea.Msg {
		return control.ThenMsg(func() tea.Cmd { return m.resumed(err) })
	})
}

// resumed draws the screen anew when the program goes on. Without a terminal there is none.
func (m *model) resumed(err error) tea.Cmd {
	if err != nil {
		return tea.Quit
	}
	m.Screen.Dirty = true
	if !m.Feed.Begun() {
		return tea.ClearScreen
	}
	return tea.Batch(tea.ClearScreen, m.tell(control.ResumedMsg{}))
}
