package dialog

import (
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"
)

// Line is one line of text being typed: Bubbles' text input, with the keys of
// the one table, drawn by the plane. The zero value is empty.
type Line struct{ in *textinput.Model }

// maxLine bounds what can be typed; a path is the longest thing that is.
const maxLine = 1024

func (l *Line) input() *textinput.Model {
	if l.in == nil {
		in := textinput.New()
		in.CharLimit, in.KeyMap = maxLine, keyMap()
		in.Focus()
		l.in = &in
	}
	return l.in
}

// String is the text that was typed.
func (l *Line) String() string { return l.input().Value() }

// Set replaces the text and puts the cursor at its end.
func (l *Line) Set(s string) {
	l.input().SetValue(s)
	l.input().CursorEnd()
}

// Insert puts text at the cursor.
func (l *Line) Insert(s string) { l.Type(tea.PasteMsg{Content: s}) }

// Type types or edits by a key or by pasted text, and reports whether that changed the
// text or the cursor. Line breaks and tabs of a paste become blanks, other control
// characters are dropped.
func (l *Line) Type(msg tea.Msg) bool {
	switch msg.(type) {
	case tea.KeyPressMsg, tea.PasteMsg:
	default:
		return false
	}
	text, at := l.String(), l.input().Position()
	*l.input(), _ = l.input().Update(msg)
	return l.String() != text || l.input().Position() != at
}

// Show writes the text with the cursor in it.
func (l *Line) Show(cursor string) string {
	text, at := []rune(l.String()), l.input().Position()
	return string(text[:at]) + cursor + string(text[at:])
}
