package pane

import (
	"sync"

	"github.com/psgld/psgld-tui/tui/keymap"
)

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
