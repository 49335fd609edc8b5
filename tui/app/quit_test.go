package app

import (
	"testing"
	"time"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/control"
)

// quits reports whether a key ends the program.
func (m *model) quits(key string) bool {
	_, cmd := m.Update(press(key))
	return quits(cmd)
}

// quits reports whether a command ends the program.
func quits(cmd tea.Cmd) bool {
	for _, msg := range messages(cmd) {
		if _, ok := msg.(tea.QuitMsg); ok {
			return true
		}
	}
	return false
}

// ranThen lets a session run for a time.
func ranThen(m *model, r *recorder, seconds float64, tape engine.Tape) {
	s := *m.Feed.Newest
	s.Version++
	s.Tape = tape
	r.snap = &s
	m.later(time.Duration(seconds * float64(time.Second)))
	m.Update(control.TickMsg{Tag: m.Feed.Tag})
}

// A lesson that takes the place of a run that is not saved asks once, and the list stays.
func TestLessonAsksAboutWhatIsNotWritten(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.keeper().Outside.Write = func(string) (control.Written, error) { return control.Written{Where: "there"}, nil }
	ranThen(m, r, 0, engine.Tape{})
	ranThen(m, r, 95, engine.Tape{At: 10, End: 10})
	typed(m, "g down enter")
	m.says(t, "not saved: a run of 1m35s; enter again begins the lesson, b goes back")
	if m.Keys.Layer == nil || m.Loading != nil {
		t.Error("it begins without a word")
	}
	if typed(m, "enter"); m.Keys.Layer != nil || m.Loading == nil {
		t.Error("it does not begin")
	}
}

// Quitting asks once about what is lost by it: a run of more than a minute, a branch, a
// lesson. Any other key takes the question back, and what is written is not lost.
func TestQuitAsksAboutWhatIsNotWritten(t *testing.T) {
	screen := func() (*model, *recorder) {
		m, r := rest(t, "gaussian")
		m.keeper().Outside.Write = func(string) (control.Written, error) { return control.Written{Where: "there"}, nil }
		ranThen(m, r, 0, engine.Tape{})
		return m, r
	}
	m, r := screen()
	ranThen(m, r, 59, engine.Tape{At: 10, End: 10})
	if !m.quits("q") {
		t.Error("a short session asks")
	}
	ranThen(m, r, 36, engine.Tape{At: 10, End: 10})
	for _, key := range []string{"q", "ctrl+c"} {
		if m.quits(key) {
			t.Fatalf("%s quits without a word", key)
		}
		m.says(t, "not saved: a run of 1m35s; w saves, q again quits")
		if !m.quits("q") {
			t.Errorf("%s, q does not quit", key)
		}
		m.Update(press("o"))
	}
	m.keeper().Outside.Recorded = true
	if !m.quits("q") {
		t.Error("it asks about what is recorded")
	}
	m.keeper().Outside.Recorded = false
	_, cmd := m.Update(press("w"))
	carry(m, cmd)
	if !m.quits("q") {
		t.Error("it asks about what was written")
	}
	// What is played along a tape is not lost; a branch of it is.
	m, r = screen()
	ranThen(m, r, 0, engine.Tape{At: 10, End: 500})
	ranThen(m, r, 100, engine.Tape{At: 100, End: 500})
	if !m.quits("q") {
		t.Error("it asks about what was played")
	}
	m.Update(press("right"))
	if m.quits("q") {
		t.Error("a branch is lost without a word")
	}
	m.says(t, "not saved: a branch; w saves, q again quits")
	m.Update(control.NoticeOverMsg{Tag: m.Notices.Tag})
	if m.quits("q") {
		t.Error("a question that is not on the screen any more is answered")
	}
}
