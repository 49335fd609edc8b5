package lesson

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
)

// wrap writes text over rows from column x up to column w, broken at blanks and
// line breaks, and returns the row after it: y itself for an empty text.
func wrap(g plane.Region, x, y, w int, text string, s plane.Style) int {
	return wrapFrom(g, x, x, y, w, text, s)
}

// wrapFrom is wrap with the first row begun at column at.
func wrapFrom(g plane.Region, x, at, y, w int, text string, s plane.Style) int {
	if text == "" {
		return y
	}
	for text != "" {
		word, rest, end := nextWord(text, w-x)
		text = rest
		if n := plane.Width(word); at > x && at+n > w {
			at, y = x, y+1
		}
		at = g.Text(at, y, word, s) + 1
		if end == '\n' {
			at, y = x, y+1
		}
	}
	return y + 1
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
