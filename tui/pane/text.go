package pane

import (
	"strings"
	"sync"

	"github.com/psgld/psgld-tui/tui/keymap"
	"github.com/psgld/psgld-tui/tui/plane"
)

// CountRows is how many rows wrap needs.
func CountRows(text string, w int) int { return wrapTo(plane.Region{}, w, text, plane.Style{}) }

// Wrap writes text over the rows of g, broken at blanks, and returns how many
// rows it used.
func Wrap(g plane.Region, text string, s plane.Style) int {
	return min(wrapTo(g, g.W(), text, s), g.H())
}

func wrapTo(g plane.Region, w int, text string, s plane.Style) int {
	text = g.Spell(text)
	x, y := 0, 0
	for text != "" {
		word := text
		if i := strings.IndexByte(text, ' '); i >= 0 {
			word, text = text[:i], text[i+1:]
		} else {
			text = ""
		}
		n := plane.Width(word)
		if x > 0 && x+1+n > w {
			x, y = 0, y+1
		} else if x > 0 {
			x++
		}
		g.Text(x, y, word, s)
		x += n
	}
	return y + 1
}

// Plural is the word for so many.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}

// Cut is at most n bytes of a name.
func Cut(s string, n int) string {
	if len(s) <= n {
		return s
	}
	for n > 0 && s[n]&0xc0 == 0x80 {
		n--
	}
	return s[:n]
}

// keys is the one table of keys.
var keys = sync.OnceValue(keymap.New)

// KeyOf is the key of an action.
func KeyOf(a keymap.Action) string { return keys().Key(a) }
