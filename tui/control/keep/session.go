package keep

import (
	"cmp"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/plane"
)

// copyLine copies the command line that makes the session shown.
func (c *Keep) copyLine() tea.Cmd {
	if c.Outside.CommandLine == nil {
		return c.Say(true, "there is no command line for this session")
	}
	text, lost := c.Outside.CommandLine(c.Feed.Newest)
	said := c.copied()
	if lost != nil {
		said += fmt.Sprintf(", from the start with the present values: %v (%s keeps the turns, in a file)", lost,
			c.Keys.First("save"))
	}
	cmd := tea.Batch(tea.SetClipboard(text), c.Say(false, said+": "+text))
	c.Notices.AsIs = true // as it is copied
	return cmd
}

func (c *Keep) copied() string {
	if c.getenv("TMUX") != "" { // which keeps it to itself, unless it is told otherwise
		return "copied (where tmux has set-clipboard on)"
	}
	return "copied"
}

// write saves the session beside the screen.
func (c *Keep) write(dir string) tea.Cmd {
	f := c.Outside.Write
	if f == nil {
		return c.Say(true, cmp.Or(c.Outside.Closed,
			"this session cannot be written while it runs; --record FILE writes it at the end"))
	}
	return tea.Batch(c.Say(false, "writing"), control.Beside(func() func() tea.Cmd {
		written, err := f(strings.TrimSpace(dir))
		return func() tea.Cmd { return c.saved(written, err) }
	}))
}

// writing writes files beside the screen, and says which.
func (c *Keep) writing(write func() (where string, err error)) tea.Cmd {
	return control.Beside(func() func() tea.Cmd {
		where, err := write()
		return func() tea.Cmd {
			if err != nil {
				return c.Say(true, err.Error())
			}
			return c.Say(false, "wrote "+located(where))
		}
	})
}

// saved handles the end of the writing of the session.
func (c *Keep) saved(w control.Written, err error) tea.Cmd {
	if err != nil {
		return c.Say(true, err.Error())
	}
	c.ran, c.Feed.Branched = 0, false
	text := "wrote " + located(w.Where)
	switch {
	case w.Rest != "":
		text += fmt.Sprintf(": the session, and the newest %s of %s draws of each chain. A replay writes more: %s",
			plane.Commas(w.Draws), plane.Commas(w.Of), w.Rest)
	case w.Of > 0:
		text += fmt.Sprintf(": the session, and all %s draws of each chain", plane.Commas(w.Of))
	}
	return c.Say(false, text)
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
