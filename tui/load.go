package tui

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Saved is a session on the disk, for the list of those that can be opened.
type Saved struct {
	Path  string // for Options.Open
	About string // its target, samplers and length
	When  time.Time
}

// loadedMsg is the answer to the opening of a recording.
type loadedMsg struct {
	serial int
	path   string
	load   engine.Load
	err    error
}

// load opens a recording beside the screen. The session stays until that has
// succeeded.
func (m *model) load(path string) tea.Cmd {
	open := m.opts.Open
	if open == nil {
		return m.Say(true, "recordings cannot be opened here")
	}
	m.opener.serial++
	serial := m.opener.serial
	return tea.Batch(m.Say(false, "opening "+path), func() tea.Msg {
		l, err := open(path)
		return loadedMsg{serial, path, l, err}
	})
}

// loaded hands an opened recording to the session.
func (m *model) loaded(msg loadedMsg) tea.Cmd {
	switch {
	case msg.err != nil:
		return m.Say(true, msg.err.Error())
	case msg.serial != m.opener.serial:
		return nil
	}
	m.tape = taping{on: true}
	msg.load.Paused = true
	cmd := m.Feed.Send(msg.load, nil)
	return tea.Batch(cmd, m.Say(false, fmt.Sprintf("the start of %s: %s plays it, %s goes to its end; %s",
		msg.path, m.keys.Key(keymap.TapePlay), m.keys.Key(keymap.TapeEnd), m.backHint(keymap.Before, "session"))))
}

// pickSession opens the list of saved sessions. Another file can be typed.
func pickSession(m *model) tea.Cmd {
	if m.opts.Open == nil {
		return m.Say(true, "recordings cannot be opened here")
	}
	c := newChooser(m, "open a session", m.savedSessions())
	c.typed = func(text string) []choice {
		for _, ch := range c.all {
			if strings.EqualFold(ch.name, text) {
				return nil
			}
		}
		return []choice{{name: text, note: "a recording, or a folder with one", take: func(m *model) tea.Cmd { return m.load(text) }}}
	}
	m.mode = c
	if len(c.all) == 0 {
		return m.Say(false, fmt.Sprintf("no session was written here yet (%s writes this one); type a file's name", m.keys.Key(keymap.Write)))
	}
	return nil
}

// savedSessions lists the saved sessions, the newest first.
func (m *model) savedSessions() []choice {
	if m.opts.Sessions == nil {
		return nil
	}
	var all []choice
	for _, s := range m.opts.Sessions() {
		all = append(all, choice{
			name: s.Path, note: s.About, key: s.When.Format("2 Jan 15:04"), detail: []paragraph{{s.About, 2}},
			take: func(m *model) tea.Cmd { return m.load(s.Path) },
		})
	}
	return all
}

// tapeVerbs are the palette's commands for sessions and their tape.
func tapeVerbs() []verb {
	return []verb{
		{
			name: "open", help: "a recording, by its file or folder",
			parse: func(_ *model, arg string) (action, error) {
				return func(m *model) tea.Cmd { return m.load(arg) }, nil
			},
		},
		{name: "go", help: "to a step of the tape", parse: func(m *model, arg string) (action, error) {
			to, err := whole(strings.ReplaceAll(arg, ",", ""))
			if end := m.Feed.Shown.Tape.End; err == nil && to > end {
				err = fmt.Errorf("must be at most %s, the end of the tape", plane.Count(end))
			}
			return func(m *model) tea.Cmd {
				m.tape.on = true
				return m.seek(to)
			}, err
		}},
	}
}
