package keep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// load opens a recording beside the screen. The session stays until that has succeeded.
func (c *Keep) load(path string) tea.Cmd {
	open := c.Outside.Open
	if open == nil {
		return c.Say(true, cmp.Or(c.Outside.Closed, "recordings cannot be opened here"))
	}
	return c.Fetch(path, func(at *control.Loading) func() tea.Cmd {
		l, err := open(path, at)
		return func() tea.Cmd { return c.loaded(path, l, err) }
	})
}

// loaded hands an opened recording to the session.
func (c *Keep) loaded(path string, l state.Load, err error) tea.Cmd {
	if cmd, asks := dialog.Permit(c.Desk, err, func() tea.Cmd { return c.load(path) }, nil); asks {
		return cmd
	}
	if err != nil {
		return c.Say(true, err.Error())
	}
	l.Paused = true
	cmd := c.Feed.Send(l)
	return tea.Batch(cmd, c.Say(false, fmt.Sprintf(
		"the start of %s: %s plays it, %s goes to any step of it, or back to the session before",
		path, c.Keys.First("pause"), c.Keys.First("history"))))
}

// pickSession opens the list of saved sessions. Another file can be typed.
func (c *Keep) pickSession() tea.Cmd {
	if c.Outside.Open == nil {
		return c.Say(true, cmp.Or(c.Outside.Closed, "recordings cannot be opened here"))
	}
	chooser := dialog.NewChooser(c.Desk, "open a session", c.savedSessions())
	chooser.Typed = func(text string) []control.Choice {
		if slices.ContainsFunc(chooser.All, func(ch control.Choice) bool { return strings.EqualFold(ch.Name, text) }) {
			return nil
		}
		return []control.Choice{{Name: text, Note: "a recording, or a folder with one",
			Take: func() tea.Cmd { return c.load(text) }}}
	}
	c.Open(chooser)
	if len(chooser.All) == 0 {
		return c.Say(false, fmt.Sprintf("no session was written here yet (%s writes this one); type a file's name",
			c.Keys.First("save")))
	}
	return nil
}

// savedSessions lists the saved sessions, the newest first.
func (c *Keep) savedSessions() []control.Choice {
	if c.Outside.Sessions == nil {
		return nil
	}
	return list.Map(c.Outside.Sessions(), func(s control.Saved) control.Choice {
		return control.Choice{
			Name:   s.Path,
			Note:   s.About,
			Key:    s.When.Format("2 Jan 15:04"),
			Detail: []control.Paragraph{{Text: s.About, Rows: 2}},
			Take:   control.By(c.load, s.Path),
		}
	})
}

// sessionBefore puts back the session that was replaced by the one at hand, or the tape of which that is a branch.
func (c *Keep) sessionBefore() tea.Cmd {
	if !c.Feed.Foreseen.CanReturn && !c.Feed.Awaiting() {
		return c.Say(false, "there is no session before this one; "+c.Keys.First("history")+" goes back along this one")
	}
	c.Abandon()
	return c.Feed.Send(state.Return{})
}
