package lesson

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
)

// A sight is a snapshot as a scene sees it, which goes on with a session from some
// place of it.
type sight struct {
	*engine.Snapshot
	began [engine.MaxLanes]uint64 // draws that each lane, by its ID, had kept by then
}

// eval says what is known of c. A comparison is Unknown if one of its quantities is:
// too short to trust, of a lane that there is not, or one that its target or sampler
// does not have.
func (c Condition) eval(s sight) Truth {
	switch c.join {
	case "not":
		return True - c.parts[0].eval(s)
	case "and":
		t := True
		for _, p := range c.parts {
			t = min(t, p.eval(s))
		}
		return t
	case "or":
		t := False
		for _, p := range c.parts {
			t = max(t, p.eval(s))
		}
		return t
	}
	if c.Empty() {
		return True
	}
	left, ok := c.sides[0].value(s)
	if len(c.sides) == 1 {
		return truth(left != 0, ok)
	}
	all := True
	for i, op := range c.ops {
		right, known := c.sides[i+1].value(s)
		all = min(all, truth(compare(left, op, right), ok && known))
		left, ok = right, known
	}
	return all
}

func truth(yes, known bool) Truth {
	switch {
	case !known:
		return Unknown
	case yes:
		return True
	}
	return False
}

func compare(a float64, op string, b float64) bool {
	switch op {
	case "<":
		return a < b
	case "<=":
		return a <= b
	case ">":
		return a > b
	case ">=":
		return a >= b
	case "=":
		return same(a, b)
	}
	return !same(a, b)
}

// same takes numbers for equal that differ by rounding alone, so that an ε that
// was turned notch by notch equals the one that a lesson names.
func same(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// value is a side's number, and whether it is known.
func (s side) value(snap sight) (float64, bool) {
	if s.q == nil {
		return s.number, true
	}
	x, why := s.q.read(snap, s.lane)
	if s.number == 1 {
		return x, why == ""
	}
	return s.number * x, why == ""
}

// ands lists the parts of c that must all hold.
func (c Condition) ands() []Condition {
	switch {
	case c.Empty():
		return nil
	case c.join != "and":
		return []Condition{c}
	}
	var all []Condition
	for _, p := range c.parts {
		all = append(all, p.ands()...)
	}
	return all
}

// about reports whether all quantities of c are such as is says, and there is one.
func (c Condition) about(is func(q *measure) bool) bool {
	some := false
	for _, p := range c.parts {
		if !p.about(is) {
			return false
		}
		some = true
	}
	for _, x := range c.sides {
		if x.q == nil {
			continue
		}
		if !is(x.q) {
			return false
		}
		some = true
	}
	return some
}
