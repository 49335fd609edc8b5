// Package history is the controller that lists what was turned, and goes there.
//
// A session has a log: its steps so far, and where something was turned. A place of it is a number of steps from the
// start. The session comes to a place by a seek, which takes the steps again from a keyframe on. At the end it goes on
// by itself. What changes a setting before that end makes a branch, and the list has what the branch replaced.
package history

import (
	"math"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
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
