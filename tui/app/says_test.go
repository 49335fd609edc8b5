package app

import (
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/lesson"
)

// The line under the header names B's bias, at both sizes, and ! lowers B's ε alone.
func TestSays(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}} {
		m := sampledFor(t, "gaussian", 60_000, size[0], size[1])
		m.later(3 * time.Second)
		m.followed(nil)
		m.Screen.Dirty = true
		if line := strings.Split(m.text(), "\n")[1]; !strings.Contains(line, "▲ B's error is its bias, 0.22: a longer run") ||
			!strings.Contains(line, "! eps=0.03") {
			t.Errorf("%v: the line is %q", size, line)
		}
		before := m.Feed.Foreseen.Lanes[0].Setting.Eps()
		m.Update(press("!"))
		lanes := m.Feed.Foreseen.Lanes
		if a, b := lanes[0].Setting.Eps(), lanes[1].Setting.Eps(); a != before || b != 0.03 {
			t.Errorf("%v: ! sets ε to %g and %g, want %g and 0.03", size, a, b, before)
		}
	}
}

// A sentence stands for two seconds, and goes at once where it is of a setting that is no longer in force.
func TestSaysStands(t *testing.T) {
	m := sampledFor(t, "gaussian", 60_000, 120, 36)
	m.later(3 * time.Second)
	m.followed(nil)
	s := *m.Feed.Newest
	s.Lanes = append(s.Lanes[:0:0], s.Lanes...)
	s.Lanes[1].Diverged = &state.Divergence{Step: 7, Eps: 0.3}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	says := func(want string) {
		t.Helper()
		m.followed(nil)
		m.Screen.Dirty = true
		if line := strings.Split(m.text(), "\n")[1]; !strings.Contains(line, want) {
			t.Errorf("the line is %q, want %q", line, want)
		}
	}
	m.later(time.Second)
	says("B's error is its bias")
	m.later(2 * time.Second)
	says("B diverged at step 7")
	m.command(t, "says off")
	m.Screen.Dirty = true
	if line := strings.Split(m.text(), "\n")[1]; !strings.HasPrefix(line, "╭") {
		t.Errorf("says off leaves %q", line)
	}
}

// That a lane is too short is said no longer than that is true.
func TestSaysTooShortWhileItIs(t *testing.T) {
	m, longer := sampledFor(t, "gaussian", 500, 120, 36), sampledFor(t, "gaussian", 60_000, 120, 36)
	line := func() string {
		m.followed(nil)
		m.Screen.Dirty = true
		return strings.Split(m.text(), "\n")[1]
	}
	m.later(3 * time.Second)
	if got := line(); !strings.Contains(got, "too short to trust") {
		t.Fatalf("of 500 draws the line is %q", got)
	}
	m.Feed.Newest, m.Feed.Foreseen = longer.Feed.Newest, longer.Feed.Newest
	if got := line(); !strings.Contains(got, "B's error is its bias") {
		t.Errorf("of 60,000 the line is %q", got)
	}
}

// :why opens the evidence with its errors, the formula and where the paper has it.
func TestWhy(t *testing.T) {
	m := sampledFor(t, "gaussian", 60_000, 80, 24)
	m.later(3 * time.Second)
	m.followed(nil)
	m.does("why")
	m.Screen.Dirty = true
	text := m.text()
	for _, want := range []string{
		"covariance error", "±", "exact bias", "0.222", "formula", "5.1, Theorem 1", "does :eps=0.03",
	} {
		if !strings.Contains(text, want) {
			t.Errorf("%q is missing in\n%s", want, text)
		}
	}
}

// Of draws that are said to be a method's, :why has what explains them, how they were tested, and all facts. So it has
// where the line says nothing.
func TestWhyOfCheckedDraws(t *testing.T) {
	m := sampledFor(t, "gaussian", 6000, 80, 24)
	s := *m.Feed.Newest
	s.Check = &engine.Check{Report: &check.Report{Verdict: check.Inconsistent, Notes: []string{"Each step was tested."},
		Faults: []check.Fault{{Key: "noise-half", What: "The noise is halved.", Want: "√ε z."}}}}
	for i := range 40 {
		z := float64(i)
		s.Check.Facts = append(s.Check.Facts, check.Fact{Name: "fact", Found: z, SE: 1, Z: z, Fails: i > 38})
	}
	m.Feed.Newest, m.Feed.Foreseen = &s, &s
	m.command(t, "says off")
	m.does("why")
	seen := ""
	for range 5 {
		m.Screen.Dirty = true
		seen += m.text()
		m.Update(press("pgdown"))
	}
	for _, want := range []string{"noise-half", "The noise is halved. Right: √ε z.", "Each step was tested.",
		"fact: 39.0 ± 1.0, expected 0", "fact: 0.0 ± 1.0, expected 0"} {
		if !strings.Contains(seen, want) {
			t.Errorf("%q is missing in\n%s", want, seen)
		}
	}
}

// While a lesson's question is open, nothing gives the answer away.
func TestSaysNothingWhileAsked(t *testing.T) {
	m := sampledFor(t, "gaussian", 60_000, 120, 36)
	m.InLesson = func() (lesson.Phase, bool) { return lesson.Asking, true }
	m.later(3 * time.Second)
	m.followed(nil)
	m.Screen.Dirty = true
	if strings.Contains(m.text(), "is its bias") {
		t.Errorf("it is said:\n%s", m.text())
	}
}
