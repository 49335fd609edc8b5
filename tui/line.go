package tui

import (
	"slices"
	"strings"
	"unicode"

	"github.com/psgld/psgld-tui/tui/keymap"
)

// line is one line of text being typed.
type line struct {
	text []rune
	at   int // the cursor, from 0 to len(text)
}

// maxLine bounds what can be typed; a path is the longest thing that is.
const maxLine = 1024

func (l *line) String() string { return string(l.text) }

// set replaces the text and puts the cursor at its end.
func (l *line) set(s string) {
	l.text, l.at = l.text[:0], 0
	l.insert(s)
}

// insert puts text at the cursor. Line breaks and tabs of a paste become
// blanks, other control characters are dropped.
func (l *line) insert(s string) {
	var add []rune
	for _, r := range s {
		switch {
		case r == '\n' || r == '\r' || r == '\t':
			add = append(add, ' ')
		case unicode.IsControl(r) || r == unicode.ReplacementChar:
		default:
			add = append(add, r)
		}
	}
	add = add[:min(len(add), maxLine-len(l.text))]
	l.text = slices.Insert(l.text, l.at, add...)
	l.at += len(add)
}

// edit does an action of the context Edit and reports whether it was one.
func (l *line) edit(a keymap.Action) bool {
	n := len(l.text)
	switch a {
	case keymap.CharLeft:
		l.at = max(0, l.at-1)
	case keymap.CharRight:
		l.at = min(n, l.at+1)
	case keymap.LineStart:
		l.at = 0
	case keymap.LineEnd:
		l.at = n
	case keymap.DeleteBack:
		l.cut(max(0, l.at-1), l.at)
	case keymap.DeleteForward:
		l.cut(l.at, min(n, l.at+1))
	case keymap.DeleteWord:
		l.cut(l.wordStart(), l.at)
	case keymap.DeleteToStart:
		l.cut(0, l.at)
	case keymap.DeleteToEnd:
		l.cut(l.at, n)
	default:
		return false
	}
	return true
}

func (l *line) cut(from, to int) {
	l.text = slices.Delete(l.text, from, to)
	l.at = from
}

// wordStart is where the word before the cursor begins.
func (l *line) wordStart() int {
	i := l.at
	for i > 0 && l.text[i-1] == ' ' {
		i--
	}
	for i > 0 && l.text[i-1] != ' ' {
		i--
	}
	return i
}

// show writes the text with the cursor in it.
func (l *line) show(cursor string) string {
	var b strings.Builder
	b.WriteString(string(l.text[:l.at]))
	b.WriteString(cursor)
	b.WriteString(string(l.text[l.at:]))
	return b.String()
}
