package steer

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// undo takes back the newest change of a setting. Behind the last of them it goes
// back along the tape, to before what has put other lanes or another target there.
func (c *Steer) undo() tea.Cmd {
	s := c.Feed.Foreseen
	if s.CanUndo || c.Feed.Awaiting() {
		return c.Feed.Send(state.Undo{})
	}
	for i := len(s.Tape.Events) - 1; i >= 0; i-- {
		e := s.Tape.Events[i]
		if what := replaced(e.Command); what != "" && e.At > 0 && e.At <= control.Heading(&s.Tape) {
			to := e.At - 1
			cmd := c.Feed.Seek(to)
			c.Feed.Undone = &to
			return tea.Batch(cmd,
				c.Say(false, fmt.Sprintf("back to before %s: %s goes on from here, %s returns to the end", what,
					c.Keys.First("pause"), c.Keys.First("redo"))))
		}
	}
	return c.Say(false, "nothing to undo; "+c.Keys.First("history")+" goes back along the session")
}

// redo makes what was taken back again.
func (c *Steer) redo() tea.Cmd {
	s := c.Feed.Foreseen
	if !s.CanRedo && !c.Feed.Awaiting() && control.Ahead(&s.Tape) {
		return tea.Batch(c.Feed.Seek(s.Tape.End), c.Say(false, "at the end of the session"))
	}
	return c.Feed.Send(state.Redo{})
}

// replaced says what a command has done that is no change of a setting, empty for one that changes settings.
func replaced(c state.Command) string {
	switch c.(type) {
	case state.SetTarget:
		return "the other target"
	case state.AddLane:
		return "the lane was added"
	case state.RemoveLane:
		return "the lane was removed"
	case state.Restart:
		return "the restart"
	}
	return ""
}
