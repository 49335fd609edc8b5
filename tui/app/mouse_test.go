package app

import (
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/dialog"
	"github.com/psgld/psgld-tui/tui/view"
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
	if m.Focus.Lane != 1 {
		t.Errorf("a click on lane B focuses lane %d", m.Focus.Lane)
	}

	m.does("more parameters")
	x, y = at(t, m, "burn-in 0")
	m.Update(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
	if m.Focus.Param != "burn-in" || len(r.sent) != 0 {
		t.Errorf("a click on burn-in selects %s and sends %v", m.Focus.Param, r.sent)
	}

	x, y = at(t, m, "ε 0.300")
	m.Update(tea.MouseWheelMsg{X: x + 1, Y: y, Button: tea.MouseWheelUp})
	m.Update(tea.MouseWheelMsg{X: x + 1, Y: y, Button: tea.MouseWheelDown})
	m.Update(tea.MouseWheelMsg{X: x + 1, Y: y, Button: tea.MouseWheelDown})
	if got := m.Lane().Setting.Value("eps"); len(r.sent) != 3 || got != 0.238 {
		t.Errorf("three turns of the wheel send %v and leave ε at %v, want 0.238", r.sent, got)
	}

	x, y = at(t, m, "▕")
	n := len(r.sent)
	m.Update(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
	low := m.Lane().Setting.Value("eps")
	m.Update(tea.MouseMotionMsg{X: x + 30, Y: y, Button: tea.MouseLeft})
	high := m.Lane().Setting.Value("eps")
	m.Update(tea.MouseReleaseMsg{X: x + 30, Y: y, Button: tea.MouseLeft})
	m.Update(tea.MouseMotionMsg{X: x + 2, Y: y})
	eps, _ := m.Selected()
	if eps.Frac(low) != 0 || eps.Frac(high) < 0.8 || len(r.sent) != n+2 {
		t.Errorf("a drag of ε's slider went from %v to %v with %v", low, high, r.sent[n:])
	}
}

func TestMouseInLists(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("a"))
	x, y := at(t, m, "  sgld ")
	m.Update(tea.MouseClickMsg{X: x + 3, Y: y, Button: tea.MouseLeft})
	if want := (state.AddLane{Name: "sgld"}); m.Keys.Layer != nil || len(r.sent) != 1 || r.sent[0] != want {
		t.Errorf("a click on sgld sent %v, want %v", r.sent, want)
	}
	m.Update(press("t"))
	m.Update(tea.MouseWheelMsg{Button: tea.MouseWheelDown})
	if c := m.Keys.Layer.(*dialog.Chooser); c.At != 1 {
		t.Errorf("the wheel moved to line %d, want 1", c.At)
	}
	m.Update(tea.MouseClickMsg{X: 0, Y: 0, Button: tea.MouseLeft})
	if m.Keys.Layer != nil {
		t.Error("a click beside the list leaves it open")
	}
}

// hinted clicks the footer's hint that begins with a text, or one of its columns.
func (m *model) clickHint(t *testing.T, text string, column int) tea.Cmd {
	t.Helper()
	m.View()
	x, y := at(t, m, text)
	if _, h := m.Screen.Width, m.Screen.Height; y != h-1 {
		t.Fatalf("%q is on row %d:\n%s", text, y, m.text())
	}
	_, cmd := m.Update(tea.MouseClickMsg{X: x + column, Y: y, Button: tea.MouseLeft})
	m.Update(tea.MouseReleaseMsg{X: x + column, Y: y, Button: tea.MouseLeft})
	return cmd
}

// A click on a hint of the footer does what its key does, whatever is open.
func TestClickOnHints(t *testing.T) {
	m, r := rest(t, "gaussian")
	sent := func(what string, want state.Command) {
		t.Helper()
		if len(r.sent) == 0 || r.sent[len(r.sent)-1] != want {
			t.Errorf("%s sent %v, want %v", what, r.sent, want)
		}
	}
	m.clickHint(t, "space pause", 7)
	sent("space", state.Pause{})
	set(m, "eps", 0.3)
	m.clickHint(t, "←→ turn", 0)
	sent("←", state.SetParam{Lane: state.AllLanes, Key: "eps", Value: 0.238})
	m.Notices.Clear()
	m.Screen.Dirty = true
	m.clickHint(t, viewsHint, 5)
	if m.Focus.View != view.Diagnostics {
		t.Errorf("the next view is %d", m.Focus.View)
	}
	m.clickHint(t, viewsHint, 0)
	if m.Focus.View != view.Stage {
		t.Errorf("1 shows view %d", m.Focus.View)
	}
	m.clickHint(t, "t target", 0)
	m.clickHint(t, "· esc", 0) // between two of them
	if _, ok := m.Keys.Layer.(*dialog.Chooser); !ok {
		t.Fatalf("the mode is %T", m.Keys.Layer)
	}
	m.clickHint(t, "esc back", 5)
	if m.Keys.Layer != nil {
		t.Errorf("esc leaves %T", m.Keys.Layer)
	}
	m.clickHint(t, "enter type", 2)
	n := len(r.sent)
	m.clickHint(t, "ε step", 0) // a name that is no key
	if _, ok := m.Keys.Layer.(*dialog.Input); !ok {
		t.Fatalf("the mode is %T", m.Keys.Layer)
	}
	m.clickHint(t, "esc cancel", 0)
	if m.Keys.Layer != nil || len(r.sent) != n {
		t.Errorf("esc leaves %T", m.Keys.Layer)
	}

	m.Say(false, "something")
	m.clickHint(t, "something", 0)
	if m.Notices.Text(m.Feed.Newest).Text != "" {
		t.Error("a click leaves the notice")
	}
	if !quits(m.clickHint(t, "q quit", 0)) {
		t.Error("a click on q does not quit")
	}
}

// The hint under the mouse is highlighted, and no other.
func TestHintUnderTheMouse(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.View()
	plain := m.drawn
	x, y := at(t, m, "t target")
	m.Update(tea.MouseMotionMsg{X: x + 3, Y: y})
	m.Update(control.ThenMsg(m.hovered))
	m.View()
	if !strings.HasPrefix(m.Screen.Hot, "hint:") || m.drawn == plain {
		t.Errorf("%q is hot, want the hint at %d", m.Screen.Hot, x)
	}
	m.Update(tea.MouseMotionMsg{X: x + 3, Y: y - 3})
	m.Update(control.ThenMsg(m.hovered))
	if m.View(); strings.HasPrefix(m.Screen.Hot, "hint:") || m.drawn != plain {
		t.Errorf("%q is hot after the mouse has left", m.Screen.Hot)
	}
}

// A click on a part of the header, or on the head of the strip, does what that is
// about, and a second one on a selected value types.
func TestClickOnHeader(t *testing.T) {
	for _, size := range [][2]int{{120, 36}, {80, 24}, {60, 12}} {
		m, r := rest(t, "gaussian")
		m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
		click := func(text string) {
			t.Helper()
			m.View()
			x, y := at(t, m, text)
			m.Update(tea.MouseClickMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
			m.Update(tea.MouseReleaseMsg{X: x + 1, Y: y, Button: tea.MouseLeft})
		}
		click("running")
		if len(r.sent) != 1 || r.sent[0] != (state.Pause{}) {
			t.Errorf("%v: sent %v", size, r.sent)
		}
		click("N(0,")
		if _, ok := m.Keys.Layer.(*dialog.Chooser); !ok {
			t.Fatalf("%v: the mode is %T", size, m.Keys.Layer)
		}
		m.Update(press("esc"))
		if size[0] < 80 {
			continue
		}
		if click("all lanes"); !m.Focus.Separate {
			t.Errorf("%v: still linked", size)
		}
		m.Notices.Clear()
		if click("more"); !m.Focus.Whole {
			t.Errorf("%v: no more parameters", size)
		}
		click("burn-in 0")
		if click("burn-in 0"); m.Keys.Layer == nil {
			t.Errorf("%v: nothing is typed at the second click", size)
		}
	}
}

// A title that leaves no room for the step and the phase loses its sizes, and not its place in the header.
func TestBriefTitle(t *testing.T) {
	const cnn = "CNN 32-64, 200-200, mnist, N = 60,000, D = 721,706"
	for _, c := range []struct {
		title string
		room  int
		want  string
	}{
		{cnn, 80, cnn},
		{cnn, 49, "CNN 32-64, 200-200, mnist, N = 60,000"},
		{cnn, 30, "CNN 32-64, 200-200, mnist"},
		{cnn, 10, "CNN 32-64, 200-200, mnist"},
		{"N(0, diag(0.16, 1))", 10, "N(0, diag(0.16, 1))"},
		{"log p = -(1-x)^2", 10, "log p = -(1-x)^2"},
	} {
		if got := briefTitle(c.title, c.room); got != c.want {
			t.Errorf("%q in %d columns is %q", c.title, c.room, got)
		}
	}
}
