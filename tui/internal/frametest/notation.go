// Package frametest looks at frames as tests do: it writes them down with their
// styles, and says what is wrong with them whatever they show.
package frametest

import (
	"fmt"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/record"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Notation writes down a screen that was drawn in several looks: its text; below it the rows as runs of cells of one
// style, each the number of its cells, left out if 1, and a name; and below those what each name stands for in each
// look. The name . is no style. A blank on which no style shows continues the run to its left. Looks in which the text
// is another follow, in the same way.
func Notation(looks ...*plane.Plane) string {
	var groups [][]*record.Grid
next:
	for _, p := range looks {
		g := record.Of(p)
		for i := range groups {
			if sameText(groups[i][0], g) {
				groups[i] = append(groups[i], g)
				continue next
			}
		}
		groups = append(groups, []*record.Grid{g})
	}
	return strings.Join(list.Map(groups, note), "\n\n")
}

func sameText(a, b *record.Grid) bool {
	return slices.EqualFunc(a.Cells, b.Cells, func(a, b record.Cell) bool { return a.Text == b.Text })
}

// note writes looks with the same text down.
func note(looks []*record.Grid) string {
	l := legend{names: map[string]string{}}
	w, style := looks[0].W, make([]theme.Style, len(looks))
	l.names[l.key(style)] = "."
	var text, styles strings.Builder
	row := make([]string, w)
	for y := range looks[0].H {
		var line strings.Builder
		for x := range w {
			c := looks[0].At(x, y)
			line.WriteString(c.Text)
			blank := c.Text == " "
			for i, g := range looks {
				style[i] = g.At(x, y).Style
				blank = blank && !style[i].BG.IsSet() && style[i].Attr&(theme.Underline|theme.Reverse) == 0
			}
			row[x] = ""
			if !blank {
				row[x] = l.name(style)
			}
		}
		text.WriteString(strings.TrimRight(line.String(), " ") + "\n")
		styles.WriteString(runs(row) + "\n")
	}
	return text.String() + "\n" + styles.String() + "\n" + strings.Join(l.lines, "\n")
}

// runs writes the names of a row's cells. What has no name goes with what is to its
// left, and at the end of the row it is left out.
func runs(row []string) string {
	out, name, n := "", ".", 0
	blanks := 0
	for _, next := range row {
		if next == "" {
			blanks++
			continue
		}
		n += blanks
		if blanks = 0; next != name {
			out += run(name, n)
			name, n = next, 0
		}
		n++
	}
	return out + run(name, n)
}

func run(name string, n int) string {
	switch n {
	case 0:
		return ""
	case 1:
		return name
	}
	return strconv.Itoa(n) + name
}

// legend names styles in the order in which they come.
type legend struct {
	names map[string]string
	lines []string
}

func (l *legend) name(looks []theme.Style) string {
	key := l.key(looks)
	name, ok := l.names[key]
	if !ok {
		i := len(l.lines)
		name = string(rune('A' + i%26))
		for i /= 26; i > 0; i /= 26 { // a capital and small letters, so that names need nothing between them
			name += string(rune('a' + i%26))
		}
		l.names[key] = name
		l.lines = append(l.lines, name+key)
	}
	return name
}

// key writes what a style is in each look.
func (*legend) key(looks []theme.Style) string {
	var b strings.Builder
	for i, s := range looks {
		if i > 0 {
			b.WriteString(" |")
		}
		if s.FG.IsSet() {
			fmt.Fprintf(&b, " %06x", uint32(s.FG)&0xffffff)
		}
		if s.BG.IsSet() {
			fmt.Fprintf(&b, " on %06x", uint32(s.BG)&0xffffff)
		}
		for i, name := range [...]string{"bold", "faint", "italic", "underline", "reverse"} {
			if s.Attr&(1<<i) != 0 {
				b.WriteString(" " + name)
			}
		}
	}
	return b.String()
}
