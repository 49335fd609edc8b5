package lesson

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A text breaks texts into rows of a width. ASCII spells ε with three letters, and
// rows are broken by the width that is drawn.
type text struct {
	th *theme.Theme
	w  int
}

func (t *text) spell(s string) string {
	if t.th.ASCII {
		return plane.Spell(s)
	}
	return s
}

// marked puts a mark before the first of some rows; none before no row.
func (t *text) marked(x int, mark string, s plane.Style, rows []row) []row {
	if len(rows) > 0 {
		rows[0].spans = append(rows[0].spans, span{x, mark, s})
	}
	return rows
}

// wrap breaks a text into rows from column x on, the first from column at on, at
// blanks and line breaks. There are none of an empty text.
func (t *text) wrap(x, at int, s string, style plane.Style) (rows []row) {
	if s == "" {
		return nil
	}
	rows = []row{{}}
	for s = t.spell(s); s != ""; {
		word, rest, end := nextWord(s, t.w-x)
		s = rest
		n := plane.Width(word)
		if at > x && at+n > t.w {
			rows, at = append(rows, row{}), x
		}
		last := &rows[len(rows)-1]
		last.spans = append(last.spans, span{at, word, style})
		at += n + 1
		if end == '\n' {
			rows, at = append(rows, row{}), x
		}
	}
	return rows
}

// nextWord takes the next word off a text, and the blank or line break that ends
// it. A formula with blanks around its signs, 1 - ε/2, is one word if it is no
// wider than room: it is hard to read over two rows.
func nextWord(text string, room int) (word, rest string, end byte) {
	at, sign := 0, false
	for {
		i := strings.IndexAny(text[at:], " \n")
		part := text[at:]
		if i >= 0 {
			part = part[:i]
		}
		signs := isSign(part)
		if at > 0 && !signs && !sign || plane.Width(text[:at+len(part)]) > room && at > 0 {
			return text[:at-1], text[at:], ' '
		}
		at, sign = at+len(part), signs
		if i < 0 {
			return text, "", 0
		}
		if text[at] == '\n' {
			return text[:at], text[at+1:], '\n'
		}
		at++
	}
}

// isSign reports whether a word is an operator or a relation.
func isSign(word string) bool {
	switch word {
	case "-", "+", "±", "=", "<", ">", "≤", "≥", "≈", "·", "<=", ">=", "+-":
		return true
	}
	return false
}
