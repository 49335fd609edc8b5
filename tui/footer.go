package tui

import (
	"strings"

	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
)

// clickFoot does what a click on the footer does: on a hint what its key does; a
// notice it puts away. It reports whether the click was on one.
func (m *model) clickFoot(x, y int) (tea.Cmd, bool) {
	w, height := m.Width, m.Height
	h, ok := m.hintAt(x, y)
	switch {
	case ok:
	case m.mode != nil: // beside its hints a click does not close what is open
		return nil, y == height-1 && m.screen.stage().H() < height
	case panel.NoticeAt(w, height, m.frame(), x, y):
		m.Notices.Clear()
		m.Dirty = true
		return nil, true
	default:
		return nil, false
	}
	m.Dirty = true
	key := m.hinted(h, x-h.X)
	if key == "" {
		return m.Say(false, strings.TrimSpace(h.Keys+h.What)), true
	}
	m.course.digit = key // a click on a view's key is no answer that comes too late
	return m.press(keyPress(key)), true
}

// hinted is the key of a hint that a click on its column x means: of two the one
// that is clicked, of a row of views the next; empty if it may be any.
func (m *model) hinted(h panel.Hint, x int) string {
	keys := keymap.Named(h.Keys)
	n, w := len(keys), plane.Width(h.Keys)
	switch {
	case n == 1 || n == 2 && 2*x < w || n > 2 && x == 0:
		return keys[0]
	case n == 2 || x == w-1:
		return keys[n-1]
	case m.keys.Action(keys[0], m.contexts()...) == keymap.View1:
		return keys[(m.Focus.View+1)%n]
	}
	return ""
}

// hintAt is the entry of the footer's line of keys in a cell of the screen. What is
// written like a key there, and is none, is no entry.
func (m *model) hintAt(x, y int) (panel.Hint, bool) {
	w, h := m.Width, m.Height
	if y != h-1 || m.mode != nil && m.screen.stage().H() == h { // it is covered
		return panel.Hint{}, false
	}
	hint, ok := panel.HintAt(w, h, m.frame(), x, y)
	if !ok || m.keys.Action(keymap.Named(hint.Keys)[0], m.contexts()...) == keymap.None {
		return panel.Hint{}, false
	}
	return hint, true
}

// hoverHint highlights the hint under the mouse.
func (m *model) hoverHint(x, y int) {
	hot := 0
	if h, ok := m.hintAt(x, y); ok {
		hot = h.X
	}
	if l := &m.pointer; hot != l.hint {
		l.hint, m.Dirty = hot, true
	}
}

// keyPress is the press of a key of the table.
func keyPress(key string) tea.KeyPressMsg {
	k, ok := namedKey(key)
	if !ok {
		panic("tui: no key is named " + key)
	}
	return k
}

// clickAction does what a click on the header, or on the head of the strip, does.
func (m *model) clickAction(x, y int) (tea.Cmd, bool) {
	w, h := m.Width, m.Height
	a := panel.ActionAt(w, h, m.looked(), x, y)
	if a == keymap.None {
		return nil, false
	}
	m.Dirty = true
	return m.press(keyPress(m.keys.First(a))), true
}
