package app

import (
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
)

// Turned is how many changes a session's command line says nothing of: what was
// changed since its first step, or since it was started anew. It starts the session
// with the values that they have led to.
func Turned(s *engine.Snapshot) int {
	n, start := 0, uint64(0)
	for i := range s.Tape.Events {
		e := &s.Tape.Events[i]
		switch e.Command.(type) {
		case engine.Restart, engine.SetTarget:
			n, start = 0, e.At
		default:
			if e.At > start && e.At <= s.Tape.At {
				n++
			}
		}
	}
	return n
}

// copyLine copies the command line that starts the session shown.
func (m *model) copyLine() tea.Cmd {
	if m.opts.CommandLine == nil {
		return m.Say(true, "there is no command line for this session")
	}
	s := m.Feed.Snap
	text := m.opts.CommandLine(s.Config, s.Problem)
	said := "copied"
	if m.opts.getenv("TMUX") != "" { // which keeps it to itself, unless it is told otherwise
		said += " (where tmux has set-clipboard on)"
	}
	if Turned(s) > 0 {
		said += ", from the start with the present values (" + m.Key("write") + " keeps the turns)"
	}
	cmd := tea.Batch(tea.SetClipboard(text), m.Say(false, said+": "+text))
	m.Notices.AsIs = true // as it is copied
	return cmd
}

type wroteMsg struct {
	where string
	err   error
}

// savedMsg says that the session was written.
type savedMsg struct{ wroteMsg }

// write saves the session beside the screen.
func (m *model) write(dir string) tea.Cmd {
	f := m.opts.Write
	if f == nil {
		return m.Say(true, "this session cannot be written while it runs; --record FILE writes it at the end")
	}
	return tea.Batch(m.Say(false, "writing"), func() tea.Msg {
		where, err := f(strings.TrimSpace(dir))
		return savedMsg{wroteMsg{where, err}}
	})
}

func (m *model) wrote(msg wroteMsg) tea.Cmd {
	if msg.err != nil {
		return m.Say(true, msg.err.Error())
	}
	return m.Say(false, "wrote "+located(msg.where))
}

// saved handles the end of the writing of the session.
func (m *model) saved(msg savedMsg) tea.Cmd {
	if msg.err == nil {
		m.unwritten, m.Feed.Branched = unwritten{}, false
	}
	return m.wrote(msg.wroteMsg)
}

// located adds to a relative name the folder in which the program was started.
func located(name string) string {
	dir, err := os.Getwd()
	if err != nil || filepath.IsAbs(name) {
		return name
	}
	if home, err := os.UserHomeDir(); err == nil && home != string(filepath.Separator) {
		if rest, ok := strings.CutPrefix(dir+string(filepath.Separator), home+string(filepath.Separator)); ok {
			dir = strings.TrimSuffix(filepath.Join("~", rest), string(filepath.Separator))
		}
	}
	return name + " in " + dir
}
