package app

import (
	"errors"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
)

// tells has the session say something, with so many commands applied.
func tells(m *model, n engine.Notice, applied uint64) {
	s := *m.Feed.Newest
	s.Version++
	s.Notice, s.Applied = n, applied
	m.Feed.Session.(*recorder).snap = &s
	m.Update(control.TickMsg{Tag: m.Feed.Tag})
	m.Update(control.ChangedMsg{})
}

// What the session has said of one key goes at the next: at once where that asks
// nothing of the session, else when the session has done it without a word. What is
// bad stays.
func TestNoticeIsOverAtTheNextKey(t *testing.T) {
	shows := func(m *model) bool {
		ok := m.Notices.Text(m.Feed.Newest).Text != ""
		return ok
	}
	m, _ := rest(t, "gaussian")
	tells(m, engine.Notice{Serial: 101, Fact: state.Restarted{Seed: 101}}, m.Feed.Sent)
	m.says(t, "restarted with seed 101")
	if typed(m, "tab"); shows(m) {
		t.Error("another lane leaves what was said")
	}
	tells(m, engine.Notice{Serial: 102, Fact: state.Refused{Err: errors.New("every lane is lost")}}, m.Feed.Sent)
	if typed(m, "tab"); !shows(m) {
		t.Error("a key hides what is bad")
	}
	m.Notices.Clear()
	tells(m, engine.Notice{Serial: 103, Fact: state.Restarted{Seed: 103}}, m.Feed.Sent)
	typed(m, "space")
	m.says(t, "restarted with seed 103") // until the session has answered
	if tells(m, m.Feed.Newest.Notice, m.Feed.Sent); shows(m) {
		t.Error("what was said stays beside what the session has done since")
	}
	tells(m, engine.Notice{Serial: 104, Fact: state.Restarted{Seed: 104}}, m.Feed.Sent)
	typed(m, "right")
	tells(m, engine.Notice{Serial: 105, Fact: state.Restarted{Seed: 105}}, m.Feed.Sent)
	m.says(t, "restarted with seed 105")
	if tells(m, m.Feed.Newest.Notice, m.Feed.Sent); !shows(m) {
		t.Error("an answer is taken for what stood before")
	}
}

// What the screen says of a command stands in the place of what the session says of it, also where the session has
// done the next command before it was asked.
func TestNoticeCoversItsCommand(t *testing.T) {
	m, _ := rest(t, "gaussian")
	typed(m, "space")
	m.Say(false, "the lecturer's session")
	of := m.Feed.Sent
	m.Feed.Send(state.Pause{}) // a key would put it away
	tells(m, engine.Notice{Serial: 101, Applied: of, Fact: state.Restarted{Seed: 101}}, m.Feed.Sent)
	m.says(t, "the lecturer's session")
	tells(m, engine.Notice{Serial: 102, Applied: m.Feed.Sent, Fact: state.Restarted{Seed: 102}}, m.Feed.Sent)
	m.says(t, "restarted with seed 102")
}

// A notice calls a pane as its title does, in full; where there is no pane it says
// why.
func TestNoticesCallPanesByTheirTitles(t *testing.T) {
	m := sampled(t, "gaussian", 80, 24)
	typed(m, "o o")
	m.says(t, "pane: B SGLD")
	typed(m, "o")
	m.says(t, "pane: covariance error (log)")
	typed(m, "v")
	m.says(t, "values of covariance error (log): ")
	m.Update(tea.WindowSizeMsg{Width: 120, Height: 36})
	typed(m, "esc 2")
	m.text()
	p, _ := m.Screen.Panes.Find("estimates")
	m.FocusPane(p)
	typed(m, "f")
	m.says(t, "estimates alone: f shows")
	typed(m, "v")
	m.says(t, "estimates: no values to show; o goes to another pane; ←→ still turn ε")
	typed(m, "esc 1")
	m.text()
	m.Update(press(":"))
	typeKeys(m, "pane b sg")
	if typed(m, "enter enter"); m.Focus.Pane != pane.LanePane(m.Feed.Newest.Lanes[1].ID) {
		t.Errorf("the palette leads to %q", m.Focus.Pane)
	}

	m, _ = rest(t, "mlp:4")
	for _, key := range []string{"o", "f", "ctrl+left"} {
		typed(m, "5")
		m.text()
		typed(m, key)
		m.says(t, "view 5 has no panes yet")
	}
	m.Update(tea.WindowSizeMsg{Width: 20, Height: 8})
	m.text()
	typed(m, "o")
	m.says(t, "no panes: the screen is too small")
}

// Where a line cannot say what was turned, it has the values at hand, and the notice says
// so, and shows the line to the letter.
func TestCopyWithoutTheTurns(t *testing.T) {
	for _, lost := range []error{nil, errors.New("there are too many")} {
		m, _ := rest(t, "gaussian")
		m.keeper().Outside.CommandLine = func(*engine.Snapshot) (string, error) { return "psgld-tui --eps 1e-08", lost }
		typed(m, "y")
		text := strings.Join(strings.Fields(m.text()), " ")
		says := strings.Contains(text, "present values: there are too many (w keeps the turns, in a file)")
		if says != (lost != nil) || !strings.Contains(text, ": psgld-tui --eps 1e-08") {
			t.Errorf("%v: it says\n%s", lost, text)
		}
	}
}

// The key that pauses goes on where the session is paused, and the line of keys says
// so.
func TestHintSaysGoOn(t *testing.T) {
	m, _ := rest(t, "gaussian")
	for phase, want := range map[state.Phase]string{state.Running: "space pause", state.Paused: "space go on",
		state.Done: "space go on"} {
		s := *m.Feed.Newest
		s.Phase = phase
		m.Feed.Newest, m.Feed.Foreseen, m.Screen.Dirty = &s, &s, true
		if text := m.text(); !strings.Contains(text, want) {
			t.Errorf("%v: no %q in\n%s", phase, want, text)
		}
	}
}

// A notice of more than one row has rows of its own, and no pane ends below them.
func TestNoticeCoversNoPane(t *testing.T) {
	innerlooptest.Skip(t, "a session for each of eight screens")
	for _, size := range [][2]int{{28, 11}, {40, 16}, {80, 24}, {120, 36}} {
		for _, target := range []string{"gaussian", "mlp:4"} {
			m, _ := rest(t, target)
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			m.text()
			panes := len(m.Screen.Panes.All())
			m.Say(true, strings.Repeat("what is said of it ", 12))
			text := m.text()
			if !strings.Contains(text, "what is said of it") || len(m.Screen.Panes.All()) == 0 && panes > 0 {
				t.Fatalf("%s at %v:\n%s", target, size, text)
			}
			for _, z := range m.Screen.Plane.Zones() {
				for _, p := range m.Screen.Panes.All() {
					if z.ID == noticeZone.ID && z.Rect.H > 1 && !z.Rect.Intersect(p.Rect).Empty() {
						t.Errorf("%s at %v: the notice covers %s:\n%s", target, size, p.Name, text)
					}
				}
			}
		}
	}
}
