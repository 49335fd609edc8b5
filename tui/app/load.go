package app

import (
	"fmt"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// Saved is a session on the disk, for the list of those that can be opened.
type Saved struct {
	Path  string // for Options.Open
	About string // its target, samplers and length
	When  time.Time
}

// load opens a recording beside the screen. The session stays until that has
// succeeded.
func (m *model) load(path string) tea.Cmd {
	open := m.opts.Open
	if open == nil {
		return m.Say(true, "recordings cannot be opened here")
	}
	return tea.Batch(m.Say(false, "opening "+path), m.Fetch(func() func() tea.Cmd {
		l, err := open(path)
		return func() tea.Cmd { return m.loaded(path, l, err) }
	}))
}

// loaded hands an opened recording to the session.
func (m *model) loaded(path string, l engine.Load, err error) tea.Cmd {
	if err != nil {
		return m.Say(true, err.Error())
	}
	m.Focus.Scrub, l.Paused = true, true
	cmd := m.Feed.Send(l, nil)
	return tea.Batch(cmd, m.Say(false, fmt.Sprintf("the start of %s: %s plays it, %s goes to its end; %s",
		path, m.Key("tape: play"), m.Key("tape: end"), m.BackHint("session before", "session"))))
}

// pickSession opens the list of saved sessions. Another file can be typed.
func (m *model) pickSession() tea.Cmd {
	if m.opts.Open == nil {
		return m.Say(true, "recordings cannot be opened here")
	}
	c := dialog.NewChooser(m.Desk, "open a session", m.savedSessions())
	c.Typed = func(text string) []control.Choice {
		for _, ch := range c.All {
			if strings.EqualFold(ch.Name, text) {
				return nil
			}
		}
		return []control.Choice{{Name: text, Note: "a recording, or a folder with one", Take: func() tea.Cmd { return m.load(text) }}}
	}
	m.Open(c)
	if len(c.All) == 0 {
		return m.Say(false, fmt.Sprintf("no session was written here yet (%s writes this one); type a file's name", m.Key("write")))
	}
	return nil
}

// savedSessions lists the saved sessions, the newest first.
func (m *model) savedSessions() []control.Choice {
	if m.opts.Sessions == nil {
		return nil
	}
	var all []control.Choice
	for _, s := range m.opts.Sessions() {
		all = append(all, control.Choice{
			Name: s.Path, Note: s.About, Key: s.When.Format("2 Jan 15:04"), Detail: []control.Paragraph{{Text: s.About, Rows: 2}},
			Take: func() tea.Cmd { return m.load(s.Path) },
		})
	}
	return all
}

// openVerb is the palette's command that opens a session.
func (m *model) openVerb() control.Binding {
	return control.Binding{Name: "open", Help: "a recording, by its file or folder", With: func(arg string) (func() tea.Cmd, error) {
		return func() tea.Cmd { return m.load(arg) }, nil
	}}
}

// sessionBefore puts back the session that was replaced by the one at hand, or the
// tape of which that is a branch.
func (m *model) sessionBefore() tea.Cmd {
	if !m.Feed.Shown.CanReturn && !m.Feed.Awaiting() {
		return m.Say(false, "no other session has been left; "+m.Key("tape: go along the session")+" goes back along this one")
	}
	m.Fetches++ // what is still being opened comes too late
	return m.Feed.Send(engine.Return{}, nil)
}
