package record

import (
	"fmt"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// nearCells is how many cells that are the same between two that differ are
// written again rather than jumped over: a jump takes about as many bytes.
const nearCells = 8

// appendChanges writes what makes a terminal that shows old show g: cursor positions, styles and characters. The grids
// have the same size. The terminal's style is plain before and after.
func (g *Grid) appendChanges(out []byte, old *Grid) []byte {
	for y := range g.H {
		row, was := g.Cells[y*g.W:][:g.W], old.Cells[y*g.W:][:g.W]
		for x := 0; x < g.W; {
			if row[x] == was[x] {
				x++
				continue
			}
			// A wide character is written, or erased, as a whole.
			for x > 0 && (row[x].Text == "" || was[x].Text == "") {
				x--
			}
			end := differs(row, was, x)
			out = appendRun(out, row[x:end], x, y)
			x = end
		}
	}
	return out
}

// differs is where a stretch of cells that begins at x ends: before a wide gap of
// cells that are the same, and not within a wide character.
func differs(row, was []Cell, x int) int {
	end, same := x+1, 0
	for i := x + 1; i < len(row) && same < nearCells; i++ {
		if row[i] == was[i] && row[i].Text != "" && was[i].Text != "" {
			same++
			continue
		}
		end, same = i+1, 0
	}
	return end
}

// appendRun writes cells from a place on.
func appendRun(out []byte, row []Cell, x, y int) []byte {
	out = fmt.Appendf(out, "\x1b[%d;%dH", y+1, x+1)
	var style theme.Style
	for _, c := range row {
		if c.Text == "" {
			continue
		}
		if c.Style != style {
			out = plane.AppendSGR(out, style, c.Style)
			style = c.Style
		}
		out = append(out, c.Text...)
	}
	if style != (theme.Style{}) {
		out = append(out, "\x1b[m"...)
	}
	return out
}
