package tui

import (
	"strings"

	"charm.land/bubbles/v2/key"
	"charm.land/bubbles/v2/textinput"
	tea "charm.land/bubbletea/v2"

	"github.com/psgld/psgld-tui/tui/keymap"
)

// line is one line of text being typed: Bubbles' text input, with the keys of
// the one table, drawn by the plane. The zero value is empty.
type line struct{ in *textinput.Model }

// maxLine bounds what can be typed; a path is the longest thing that is.
const maxLine = 1024

func (l *line) input() *textinput.Model {
	if l.in == nil {
		in := textinput.New()
		in.CharLimit, in.KeyMap = maxLine, editKeys()
		in.Focus()
		l.in = &in
	}
	return l.in
}

// editKeys are the keys of the context Edit. Keys that are not in the table do
// nothing.
func editKeys() textinput.KeyMap {
	var m textinput.KeyMap
	places := map[keymap.Action]*key.Binding{
		keymap.CharLeft: &m.CharacterBackward, keymap.CharRight: &m.CharacterForward,
		keymap.LineStart: &m.LineStart, keymap.LineEnd: &m.LineEnd,
		keymap.DeleteBack: &m.DeleteCharacterBackward, keymap.DeleteForward: &m.DeleteCharacterForward,
		keymap.DeleteWord: &m.DeleteWordBackward, keymap.DeleteToStart: &m.DeleteBeforeCursor, keymap.DeleteToEnd: &m.DeleteAfterCursor,
	}
	for _, b := range keymap.Table() {
		if p, ok := places[b.Action]; ok && b.Context == keymap.Edit {
			*p = key.NewBinding(key.WithKeys(b.Keys...))
		}
	}
	return m
}

func (l *line) String() string { return l.input().Value() }

// set replaces the text and puts the cursor at its end.
func (l *line) set(s string) {
	l.input().SetValue(s)
	l.input().CursorEnd()
}

// insert puts text at the cursor. Line breaks and tabs of a paste become
// blanks, other control characters are dropped.
func (l *line) insert(s string) { l.update(tea.PasteMsg{Content: s}) }

// key types or edits, and reports whether it changed the text or the cursor.
func (l *line) key(k tea.KeyPressMsg) bool {
	text, at := l.String(), l.input().Position()
	l.update(k)
	return l.String() != text || l.input().Position() != at
}

// strange reports whether a key types something that is not among some characters.
func strange(k tea.KeyPressMsg, allowed string) bool { return strings.Trim(k.Text, allowed) != "" }

func (l *line) update(msg tea.Msg) { *l.input(), _ = l.input().Update(msg) }

// show writes the text with the cursor in it.
func (l *line) show(cursor string) string {
	text, at := []rune(l.String()), l.input().Position()
	return string(text[:at]) + cursor + string(text[at:])
}
