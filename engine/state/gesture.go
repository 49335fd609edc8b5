package state

import "slices"

// maxMarks bounds the marks of a session.
const maxMarks = 64

// A Gesture is the turns of a parameter that a user makes in one movement.
type Gesture struct {
	key     string         // of the parameter; empty for none
	On      bool           // the newest command goes on with it
	turned  bool           // it has changed something, which can be undone
	touched [MaxLanes]bool // the lanes that it has turned, by their IDs
	Again   [MaxLanes]bool // of these the lanes that the newest command has turned, and one before it
}

// next is the gesture of a command, which may ask to go on with the one before.
func (g Gesture) next(c Command, goOn bool) Gesture {
	key := ""
	if t, ok := c.(turning); ok {
		key = t.turns()
	}
	if !goOn || !g.turned || key == "" || key != g.key {
		return Gesture{key: key}
	}
	g.On, g.Again = true, [MaxLanes]bool{}
	return g
}

// touch takes note of a lane that is turned.
func (g *Gesture) touch(id int) { g.Again[id], g.touched[id] = g.On && g.touched[id], true }

// mark notes a change of a lane and returns what the mark shows. A parameter that is turned notch by notch has one
// mark, from the first notch's old value to the last's new one: without a step between the notches always, else if the
// command goes on with the gesture of the one before.
func (s *State) mark(l *Lane, c Change) Change {
	m := Mark{Lane: l.ID, Step: l.Place.Step, Seconds: l.Place.Seconds, Change: c}
	s.Marks = slices.Clone(s.Marks)
	for k := len(s.Marks) - 1; k >= 0; k-- {
		o := s.Marks[k]
		both, alike, none := Joint(o.Change, c)
		if o.Lane != m.Lane || o.Step == m.Step && !alike {
			continue // each quantity that is turned at a step has a mark of its own there
		}
		if alike && (o.Step == m.Step || s.Gesture.On) {
			s.Marks = slices.Delete(s.Marks, k, k+1)
			if o.Step == m.Step && none {
				return c // it is as it was, and no step has known of it
			}
			m.Change = both
		}
		break
	}
	s.Marks = append(s.Marks, m)
	s.Marks = s.Marks[max(0, len(s.Marks)-maxMarks):]
	return m.Change
}
