package app

import (
	"fmt"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// undo takes back the newest change of a setting. Behind the last of them it goes
// back along the tape, to before what has put other lanes or another target there.
func (m *model) undo() tea.Cmd {
	s := m.Feed.Shown
	if s.CanUndo || m.Feed.Awaiting() {
		return m.Feed.Send(engine.Undo{}, nil)
	}
	for i := len(s.Tape.Events) - 1; i >= 0; i-- {
		e := s.Tape.Events[i]
		if what := replaced(e.Command); what != "" && e.At > 0 && e.At <= heading(&s.Tape) {
			m.tape.back = false
			return tea.Batch(m.seek(e.At-1), m.Say(false, fmt.Sprintf("back along the tape, to before %s; %s goes to its end again", what, m.Key("redo"))))
		}
	}
	return m.Say(false, "nothing to undo; "+m.Key("tape: go along the session")+" goes back along the session")
}

// redo makes what was taken back again.
func (m *model) redo() tea.Cmd {
	s := m.Feed.Shown
	if !s.CanRedo && !m.Feed.Awaiting() && ahead(&s.Tape) {
		return tea.Batch(m.seekEnd(true), m.Say(false, "to the end of the tape"))
	}
	return m.Feed.Send(engine.Redo{}, nil)
}

// replaced says what a command has done that is no change of a setting, empty for
// one that changes settings.
func replaced(c engine.Command) string {
	switch c.(type) {
	case engine.SetTarget:
		return "the other target"
	case engine.AddLane:
		return "the lane was added"
	case engine.RemoveLane:
		return "the lane was removed"
	case engine.Restart:
		return "the restart"
	}
	return ""
}

// sessionBefore puts back the session that was replaced by the one at hand, or the
// tape of which that is a branch.
func (m *model) sessionBefore() tea.Cmd {
	if !m.Feed.Shown.CanReturn && !m.Feed.Awaiting() {
		return m.Say(false, "no other session has been left; "+m.Key("tape: go along the session")+" goes back along this one")
	}
	m.Fetches++ // what is still being opened comes too late
	m.tape = taping{on: m.tape.on}
	m.course = course{list: m.course.list}
	return m.Feed.Send(engine.Return{}, nil)
}

// moved tells where a seek was stopped, and how another target's predecessor comes
// back.
func (m *model) moved(before *engine.Snapshot) tea.Cmd {
	s, t := m.Feed.Snap, &m.tape
	if set := m.opener.set; set > 0 && s.Applied >= set {
		m.opener.set = 0
		if at := s.Tape.At; s.Notice.Err() == nil && before.Problem != s.Problem && at > 0 {
			return m.Say(false, wording.Notice(s.Notice)+"; "+m.BackHint("undo", "target"))
		}
	}
	if t.halted == 0 || s.Applied < t.halted {
		return nil
	}
	t.halted = 0
	if s.Tape.At == s.Tape.To {
		return nil
	}
	next := m.Key("pause") + " plays on from here, "
	if t.on {
		next += m.Key("tape: type a step") + " types a step to go to"
	} else {
		next += m.Key("tape: go along the session") + " goes along the tape"
	}
	return m.Say(false, fmt.Sprintf("stopped at %s on the way to %s: %s", plane.Count(s.Tape.At), plane.Count(s.Tape.To), next))
}
