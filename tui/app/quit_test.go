package app

import (
	"testing"

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

// sampledThen lets a session be sampled for a time.
func sampledThen(m *model, r *recorder, seconds float64, tape engine.Tape) {
	s := *m.Feed.Newest
	s.Version++
	s.Lanes = append([]engine.LaneView(nil), s.Lanes...)
	s.Lanes[1].Seconds, s.Tape = seconds, tape
	r.snap = &s
	m.Update(control.TickMsg{Tag: m.Feed.Tag})
}

// Quitting asks once about what is lost by it: a minute of sampling, a branch, a
// lesson. Any other key takes the question back, and what is written is not lost.
func TestQuitAsksAboutWhatIsNotWritten(t *testing.T) {
	screen := func() (*model, *recorder) {
		m, r := rest(t, "gaussian")
		m.keeper().Outside.Write = func(string) (string, error) { return "there", nil }
		return m, r
	}
	m, r := screen()
	sampledThen(m, r, 59, engine.Tape{At: 10, End: 10})
	if !m.quits("q") {
		t.Error("a short session asks")
	}
	sampledThen(m, r, 95, engine.Tape{At: 10, End: 10})
	for _, key := range []string{"q", "ctrl+c"} {
		if m.quits(key) {
			t.Fatalf("%s quits without a word", key)
		}
		m.says(t, "not written: 1m35s of sampling; w writes, q again quits")
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
	sampledThen(m, r, 0, engine.Tape{At: 10, End: 500})
	sampledThen(m, r, 100, engine.Tape{At: 100, End: 500})
	if !m.quits("q") {
		t.Error("it asks about what was played")
	}
	m.Update(press("right"))
	if m.quits("q") {
		t.Error("a branch is lost without a word")
	}
	m.says(t, "not written: a branch; w writes, q again quits")
}
