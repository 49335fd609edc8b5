// Package keep is the controller of what is written and read: settings, sessions,
// recordings of the screen, pictures, tables.
package keep

import (
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/prefs"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Screen is what is known of the screen at its start.
type Screen struct {
	ASCII  bool // an option asks for printable ASCII
	Lesson bool // a lesson begins, with a view and axes of its own
	Getenv func(string) string
}

// Keep is the controller.
type Keep struct {
	*control.Desk
	control.Unseen
	Outside control.Outside
	screen  Screen
	filming filming
	ran     time.Duration // for which the session has run since it was written
	seen    time.Time     // when it was last looked at
}

// New makes the controller of a desk.
func New(d *control.Desk, o control.Outside, s Screen) *Keep {
	c := &Keep{Desk: d, Outside: o, screen: s}
	d.Losses = append(d.Losses, c.unwritten)
	return c
}

// Bindings implements control.Controller.
func (c *Keep) Bindings() []control.Binding {
	file := func(do func(name string) tea.Cmd) func(string) (func() tea.Cmd, error) {
		return func(name string) (func() tea.Cmd, error) { return func() tea.Cmd { return do(name) }, nil }
	}
	background := word("theme", "colours: auto, dark, light", prefs.Themes(), c.setTheme)
	background.Do = c.nextTheme
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			background,
			{Name: "copy the command line", Keys: "y", Help: "copy the command line of this session", Do: c.copyLine},
			{Name: "write", Keys: "w", Help: "save: write the session and its draws", Do: func() tea.Cmd { return c.write("") }, With: file(c.write), Examples: []string{":write DIR: save the session in a folder"}},
			{Name: "open a session …", Help: "open a session that was written", Do: c.pickSession},
			{Name: "session before", Keys: "B", Help: "back to the session before this one", Do: c.sessionBefore},
			{Name: "record the screen", Help: "record the screen as a cast, or stop", Do: func() tea.Cmd { return c.film("") }},
			{Name: "picture of the screen", Help: "the screen as SVG; :picture F.png", Do: func() tea.Cmd { return c.picture("", false) }},
		}),
		[]control.Binding{
			word("palette", "colours: okabe-ito and tol for the colour-blind, contrast", theme.Palettes(), c.setPalette, ":palette tol: other colours for the colour-blind"),
			word("octants", "on or off: dots as block octants, which need a terminal of 2025", []string{"on", "off"}, c.setOctants, ":octants on: dots drawn as blocks"),
			word("ascii", "on or off: printable ASCII only", []string{"on", "off"}, c.setASCII, ":ascii on: printable ASCII only"),
			{Name: "fps", Help: "frames a second, 1 to 60; fewer for a slow line", With: c.parseFPS, Examples: []string{":fps 10: fewer frames, for a slow line"}},
			{Name: "open", Help: "a recording, by its file or folder", With: file(c.load)},
			{Name: "record", Help: "the screen, as an asciinema cast, to a file", With: file(c.film)},
			{Name: "picture", Help: "the screen, to a file .svg or .png", With: file(func(name string) tea.Cmd { return c.picture(name, false) }), Examples: []string{":picture F.png: the screen as PNG, or as SVG"}},
			{Name: "pane-picture", Help: "the focused pane, to a file .svg or .png", With: file(func(name string) tea.Cmd { return c.picture(name, true) }), Examples: []string{":pane-picture F: the focused pane alone"}},
			{Name: "table", Help: "all lanes' curves and draws, to files .csv", With: file(func(name string) tea.Cmd { return c.tables(name, true) }), Examples: []string{":table F.csv: the curves and draws as numbers"}},
			{Name: "lane-table", Help: "the focused lane's curves and draws, to files .csv", With: file(func(name string) tea.Cmd { return c.tables(name, false) })},
		},
	)
}

// Update implements control.Controller.
func (c *Keep) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		return c.begin(), true
	case control.SnapshotMsg:
		c.note(msg.Before)
		c.filming.mark(msg.Before, c.Feed.Newest)
	case tea.WindowSizeMsg:
		return c.filmFromStart(), true
	case control.DrawnMsg:
		c.filming.shoot(c.Plane)
	case control.EndMsg:
		for _, err := range []error{c.filming.close(), c.writeSettings()} {
			if err != nil && msg.Failed != nil {
				msg.Failed(err)
			}
		}
	case filmEndedMsg:
		c.Dirty = true
		return c.filmed(msg), true
	case savedMsg:
		c.Dirty = true
		return c.saved(msg), true
	case wroteMsg:
		c.Dirty = true
		return c.wrote(msg), true
	}
	return nil, false
}

// worthAsking is how long a run is that is not lost without a word.
const worthAsking = time.Minute

// note adds the time for which the session has run since a snapshot, but along a tape, which
// is written or was played before.
func (c *Keep) note(before *engine.Snapshot) {
	now := c.Now()
	if before.Phase == engine.Running && before.Problem == c.Feed.Newest.Problem && !control.Ahead(&before.Tape) {
		c.ran += now.Sub(c.seen)
	}
	c.seen = now
}

// unwritten says what of the session would be lost, and what writes it.
func (c *Keep) unwritten() (lost, saved string) {
	if c.Outside.Recorded || c.Outside.Write == nil {
		return "", ""
	}
	var all []string
	if c.ran >= worthAsking {
		all = append(all, fmt.Sprintf("a run of %s", c.ran.Round(time.Second)))
	}
	if c.Feed.Branched {
		all = append(all, "a branch")
	}
	if all == nil {
		return "", ""
	}
	return "not written: " + strings.Join(all, ", "), c.Key("write") + " writes"
}
