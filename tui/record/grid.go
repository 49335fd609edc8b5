package record

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Cell is one place of the screen. Text is its character with what combines with it; it is " " for a blank, and empty
// in a cell that a wide character to the left covers.
type Cell struct {
	Text  string
	Style theme.Style
}

// Grid is a screen of W×H cells, row by row.
type Grid struct {
	W, H  int
	Cells []Cell
}

// At is the cell in column x and row y, which must be in the grid.
func (g *Grid) At(x, y int) *Cell { return &g.Cells[y*g.W+x] }

func newGrid(w, h int) *Grid {
	g := &Grid{W: max(w, 0), H: max(h, 0)}
	g.Cells = make([]Cell, g.W*g.H)
	for i := range g.Cells {
		g.Cells[i].Text = " "
	}
	return g
}

// Of is the screen on a plane. A blank has the style of the cell to its left where it
// looks the same in both, so that a text is of one style.
func Of(p *plane.Plane) *Grid {
	w, h := p.Size()
	g := newGrid(w, h)
	for y := range h {
		var style theme.Style
		for x := range w {
			text := p.TextAt(x, y)
			if s := p.Region().StyleAt(x, y); text != " " || !s.SameBlank(style) {
				style = s
			}
			*g.At(x, y) = Cell{text, style}
		}
	}
	return g
}

// Text is the characters alone, a line for each row, without the blanks at its end.
func (g *Grid) Text() string {
	var b strings.Builder
	for y := range g.H {
		var row strings.Builder
		for x := range g.W {
			row.WriteString(g.At(x, y).Text)
		}
		b.WriteString(strings.TrimRight(row.String(), " ") + "\n")
	}
	return b.String()
}

// Crop is the part of the grid in r, for a picture of one pane. A wide character that r cuts in two is left out.
func (g *Grid) Crop(r plane.Rect) *Grid {
	r = r.Intersect(plane.Rect{W: g.W, H: g.H})
	out := newGrid(r.W, r.H)
	for y := range r.H {
		row := out.Cells[y*r.W:][:r.W]
		copy(row, g.Cells[(r.Y+y)*g.W+r.X:][:r.W])
		for x := 0; x < r.W && row[x].Text == ""; x++ {
			row[x].Text = " "
		}
		if end := r.X + r.W; r.W > 0 && end < g.W && g.At(end, r.Y+y).Text == "" {
			for x := r.W - 1; x >= 0; x-- {
				cut := row[x].Text != ""
				row[x].Text = " "
				if cut {
					break
				}
			}
		}
	}
	return out
}
