package tui

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"
	"github.com/psgld/psgld-tui/engine"
)

// at is the cell at which a text stands on the screen.
func at(t *testing.T, m *model, text string) (x, y int) {
	t.Helper()
	for y, l := range strings.Split(m.text(), "\n") {
		if before, _, ok := strings.Cut(l, text); ok {
			return ansi.StringWidth(before), y
		}
	}
	t.Fatalf("%q is not on the screen:\n%s", text, m.text())
	return 0, 0
}

func TestMouse(t *testing.T) {
	m, r := rest(t, "gaussian")
	set(m, "eps", 0.3)

	x, y := at(t, m, "B SGLD")
	m.Update(tea.MouseClickMsg{X: x + 3, Y: y + 4, Button: tea.MouseLeft})
	if m.focus.lane != 1 {
		t.Errorf("a click on lane B focuses lane %d", m.focus.lane)
	}

	x, y = at(t, m, "burn-in 0")
	m.Update(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
	if m.focus.param != "burn-in" || len(r.sent) != 0 {
		t.Errorf("a click on burn-in selects %s and sends %v", m.focus.param, r.sent)
	}

	x, y = at(t, m, "ε 0.300")
	m.Update(tea.MouseWheelMsg{X: x + 1, Y: y, Button: tea.MouseWheelUp})
	m.Update(tea.MouseWheelMsg{X: x + 1, Y: y, Button: tea.MouseWheelDown})
	m.Update(tea.MouseWheelMsg{X: x + 1, Y: y, Button: tea.MouseWheelDown})
	if got := m.lane().Setting.Value("eps"); len(r.sent) != 3 || got != 0.238 {
		t.Errorf("three turns of the wheel send %v and leave ε at %v, want 0.238", r.sent, got)
	}

	x, y = at(t, m, "▕")
	n := len(r.sent)
	m.Update(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
	low := m.lane().Setting.Value("eps")
	m.Update(tea.MouseMotionMsg{X: x + 5, Y: y, Button: tea.MouseLeft})
	high := m.lane().Setting.Value("eps")
	m.Update(tea.MouseReleaseMsg{X: x + 5, Y: y, Button: tea.MouseLeft})
	m.Update(tea.MouseMotionMsg{X: x + 2, Y: y})
	if low > 1e-6 || high < 1e-4 || len(r.sent) != n+2 {
		t.Errorf("a drag of ε's slider went from %v to %v with %v", low, high, r.sent[n:])
	}
}

func TestMouseInLists(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("a"))
	x, y := at(t, m, "  sgld ")
	m.Update(tea.MouseClickMsg{X: x + 3, Y: y, Button: tea.MouseLeft})
	if want := (engine.AddLane{Name: "sgld"}); m.mode != nil || len(r.sent) != 1 || r.sent[0] != want {
		t.Errorf("a click on sgld sent %v, want %v", r.sent, want)
	}
	m.Update(press("t"))
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if c := m.mode.(*chooser); c.at != 1 {
		t.Errorf("the wheel moved to line %d, want 1", c.at)
	}
	m.Update(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	if m.mode != nil {
		t.Error("a click beside the list leaves it open")
	}
}
