package engine

import (
	"math"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/param"
)

// maxMarks bounds the marks of a session.
const maxMarks = 64

// A change is what a tweak did, for the marks and the footer.
type change struct {
	symbol, from, to string
	exact            [2]string // what from and to are short for, of a parameter
}

// turned is a change of a parameter.
func turned(q param.Param, from, to float64) change {
	return change{q.Symbol, short(q, from), short(q, to), [2]string{q.Format(from), q.Format(to)}}
}

func (c change) String() string {
	switch {
	case c.from == "":
		return c.symbol + c.to
	case c.from == c.to && c.exact[0] != c.exact[1]:
		return c.symbol + " " + c.exact[0] + "→" + c.exact[1]
	}
	return c.symbol + " " + c.from + "→" + c.to
}

// mergeMarks is how soon a parameter must be turned again, while the session
// runs, for both turns to have one mark.
const mergeMarks = 300 * time.Millisecond

// joined reports whether a command that a user sends now goes on with a turn that
// is under way. The answer is recorded, so that a replay has the same marks.
func (s *Session) joined(c Command) bool {
	switch c.(type) {
	case SetParam, SetEach:
	default:
		return false
	}
	now := time.Now()
	joins := !s.paused && now.Sub(s.turned) <= mergeMarks
	s.turned = now
	return joins
}

// mark notes a change of settings of lane i and returns what the mark says. A
// parameter that is turned notch by notch has one mark, from the first notch's
// old value to the last's new one: without a step between the notches always,
// else if the command joins the one before.
func (s *Session) mark(i int, c change) string {
	m := Mark{Lane: s.ids[i], Step: s.lanes[i].step(), Seconds: s.lanes[i].seconds(), change: c}
	s.marks = slices.Clone(s.marks)
	for k := len(s.marks) - 1; k >= 0; k-- {
		o := s.marks[k]
		if o.Lane != m.Lane || o.Step == m.Step && o.change.symbol != c.symbol {
			continue // of one turn of each symbol there is one mark a step
		}
		if same := o.Step == m.Step; o.change.symbol == c.symbol && c.from != "" && (same || s.joins) {
			s.marks = slices.Delete(s.marks, k, k+1)
			if same && o.change.from == c.to && o.change.exact[0] == c.exact[1] {
				return c.String() // as it was, and no step knows of it
			}
			m.change.from, m.change.exact[0] = o.change.from, o.change.exact[0]
		}
		break
	}
	m.Text = m.change.String()
	s.marks = append(s.marks, m)
	s.marks = s.marks[max(0, len(s.marks)-maxMarks):]
	return m.Text
}

// short writes a value for the footer: as it is if it was typed or is round, else
// with three significant digits, of 1-α for an α.
func short(q param.Param, x float64) string {
	exact := q.Format(x)
	digits, _, _ := strings.Cut(exact, "e")
	digits = strings.TrimLeft(strings.ReplaceAll(digits, ".", ""), "-0")
	switch {
	case q.Scale == param.Choice || q.Scale == param.Integer || x == 0 || len(digits) <= mostDigits:
		return exact
	case q.Scale == param.OneMinusLog && x < 1:
		return strconv.FormatFloat(x, 'f', min(max(2-int(math.Floor(math.Log10(1-x))), 3), 15), 64)
	}
	return strconv.FormatFloat(x, 'g', 3, 64)
}

// mostDigits is how many significant digits a number has that somebody has typed.
const mostDigits = 8

// difference says how two settings differ; its zero value is "not".
func difference(p *targets.Problem, a, b Lane) change {
	if a.Sampler != b.Sampler {
		return samplerChange(a, b)
	}
	for _, q := range Params(p, a.Sampler) {
		if x, y := a.Value(q.Key), b.Value(q.Key); x != y {
			return turned(q, x, y)
		}
	}
	return scheduleChange(a, b)
}

func scheduleChange(a, b Lane) change {
	from, to := a.Schedule.String(a.Eps()), b.Schedule.String(b.Eps())
	if from == to {
		return change{}
	}
	return change{symbol: "schedule", from: from, to: to}
}

func samplerChange(a, b Lane) change {
	from, _ := sampler.Find(a.Sampler)
	to, _ := sampler.Find(b.Sampler)
	return change{symbol: "sampler", from: from.Title, to: to.Title}
}
