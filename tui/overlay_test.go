package tui

import (
	"fmt"
	"strings"
	"testing"

	tea "charm.land/bubbletea/v2"
)

// What opens over the screen, alone, at the two sizes that people have.
func TestOverlays(t *testing.T) {
	for _, size := range [][2]int{{80, 24}, {120, 36}} {
		for _, o := range []struct{ name, keys, text string }{
			{"help", "?", ""},
			{"target", "t", ""},
			{"target-file", "t", "blr:/data/heart.csv"},
			{"sampler", "s", ""},
			{"palette", ":", ""},
			{"palette-eps", ":", "eps 0"},
			{"palette-alpha", ":", "alp"},
		} {
			m, _ := rest(t, "gaussian")
			m.Update(tea.WindowSizeMsg{Width: size[0], Height: size[1]})
			m.Update(press(o.keys))
			typeKeys(m, o.text)
			m.screen.plane.Clear()
			m.mode.draw(m.screen.stage(), m.screen.theme)
			golden(t, fmt.Sprintf("%s-%dx%d", o.name, size[0], size[1]), m.screen.plane.RenderPlain())
		}
	}
}

// Overlays at sizes with no room for a box.
func TestOverlaysFitAnywhere(t *testing.T) {
	for _, key := range []string{"?", "t", "s", "a", ":", "enter"} {
		m, _ := rest(t, "gaussian")
		m.Update(press(key))
		for _, w := range []int{0, 1, 2, 3, 7, 15, 16, 17, 40, 79, 300} {
			for h := range 30 {
				m.Update(tea.WindowSizeMsg{Width: w, Height: h})
				if frame := m.View().Content; !fits(frame, w, h) {
					t.Fatalf("%q at %d×%d is larger:\n%s", key, w, h, frame)
				}
			}
		}
	}
}

// A list keeps its selection in sight, and the help scrolls to its end and no
// further.
func TestListsScroll(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.Update(tea.WindowSizeMsg{Width: 60, Height: 12})
	m.Update(press(":"))
	c := m.mode.(*chooser)
	for i := range 2 * len(c.shown) {
		m.text()
		if c.at < c.top || c.at >= c.top+c.page {
			t.Fatalf("after %d moves the selected line %d is not among %d to %d", i, c.at, c.top, c.top+c.page)
		}
		m.Update(press("down"))
	}
	m.Update(press("esc"))
	m.Update(press("?"))
	h := m.mode.(*helpText)
	_, tall := h.columns(1)
	for range 2 * tall {
		m.text()
		m.Update(press("down"))
	}
	if h.top != h.most || h.most != tall-h.page {
		t.Errorf("the help ends at line %d of %d with %d in sight", h.top, tall, h.page)
	}
}

// A letter in the help leaves it and does what the help says of it.
func TestHelpTakesKeys(t *testing.T) {
	m, r := rest(t, "gaussian")
	m.Update(press("?"))
	m.Update(press("space"))
	if m.mode != nil || len(r.sent) != 1 {
		t.Errorf("mode %v, sent %v", m.mode, r.sent)
	}
	m.Update(press("?"))
	m.Update(press("?"))
	if m.mode != nil {
		t.Error("? does not close the help")
	}
}

// A typed value shows on the strip, and the footer says what is allowed.
func TestTypedValueShows(t *testing.T) {
	m, _ := rest(t, "gaussian")
	m.Update(press("enter"))
	typeKeys(m, "0.25")
	m.Update(press("left"))
	if s := m.text(); !strings.Contains(s, "ε 0.2▏5") || !strings.Contains(s, "ε step size, positive · enter set · esc cancel") {
		t.Errorf("the screen is\n%s", s)
	}
}
