package plane

import "strings"

// Wrap breaks a text at its blanks into lines of a width at most. A word that is wider
// than that has a line of its own. ansi.Wordwrap would break formulas at their minus
// signs too.
func Wrap(text string, width int) []string {
	var lines []string
	for _, word := range strings.Fields(text) {
		if n := len(lines) - 1; n >= 0 && Width(lines[n])+1+Width(word) <= width {
			lines[n] += " " + word
		} else {
			lines = append(lines, word)
		}
	}
	return lines
}

// TextWrapped writes text over the rows of the region and returns how many rows it
// needs, which may be more than there are.
func (g Region) TextWrapped(text string, s Style) int {
	lines := Wrap(g.Spell(text), g.rect.W)
	for y, line := range lines {
		g.Text(0, y, line, s)
	}
	return len(lines)
}
