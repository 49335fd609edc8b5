package record

import (
	"unicode/utf8"

	"github.com/charmbracelet/x/ansi"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Cell is one place of the screen. Text is its character with what combines
// with it; it is " " for a blank, and empty in a cell that a wide character to
// the left covers.
type Cell struct {
	Text  string
	Style theme.Style
}

// blank is a cell that nothing was drawn on.
func blank() Cell { return Cell{Text: " "} }

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
		g.Cells[i] = blank()
	}
	return g
}

// Of is the screen on a plane.
func Of(p *plane.Plane) *Grid {
	w, h := p.Size()
	g := newGrid(w, h)
	for y := range h {
		for x := range w {
			*g.At(x, y) = Cell{p.TextAt(x, y), p.Region().StyleAt(x, y)}
		}
	}
	return g
}

// Parse takes a frame apart: lines of text with SGR sequences, as the screen
// hands them to the terminal. What the frame lacks is blank, and what does not
// fit in w×h cells is left out, as are all other escape sequences and control
// characters. No frame is an error. The cells share the frame's memory.
func Parse(frame string, w, h int) *Grid {
	g := newGrid(w, h)
	p := ansi.NewParser()
	var state byte
	var style theme.Style
	x, y := 0, 0
	for len(frame) > 0 && y < g.H {
		seq, width, n, next := ansi.DecodeSequence(frame, state, p)
		if n <= 0 { // no sequence is empty, but the loop must end
			break
		}
		frame, state = frame[n:], next
		switch {
		case seq == "\n" || seq == "\r\n":
			x, y = 0, y+1
		case width == 0:
			if ansi.HasCsiPrefix(seq) && p.Command() == 'm' {
				style = restyle(style, p.Params())
			} else if printable(seq) {
				g.combine(x-1, y, seq)
			}
		case x+width > g.W:
			x = g.W
		default:
			if !printable(seq) {
				seq = string(utf8.RuneError)
			}
			*g.At(x, y) = Cell{seq, style}
			for k := 1; k < width; k++ {
				*g.At(x+k, y) = Cell{"", style}
			}
			x += width
		}
	}
	return g
}

// maxCell bounds the bytes of a cell, which a hostile text could pile up.
const maxCell = 64

// combine adds what combines with a character to the cell of that character.
func (g *Grid) combine(x, y int, mark string) {
	for x > 0 && g.At(x, y).Text == "" {
		x--
	}
	if x >= 0 && x < g.W && len(g.At(x, y).Text)+len(mark) <= maxCell {
		g.At(x, y).Text += mark
	}
}

// printable reports whether a character can stand in a picture's text.
func printable(s string) bool {
	for i, r := range s {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == 0xfffe || r == 0xffff {
			return false
		}
		if r == utf8.RuneError {
			if _, n := utf8.DecodeRuneInString(s[i:]); n == 1 {
				return false
			}
		}
	}
	return true
}

// Crop is the part of the grid in r, for a picture of one pane. A wide character
// that r cuts in two is left out.
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

// Pane is the box with a border in the style, such as that of the focused pane,
// and whether there is one: the first from the top left.
func (g *Grid) Pane(border theme.Style) (plane.Rect, bool) {
	for y := range g.H {
		for x := range g.W {
			if c := g.At(x, y); c.Style == border && isCorner(c.Text, topLeft) {
				if r, ok := g.box(x, y, border); ok {
					return r, true
				}
			}
		}
	}
	return plane.Rect{}, false
}

// The corners of a box.
const (
	topLeft = iota
	topRight
	bottomLeft
	bottomRight
)

// isCorner knows the corners of plane.Box: round ones, heavy ones of a pane with the
// focus, and + and # in ASCII.
func isCorner(s string, corner int) bool {
	return s == "+" || s == "#" || s == [...]string{"╭", "╮", "╰", "╯"}[corner] || s == [...]string{"┏", "┓", "┗", "┛"}[corner]
}

// box follows the border of a box down and along its foot. The sides have
// nothing on them but the border; the edge above and the foot may carry text.
func (g *Grid) box(x, y int, border theme.Style) (plane.Rect, bool) {
	y1 := y + 1
	for y1 < g.H && isSide(g.At(x, y1), border) {
		y1++
	}
	if y1 >= g.H || !g.corner(x, y1, bottomLeft, border) {
		return plane.Rect{}, false
	}
	for x1 := x + 1; x1 < g.W; x1++ {
		if g.corner(x1, y, topRight, border) && g.corner(x1, y1, bottomRight, border) && g.sides(x1, y, y1, border) {
			return plane.Rect{X: x, Y: y, W: x1 - x + 1, H: y1 - y + 1}, true
		}
	}
	return plane.Rect{}, false
}

func (g *Grid) corner(x, y, corner int, border theme.Style) bool {
	c := g.At(x, y)
	return c.Style == border && isCorner(c.Text, corner)
}

func (g *Grid) sides(x, y0, y1 int, border theme.Style) bool {
	for y := y0 + 1; y < y1; y++ {
		if !isSide(g.At(x, y), border) {
			return false
		}
	}
	return true
}

func isSide(c *Cell, border theme.Style) bool {
	return c.Style == border && (c.Text == "│" || c.Text == "┃" || c.Text == "|" || c.Text == "#")
}
