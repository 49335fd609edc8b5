// Package history is the controller that lists what was turned, and goes there.
//
// A session has a log: its steps so far, and where something was turned. A place of it is a number of steps from the
// start. The session comes to a place by a seek, which takes the steps again from a keyframe on. At the end it goes on
// by itself. What changes a setting before that end makes a branch, and the list has what the branch replaced.
package history

import (
	"fmt"
	"math"
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/grammar"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// History is the controller. Its part of the frame is the bar below the header.
type History struct {
	*control.Desk
	// branched is the place among the commands of the newest that made a branch: until it is applied what the tape still
	// shows to come is no longer ahead.
	branched uint64
	// loading is the place among the commands of the newest that loads a session: until it is applied the tape that is
	// shown is of no account.
	loading uint64
}

// New makes the controller of a desk.
func New(d *control.Desk) *History {
	c := &History{Desk: d}
	d.Feed.Sending = append(d.Feed.Sending, c.branching)
	return c
}

func (c *History) Bindings() []control.Binding {
	return append(control.In(control.Parameters, nil, []control.Binding{
		{Name: "history", Keys: "b", Help: "the history: what was changed, and back to there",
			Do: c.pick,
			With: func(text string) (func() tea.Cmd, error) {
				to, err := c.place(text)
				return control.By(c.goTo, to), err
			}, Examples: []string{":history 5000: go to step 5,000 of the session"}},
	}), control.Binding{Name: "history.seek", At: c.seekAt})
}

func (c *History) Update(msg tea.Msg) (tea.Cmd, bool) {
	if _, ok := msg.(control.SnapshotMsg); ok {
		return c.stopped(), true
	}
	return nil, false
}

// shown reports whether the bar is: where some of the session is ahead.
func (c *History) shown() bool { return control.Ahead(&c.Feed.Displayed().Tape) }

func (c *History) Slot(room int) control.Slot {
	return control.Slot{At: control.Top, Rows: rows(c.shown(), c.Screen.Width, room)}
}

// Draw draws where the session stands on its tape and, on a second row, what is there.
func (c *History) Draw(g plane.Region, f *pane.Frame) { draw(g, f) }

// seekAt goes to the place of the tape that was hit.
func (c *History) seekAt(at control.Hit) tea.Cmd {
	t := &c.Feed.Foreseen.Tape
	to := min(t.End, uint64(math.Round(chart.SliderFrac(at.X, at.W)*float64(t.End))))
	if at.Drag && to == control.Heading(t) {
		return nil
	}
	return c.Feed.Seek(to)
}

// pick opens the list of what was turned, in its order, at where the session stands. Any other step can be typed. The
// last of the list is the session that this one has replaced.
func (c *History) pick() tea.Cmd {
	f, t := c.Frame(), &c.Feed.Foreseen.Tape
	chooser := dialog.NewChooser(c.Desk, "history", nil)
	at, listed := control.Heading(t), false
	choice := func(to uint64, note string) control.Choice {
		return control.Choice{Name: "step " + plane.Commas(to), Note: note, Take: control.By(c.goTo, to)}
	}
	add := func(to uint64, note string) {
		if to > at && !listed {
			chooser.At, listed = len(chooser.All), true
			if chooser.All[len(chooser.All)-1].Name != choice(at, "").Name {
				chooser.All = append(chooser.All, choice(at, "here"))
			} else {
				chooser.At--
			}
		}
		chooser.All = append(chooser.All, choice(to, note))
	}
	add(0, "the start")
	for i := range t.Events {
		add(t.Events[i].At, fmt.Sprintf("%s (%d/%d)", turnText(&f, &t.Events[i]), i+1, len(t.Events)))
	}
	if t.End > 0 {
		add(t.End, "the end")
	}
	if !listed {
		chooser.At = len(chooser.All) - 1
	}
	if c.Feed.Foreseen.Phase == state.Running && t.At == t.End { // which is elsewhere by the time that somebody chooses
		chooser.All[chooser.At] = control.Choice{Name: "now", Note: "the session runs on",
			Take: func() tea.Cmd { return nil }}
	}
	if c.Feed.Foreseen.CanReturn {
		chooser.All = append(chooser.All, control.Choice{Name: "the session before",
			Note: "what this one has replaced, or the branch", Take: func() tea.Cmd { return c.Keys.Do("return") }})
	}
	chooser.Typed = func(text string) []control.Choice {
		to, err := c.place(text)
		switch {
		case err == nil:
			return []control.Choice{choice(to, "go to this step")}
		case strings.ContainsAny(text, "0123456789"):
			return []control.Choice{{Name: printable.Line(text), Why: "the step " + err.Error()}}
		}
		return nil
	}
	return c.Open(chooser)
}

func (c *History) place(text string) (uint64, error) {
	to, err := grammar.Count(strings.ReplaceAll(text, ",", ""), 0)
	if end := c.Feed.Foreseen.Tape.End; err == nil && to > end {
		err = fmt.Errorf("must be at most %s, the last step", plane.Count(end))
	}
	return to, err
}

// goTo goes along the tape to a place.
func (c *History) goTo(to uint64) tea.Cmd {
	cmd := c.Feed.Seek(to)
	if end := c.Feed.Foreseen.Tape.End; to < end {
		cmd = tea.Batch(cmd, c.Say(false, fmt.Sprintf(
			"step %s of %s: %s plays on from here, and a change begins a new branch",
			plane.Count(to), plane.Count(end), c.Keys.First("pause"))))
	}
	return cmd
}

// branching tells of a command that makes a branch of a tape with something still to
// come, and how that comes back. Another session has another tape.
func (c *History) branching(command state.Command) func(serial uint64) tea.Cmd {
	t := c.Feed.Foreseen.Tape
	switch command.(type) {
	case state.Load, state.Return:
		return func(serial uint64) tea.Cmd {
			c.loading, c.branched = serial, 0
			c.Feed.Halted = 0
			return nil
		}
	}
	if !state.Branches(command) || !control.Ahead(&t) || c.Feed.Newest.Applied < max(c.loading, c.branched) {
		return nil
	}
	turns := len(t.Events) - passed(&t)
	what := plane.Count(t.End-t.At) + " " + plane.Plural(int(t.End-t.At), "step", "steps")
	if turns > 0 {
		what += fmt.Sprintf(", %d %s", turns, plane.Plural(turns, "change", "changes"))
	}
	return func(serial uint64) tea.Cmd {
		c.branched, c.Feed.Branched, c.Screen.Dirty = serial, true, true
		return c.Notices.SayAside(fmt.Sprintf("a new branch begins at step %s; %s has the old one (%s)",
			plane.Count(t.At), c.Keys.First("history"), what), serial)
	}
}

// stopped tells where a seek was stopped.
func (c *History) stopped() tea.Cmd {
	s := c.Feed.Newest
	if c.Feed.Halted == 0 || s.Applied < c.Feed.Halted {
		return nil
	}
	c.Feed.Halted = 0
	if s.Tape.At == s.Tape.To {
		return nil
	}
	return c.Say(false, fmt.Sprintf("stopped at %s on the way to %s: %s plays on from here, %s goes elsewhere",
		plane.Count(s.Tape.At), plane.Count(s.Tape.To), c.Keys.First("pause"), c.Keys.First("history")))
}
