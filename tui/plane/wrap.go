package plane

import "strings"

// Wrap breaks a text at its blanks into lines of a width at most. A word that is wider
// than that has a line of its own. ansi.Wordwrap would break formulas at their minus
// signs too.
func Wrap(text string, width int) (lines []string) {
	words := strings.Fields(text)
	for len(words) > 0 {
		n, wide := 1, Width(words[0])
		for n < len(words) && wide+1+Width(words[n]) <= width {
			wide += 1 + Width(words[n])
			n++
		}
		lines, words = append(lines, strings.Join(words[:n], " ")), words[n:]
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
