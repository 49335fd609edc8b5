package lesson

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// An observation is a snapshot as a scene sees it that may have begun in the midst of its session.
type observation struct {
	*engine.Snapshot
	began [state.MaxLanes]uint64 // draws that each lane, by its ID, had kept when it began
}

// eval says what is known of c. A comparison is Unknown if one of its quantities is not known: it is too short to be
// trusted, its lane is missing, or the target or the sampler does not have it.
func (c Condition) eval(s observation) Truth {
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

// same reports whether two numbers are equal up to rounding: an ε that was turned notch
// by notch equals the one that a lesson names.
func same(a, b float64) bool {
	return a == b || math.Abs(a-b) <= 1e-9*max(math.Abs(a), math.Abs(b))
}

// value is a side's number, and whether it is known.
func (s side) value(snap observation) (float64, bool) {
	if s.q == nil {
		return s.number, true
	}
	x, why := s.q.read(snap, s.lane)
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
	return list.Flat(c.parts, Condition.ands)
}

// about reports whether is holds for each quantity of c, of which a comparison has one at least.
func (c Condition) about(is func(q *measure) bool) bool {
	for _, p := range c.parts {
		if !p.about(is) {
			return false
		}
	}
	return !c.Empty() && !slices.ContainsFunc(c.sides, func(x side) bool { return x.q != nil && !is(x.q) })
}
