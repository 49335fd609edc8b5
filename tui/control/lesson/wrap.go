package lesson

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A text breaks texts into rows of a width. In ASCII ε is a word, so texts are spelled before they are broken.
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

// wrap breaks the paragraphs of a text into rows from column x on, with a mark before
// the first. There are no rows of an empty text.
func (t *text) wrap(x int, s string, style plane.Style, marks ...span) (rows []row) {
	if s == "" {
		return nil
	}
	for part := range strings.SplitSeq(t.spell(s), "\n") {
		for _, line := range plane.Wrap(glued(part, t.w-x), t.w-x) {
			rows = append(rows, row{spans: []span{{x, strings.ReplaceAll(line, glue, " "), style}}})
		}
	}
	if len(rows) > 0 {
		rows[0].spans = append(rows[0].spans, marks...)
	}
	return rows
}

// glue stands for a blank at which no row ends.
const glue = "\x1f"

// glued puts glue around the signs of a formula such as 1 - ε/2, which is hard to read
// over two rows, as far as it is no wider than room.
func glued(s string, room int) string {
	var b strings.Builder
	wide, sign := 0, false // of what is glued together
	for _, word := range strings.Fields(s) {
		n, is := plane.Width(word), strings.Contains(" - + ± = < > ≤ ≥ ≈ · <= >= +- ", " "+word+" ")
		switch {
		case b.Len() > 0 && (is || sign) && wide+1+n <= room:
			b.WriteString(glue)
			wide += 1 + n
		case b.Len() > 0:
			b.WriteByte(' ')
			fallthrough
		default:
			wide = n
		}
		b.WriteString(word)
		sign = is
	}
	return b.String()
}
