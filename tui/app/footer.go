package app

import (
	tea "charm.land/bubbletea/v2"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/panel"
	"github.com/psgld/psgld-tui/tui/plane"
)

// clickFoot does what a click on the footer does: on a hint what its key does; a
// notice it puts away. It reports whether the click was on one.
func (m *model) clickFoot(x, y int) (tea.Cmd, bool) {
	w, height := m.Width, m.Height
	hint, from := m.hintAt(x, y)
	switch {
	case hint != nil:
	case m.Layer != nil: // beside its hints a click does not close what is open
		return nil, y == height-1 && m.screen.stage().H() < height
	case panel.NoticeAt(w, height, m.frame(), x, y):
		m.Notices.Clear()
		m.Dirty = true
		return nil, true
	default:
		return nil, false
	}
	m.Dirty = true
	m.Press++
	if name := m.hinted(hint, x-from); name != "" {
		return m.doHint(name), true
	}
	return m.Say(false, hint.Text(m.Theme.ASCII)), true
}

// doHint does what the binding of a name does, of what is open or of the screen.
func (m *model) doHint(name string) tea.Cmd {
	if m.Layer != nil {
		for _, b := range m.Layer.Bindings() {
			if b.Name == name {
				return b.Do()
			}
		}
	}
	m.Notices.Answer()
	cmd := m.Do(name)
	m.Notices.Answered(m.Feed.Snap, m.Feed.Sent)
	return cmd
}

// hinted names the binding that a click on column x of a hint means: of two the one
// that is clicked, of a row of views the next; empty if it may be any.
func (m *model) hinted(h *control.Hint, x int) string {
	n, w := len(h.Names), plane.Width(h.Key(m.Theme.ASCII))
	switch {
	case n == 1 || n == 2 && 2*x < w || n > 2 && x == 0:
		return h.Names[0]
	case n == 2 || x == w-1:
		return h.Names[n-1]
	case h.Names[0] == "view: stage":
		return h.Names[(m.Focus.View+1)%n]
	}
	return ""
}

// hintAt is the entry of the footer's line of keys in a cell of the screen, and where it
// begins; nil for none that a click does something on.
func (m *model) hintAt(x, y int) (*control.Hint, int) {
	w, h := m.Width, m.Height
	if y != h-1 || m.Layer != nil && m.screen.stage().H() == h { // it is covered
		return nil, 0
	}
	there, ok := panel.HintAt(w, h, m.frame(), x, y)
	if !ok {
		return nil, 0
	}
	hints := m.hints(w - 2)
	at := 1
	if w < 20 { // no margin
		at = 0
	}
	for i := range hints {
		if at == there.X && hints[i].Names != nil {
			return &hints[i], at
		}
		at += plane.Width(hints[i].Text(m.Theme.ASCII)) + plane.Width(control.HintGap)
	}
	return nil, 0
}

// hoverHint highlights the hint under the mouse.
func (m *model) hoverHint(x, y int) {
	_, hot := m.hintAt(x, y)
	if l := &m.pointer; hot != l.hint {
		l.hint, m.Dirty = hot, true
	}
}

// clickAction does what a click on the header, or on the head of the strip, does.
func (m *model) clickAction(x, y int) (tea.Cmd, bool) {
	w, h := m.Width, m.Height
	name := headerNames[panel.ActionAt(w, h, m.looked(), x, y)]
	if name == "" {
		return nil, false
	}
	m.Dirty = true
	m.Press++
	return m.doHint(name), true
}

// headerNames names the bindings of what the panels call otherwise.
var headerNames = map[keymap.Action]string{
	keymap.Target: "target …", keymap.Tape: "tape: go along the session", keymap.Pause: "pause", keymap.ZoomAll: "show all of each axis",
	keymap.Film: "record the screen", keymap.Race: "lockstep or race", keymap.Link: "link lanes",
}
