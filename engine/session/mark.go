package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
)

// maxMarks bounds the marks of a session.
const maxMarks = 64

// A gesture is the turns of a parameter that a user makes in one movement.
type gesture struct {
	key     string                // of the parameter; empty for none
	on      bool                  // the command at hand goes on with it
	turned  bool                  // it has changed something, which can be undone
	marks   bool                  // the command at hand shares the mark of the one before
	touched [engine.MaxLanes]bool // the lanes that it has turned, by their IDs
}

// turnOf is the key of the parameter that a command sets, empty for any other command.
func turnOf(c engine.Command) string {
	switch c := c.(type) {
	case engine.SetParam:
		return c.Key
	case engine.SetEach:
		return c.Key
	}
	return ""
}

// mark notes a change of lane i and returns what the mark shows. A parameter that
// is turned notch by notch has one mark, from the first notch's old value to the
// last's new one: without a step between the notches always, else if the command goes on
// with the gesture of the one before.
func (s *Session) mark(i int, c engine.Change) engine.Change {
	m := engine.Mark{Lane: s.ids[i], Step: s.lanes[i].Standing().Step, Seconds: s.lanes[i].Standing().Seconds, Change: c}
	s.marks = slices.Clone(s.marks)
	for k := len(s.marks) - 1; k >= 0; k-- {
		o := s.marks[k]
		both, alike, none := engine.Joint(o.Change, c)
		if o.Lane != m.Lane || o.Step == m.Step && !alike {
			continue // each quantity that is turned at a step has a mark of its own there
		}
		if alike && (o.Step == m.Step || s.gesture.on || s.gesture.marks) {
			s.marks = slices.Delete(s.marks, k, k+1)
			if o.Step == m.Step && none {
				return c // it is as it was, and no step has known of it
			}
			m.Change = both
		}
		break
	}
	s.marks = append(s.marks, m)
	s.marks = s.marks[max(0, len(s.marks)-maxMarks):]
	return m.Change
}
