package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

// A Word is one thing that a script has done: a key, a move, a text that is typed, or a
// grid that is left after some runs.
type Word struct {
	Key  string // as Bubble Tea names it; empty for none
	Move Move   // without a name for none
	Text string
	Runs int
}

// Script reads words apart by blanks: steps=N, which runs N steps in every lane; runs=N;
// type=TEXT, of a text without blanks; and anything else for the name of a key.
func Script(text string) ([]Word, error) {
	var all []Word
	for _, word := range strings.Fields(text) {
		w := Word{Key: word}
		name, value, _ := strings.Cut(word, "=")
		switch name {
		case "steps", "runs":
			n, err := Count(value, 1)
			if err != nil {
				return nil, fmt.Errorf("%q: %s=N %w", word, name, err)
			}
			w = Word{Runs: int(n)}
			if name == "steps" {
				w = Word{Move: Move{Lane: state.AllLanes, Name: Run, Arg: value}}
			}
		case "type":
			w = Word{Text: value}
		}
		all = append(all, w)
	}
	return all, nil
}

// Quote joins arguments to a line that a POSIX shell reads as those arguments. What a terminal
// would obey, and not show, is written as what the shell's printf writes; line ends stay.
func Quote(args ...string) string {
	var b strings.Builder
	for i, a := range args {
		if i > 0 {
			b.WriteByte(' ')
		}
		if a != "" && strings.Trim(a, plain) == "" {
			b.WriteString(a)
			continue
		}
		b.WriteByte('\'')
		for a != "" {
			_, n := utf8.DecodeRuneInString(a)
			switch c := a[:n]; {
			case c == "'":
				b.WriteString(`'\''`)
			case c == "\n" || printable.All(c):
				b.WriteString(c)
			default:
				b.WriteString(`'"$(printf '`)
				for _, x := range []byte(c) {
					fmt.Fprintf(&b, `\%03o`, x)
				}
				b.WriteString(`')"'`)
			}
			a = a[n:]
		}
		b.WriteByte('\'')
	}
	return b.String()
}

// plain are the characters that mean nothing to a shell anywhere in a word.
const plain = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789_-+./:,=@%"
