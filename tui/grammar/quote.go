package grammar

import (
	"fmt"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/tool/printable"
)

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
