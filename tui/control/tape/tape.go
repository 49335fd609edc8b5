// Package tape is the controller that goes along a session's tape.
//
// The tape is the log of a session: its steps so far, and where something was turned. A place of it is a number of
// steps from the start. The session comes to a place by a seek, which takes the steps again from a keyframe on; at the
// end of the tape it goes on by itself. What changes a setting before that end makes a branch.
package tape

import (
	"math"
	"slices"
	"strconv"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Tape is the controller. Its part of the frame is the bar below the header.
type Tape struct {
	*control.Desk
	tag int // of the chain of ticks that plays backwards
	// branched is the place among the commands of the newest that made a branch: until
	// it is applied what the tape still shows to come is no longer ahead.
	branched uint64
	// loading is the place among the commands of the newest that loads a session:
	// until it is applied the tape that is shown is of no account.
	loading uint64
	step    *dialog.Input // the step that was typed last
}

// New makes the controller of a desk.
func New(d *control.Desk) *Tape {
	c := &Tape{Desk: d}
	d.Feed.Sending = append(d.Feed.Sending, c.branching)
	return c
}

// Bindings implements control.Controller.
func (c *Tape) Bindings() []control.Binding {
	state := func() bool { return c.Focus.Scrub && !c.Focus.Read }
	const bit, tenth, step, turns, ends = "tape: a hundredth of it back, forward", "tape: a tenth of it back, forward",
		"tape: a step back, forward", "tape: to the previous change, the next", "tape: to the start, the end"
	all := slices.Concat(
		control.In(control.Along, nil, []control.Binding{
			{Name: "tape", Keys: "b", Help: "the tape: go back and forth along the session", Do: c.scrub,
				With: func(text string) (func() tea.Cmd, error) {
					to, err := c.place(text)
					return func() tea.Cmd { return c.goTo(to) }, err
				}, Examples: []string{":tape 5000: go to step 5,000 of the session"}},
		}),
		control.In(control.Along, state, []control.Binding{
			{Name: "tape: back", Keys: "left", Help: bit, Hint: "go", Rank: 2, Do: control.By(c.seekBy, -1)},
			{Name: "tape: on", Keys: "right", Help: bit, Hint: "go", Rank: 2, Do: control.By(c.seekBy, 1)},
			{Name: "tape: far back", Keys: "shift+left pgdown", Help: tenth, Do: control.By(c.seekBy, -10)},
			{Name: "tape: far on", Keys: "shift+right pgup", Help: tenth, Do: control.By(c.seekBy, 10)},
			{Name: "tape: a step back", Keys: ",", Help: step, Hint: "step", Rank: 5,
				Do: func() tea.Cmd { return c.seekSteps(true, 1) }},
			{Name: "tape: a step on", Keys: ".", Help: step, Hint: "step", Rank: 5, Do: c.tapeStep},
			{Name: "tape: the last turn", Keys: "p", Help: turns, Hint: "turn", Rank: 4,
				Do: control.By(c.seekTurn, -1)},
			{Name: "tape: the next turn", Keys: "n", Help: turns, Hint: "turn", Rank: 4, Do: control.By(c.seekTurn, 1)},
			{Name: "tape: start", Keys: "home", Help: ends, Do: control.By(c.seekEnd, false)},
			{Name: "tape: end", Keys: "end", Help: ends, Do: control.By(c.seekEnd, true)},
			{Name: "tape: play", Keys: "space", Help: "tape: play it, or stop", Hint: "play", Rank: 3, Do: c.tapePlay},
			{Name: "tape: play back", Keys: "backspace b", Help: "tape: play it backwards", Hint: "play back", Rank: 6,
				Do: c.playBack},
			{Name: "tape: type a step", Keys: "enter", Help: "tape: type a step to go to", Hint: "type", Rank: 7,
				Do: c.typeStep},
		}),
	)
	for d := range 10 {
		digit := strconv.Itoa(d)
		all = append(all, control.Binding{Name: "tape: type " + digit, Keys: digit,
			Help: "tape: begin to type a step to go to", Group: control.Along, When: state,
			Do: control.By(c.typeDigit, digit)})
	}
	return append(all, control.Binding{Name: "tape: leave", Keys: "esc", Help: "tape: stop it, leave it",
		Group: control.Along, Hint: "leave", Rank: 1, When: state, Do: c.leaveTape},
		control.Binding{Name: "tape.seek", At: c.seekAt})
}

// Update implements control.Controller.
func (c *Tape) Update(msg tea.Msg) (tea.Cmd, bool) {
	if _, ok := msg.(control.SnapshotMsg); ok {
		return c.stopped(), true
	}
	return nil, false
}

// bar is how the tape is shown now.
func (c *Tape) bar() bar {
	b := bar{on: c.Focus.Scrub || control.Ahead(&c.Feed.Displayed().Tape), scrub: c.Focus.Scrub, back: c.Feed.Back}
	if c.step != nil && c.Keys.Layer == c.step {
		text := c.step.Show(c.Theme.Cursor())
		b.input, b.on, b.scrub = &text, true, true
	}
	return b
}

// Slot implements control.Controller.
func (c *Tape) Slot(room int) control.Slot {
	return control.Slot{At: control.Top, Rows: c.bar().rows(c.Screen.Width, room)}
}

// Draw draws where the session stands on its tape and, on a second row, what is there.
func (c *Tape) Draw(g plane.Region, f *pane.Frame) { c.bar().draw(g, f) }

// seekAt goes to the place of the tape that was hit.
func (c *Tape) seekAt(at control.Hit) tea.Cmd {
	t := &c.Feed.Foreseen.Tape
	to := min(t.End, uint64(math.Round(chart.SliderFrac(at.X, at.W)*float64(t.End))))
	if at.Drag && to == control.Heading(t) {
		return nil
	}
	c.Feed.Back = false
	return c.Feed.Seek(to)
}
