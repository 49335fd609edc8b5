// Package keep is the controller of what is written and read: sessions, recordings of the screen, pictures, tables.
package keep

import (
	"cmp"
	"fmt"
	"slices"
	"strings"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
)

// Keep is the controller.
type Keep struct {
	*control.Desk
	control.Unseen
	getenv  func(string) string // of the terminal
	filming filming
	ran     time.Duration // for which the session has run since it was written
	seen    time.Time     // when it was last looked at
}

// New makes the controller of a desk. The terminal's variables are read by getenv.
func New(d *control.Desk, getenv func(string) string) *Keep {
	c := &Keep{Desk: d, getenv: getenv}
	d.Losses = append(d.Losses, c.unwritten)
	return c
}

func (c *Keep) Bindings() []control.Binding {
	file := func(name, help string, do func(file string) tea.Cmd) control.Binding {
		return control.Binding{Name: name, Help: help, Do: control.By(do, ""),
			With: func(file string) (func() tea.Cmd, error) { return control.By(do, file), nil }}
	}
	picture := func(pane bool) func(string) tea.Cmd {
		return func(name string) tea.Cmd { return c.picture(name, pane) }
	}
	save := control.Of("save", "save the session (:save has pictures, tables …)", []control.Binding{
		file("session", "save the session and its draws, to a folder", c.write),
		file("picture", "save the screen, as SVG or PNG", picture(false)),
		file("pane", "save the focused pane, as SVG or PNG", picture(true)),
		file("table", "save the curves and draws, or the sweep, as CSV", c.tables),
		file("cast", "record the screen; once more ends that", c.film),
	}, ":save picture F: save the screen as F.svg or F.png", ":save table F: save curves and draws, or the sweep",
		":save cast F: record the screen; once more ends that")
	save.Keys, save.Do = "w", control.By(c.write, "")
	return slices.Concat(
		control.In(control.General, nil, []control.Binding{
			{Name: "copy", Keys: "y", Help: "copy the command that makes this session", Do: c.copyLine},
			save,
			c.coding(),
			{Name: "open", Help: "open a saved session", Do: c.pickSession,
				With: func(file string) (func() tea.Cmd, error) { return control.By(c.load, file), nil }},
			{Name: "return", Unlisted: true, Help: "go back to the session before this one", Do: c.sessionBefore},
		}),
		[]control.Binding{
			{Name: "cast.end", At: func(control.Hit) tea.Cmd { return c.film("") }},
		},
	)
}

func (c *Keep) Update(msg tea.Msg) (tea.Cmd, bool) {
	switch msg := msg.(type) {
	case control.BeginMsg:
		c.seen = c.Now()
	case control.SnapshotMsg:
		c.note(msg.Before)
	case tea.WindowSizeMsg:
		return c.filmFromStart(), true
	case control.DrawnMsg:
		c.filming.shoot(c.Screen.Plane)
	case control.EndMsg:
		if err := c.filming.close(); err != nil && msg.Failed != nil {
			msg.Failed(err)
		}
	}
	return nil, false
}

// worthAsking is how long a run is that is not lost without a word.
const worthAsking = time.Minute

// note adds the time for which the session has run since a snapshot, but along a tape, which
// is written or was played before.
func (c *Keep) note(before *engine.Snapshot) {
	now := c.Now()
	if before.Phase == state.Running && before.Problem.Opened() == c.Feed.Newest.Problem.Opened() &&
		!control.Ahead(&before.Tape) {
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
	return "not saved: " + strings.Join(all, ", "), c.Keys.First("save") + " saves"
}

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
