package app

import (
	"errors"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/pane"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
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
		_, ok := m.Notices.Text(m.Feed.Newest)
		return ok
	}
	m, _ := rest(t, "gaussian")
	tells(m, engine.Notice{Serial: 101, Fact: engine.Restarted{Seed: 101}}, m.Feed.Sent)
	m.says(t, "restarted with seed 101")
	if typed(m, "tab"); shows(m) {
		t.Error("another lane leaves what was said")
	}
	tells(m, engine.Notice{Serial: 102, Fact: engine.Refused{Err: errors.New("every lane is lost")}}, m.Feed.Sent)
	if typed(m, "tab"); !shows(m) {
		t.Error("a key hides what is bad")
	}
	m.Notices.Clear()
	tells(m, engine.Notice{Serial: 103, Fact: engine.Restarted{Seed: 103}}, m.Feed.Sent)
	typed(m, "space")
	m.says(t, "restarted with seed 103") // until the session has answered
	if tells(m, m.Feed.Newest.Notice, m.Feed.Sent); shows(m) {
		t.Error("what was said stays beside what the session has done since")
	}
	tells(m, engine.Notice{Serial: 104, Fact: engine.Restarted{Seed: 104}}, m.Feed.Sent)
	typed(m, "right")
	tells(m, engine.Notice{Serial: 105, Fact: engine.Restarted{Seed: 105}}, m.Feed.Sent)
	m.says(t, "restarted with seed 105")
	if tells(m, m.Feed.Newest.Notice, m.Feed.Sent); !shows(m) {
		t.Error("an answer is taken for what stood before")
	}
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
	p, _ := m.Panes.Find("estimates")
	m.FocusPane(p)
	typed(m, "f")
	m.says(t, "estimates alone: f shows")
	typed(m, "v")
	m.says(t, "estimates: no values to show; o goes to another pane; ←→ still turn ε")
	typed(m, "esc 1")
	m.text()
	m.Update(press(":"))
	typeKeys(m, "pane b sg")
	if typed(m, "enter"); m.Focus.Pane != pane.LanePane(m.Feed.Newest.Lanes[1].ID) {
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

// The command line starts a session with the values at hand. What was changed since
// it was started is not in it, and the notice says so, and shows the line to the
// letter.
func TestCopyWithoutTheTurns(t *testing.T) {
	at := func(n uint64, c engine.Command) engine.LoggedCommand {
		return engine.LoggedCommand{At: n, Event: engine.Event{Command: c}}
	}
	set := engine.SetParam{Key: "eps", Value: 1e-08}
	for _, c := range []struct {
		tape engine.Tape
		want int
	}{
		{engine.Tape{At: 90, End: 90}, 0},
		{engine.Tape{At: 90, End: 90, Events: []engine.LoggedCommand{at(0, set)}}, 0},
		{engine.Tape{At: 90, End: 90, Events: []engine.LoggedCommand{at(0, set), at(10, set), at(20, engine.Undo{})}}, 2},
		{engine.Tape{At: 90, End: 90, Events: []engine.LoggedCommand{at(10, set), at(20, engine.Restart{Seed: 1}), at(20, set)}}, 0},
		{engine.Tape{At: 90, End: 90, Events: []engine.LoggedCommand{at(10, set), at(20, engine.SetTarget{}), at(30, set)}}, 1},
		{engine.Tape{At: 15, End: 90, Events: []engine.LoggedCommand{at(10, set), at(20, set)}}, 1},
	} {
		m, _ := rest(t, "gaussian")
		m.keeper().Outside.CommandLine = func(engine.Config, *targets.Problem) string { return "psgld-tui --eps 1e-08" }
		s := *m.Feed.Newest
		s.Tape = c.tape
		m.Feed.Newest, m.Feed.Foreseen = &s, &s
		if got := control.Turned(&s); got != c.want {
			t.Errorf("%+v: %d turns, want %d", c.tape, got, c.want)
		}
		typed(m, "y")
		text := m.text()
		if says := strings.Contains(text, "from the start with the present values (w keeps the turns)"); says != (c.want > 0) || !strings.Contains(text, ": psgld-tui --eps 1e-08") {
			t.Errorf("%+v: it says\n%s", c.tape, text)
		}
	}
}

// The key that pauses goes on where the session is paused, and the line of keys says
// so.
func TestHintSaysGoOn(t *testing.T) {
	m, _ := rest(t, "gaussian")
	for phase, want := range map[engine.Phase]string{engine.Running: "space pause", engine.Paused: "space go on"} {
		s := *m.Feed.Newest
		s.Phase = phase
		m.Feed.Newest, m.Feed.Foreseen, m.Dirty = &s, &s, true
		if text := m.text(); !strings.Contains(text, want) {
			t.Errorf("%v: no %q in\n%s", phase, want, text)
		}
	}
}

// A notice of more than one row has rows of its own, and no pane ends below them.
func TestNoticeCoversNoPane(t *testing.T) {
	for _, size := range [][2]int{{28, 11}, {40, 16}, {80, 24}, {120, 36}} {
		for _, target := range []string{"gaussian", "mlp:4"} {
			m, _ := rest(t, target)
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			m.text()
			panes := len(m.Panes.All())
			m.Say(true, strings.Repeat("what is said of it ", 12))
			text := m.text()
			if !strings.Contains(text, "what is said of it") || len(m.Panes.All()) == 0 && panes > 0 {
				t.Fatalf("%s at %v:\n%s", target, size, text)
			}
			for _, z := range m.Plane.Zones() {
				for _, p := range m.Panes.All() {
					if z.ID == noticeZone.ID && z.Rect.H > 1 && !z.Rect.Intersect(p.Rect).Empty() {
						t.Errorf("%s at %v: the notice covers %s:\n%s", target, size, p.Name, text)
					}
				}
			}
		}
	}
}
