package session

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
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
	m := engine.Mark{Lane: s.ids[i], Step: s.lanes[i].step(), Seconds: s.lanes[i].seconds(), Change: c}
	s.marks = slices.Clone(s.marks)
	for k := len(s.marks) - 1; k >= 0; k-- {
		o := s.marks[k]
		both, alike, none := together(o.Change, c)
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

// together is a change and the next one as one, if they alter the same thing, and
// whether that ends where it began. Two ways back are two.
func together(a, b engine.Change) (both engine.Change, alike, none bool) {
	if a.Subject() != b.Subject() {
		return nil, false, false
	}
	switch b := b.(type) {
	case engine.ParamChange:
		b.From = a.(engine.ParamChange).From
		return b, true, b.From == b.To
	case engine.SamplerChange:
		b.From = a.(engine.SamplerChange).From
		return b, true, b.From == b.To
	case engine.ScheduleChange:
		b.From = a.(engine.ScheduleChange).From
		return b, true, b.From == b.To
	}
	return nil, false, false
}

// difference is how a setting differs from another, nil if it does not.
func difference(p *targets.Problem, from, to engine.Lane) engine.Change {
	if from.Sampler != to.Sampler {
		return engine.SamplerChange{From: from.Sampler, To: to.Sampler}
	}
	for _, q := range engine.Params(p, from.Sampler) {
		if x, y := from.Value(q.Key), to.Value(q.Key); x != y {
			return engine.ParamChange{Sampler: from.Sampler, Key: q.Key, From: x, To: y}
		}
	}
	if from.Schedule != to.Schedule {
		return engine.ScheduleChange{From: from.Schedule, To: to.Schedule, Eps: to.Eps()}
	}
	return nil
}
