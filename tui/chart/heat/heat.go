// Package heat draws a row of cells whose colours say how large their values are.
package heat

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Mark is the state of a cell.
type Mark uint8

// The marks.
const (
	Plain     Mark = iota
	Best           // stands out among the others
	Untrusted      // the value cannot be trusted, or is withheld for that reason: hatched
	Pending        // there is no value yet: a dot
	Failed         // there will be none: a cross
)

// A Cell has a place on the ramp from 0 to 1, NaN for none, and a mark.
type Cell struct {
	Frac float64
	Mark Mark
}

// A Plan is how N cells stand on W columns: each as wide as every other one, or,
// where there are more cells than columns, several to a column.
type Plan struct{ N, W int }

// Width is the number of columns that are taken.
func (p Plan) Width() int {
	switch {
	case p.N <= 0 || p.W <= 0:
		return 0
	case p.N > p.W:
		return p.W
	}
	return p.W / p.N * p.N
}

// Columns is the half-open range of columns of cell i.
func (p Plan) Columns(i int) (from, to int) {
	if p.N > p.W {
		from = (i*p.W + p.N - 1) / max(p.N, 1)
		from = min(from, max(p.W-1, 0))
		return from, from + 1
	}
	n := p.W / max(p.N, 1)
	return i * n, (i + 1) * n
}

// Cells is the half-open range of cells in a column.
func (p Plan) Cells(column int) (from, to int) {
	if p.N > p.W {
		from, to = column*p.N/max(p.W, 1), (column+1)*p.N/max(p.W, 1)
		return from, min(max(to, from+1), p.N)
	}
	i := column / max(p.W/max(p.N, 1), 1)
	return i, min(i+1, p.N)
}

// Row draws cells side by side over all rows of g, in the division of
// Plan{len(cells), g.W()}: by the theme's heat ramp, and by shade without
// colour. Cells that share a column show the mean of their plain values.
// selected is the cell with a frame, -1 for none.
func Row(g plane.Region, th theme.Theme, cells []Cell, selected int) {
	plan := Plan{len(cells), g.W()}
	if g.Empty() || len(cells) == 0 {
		return
	}
	for x := range plan.Width() {
		from, to := plan.Cells(x)
		c := merge(cells[from:to])
		left, right := x, x+1
		if plan.N <= plan.W {
			left, right = plan.Columns(from)
		}
		for y := range g.H() {
			draw(g, x, y, th, c)
		}
		if c.Mark == Best && x == (left+right-1)/2 {
			mark(g, x, (g.H()-1)/2, th, BestRune(th))
		}
		if selected < from || selected >= to {
			continue
		}
		for y := range g.H() {
			switch {
			case right-left < 3:
				if best := c.Mark == Best && y == (g.H()-1)/2; x == left && !best {
					mark(g, x, y, th, th.Glyphs.Vertical)
				}
			case x == left:
				mark(g, x, y, th, th.Glyphs.SliderLeft)
			case x == right-1:
				mark(g, x, y, th, th.Glyphs.SliderRight)
			}
		}
	}
}

// merge is what a column shows of its cells.
func merge(cells []Cell) Cell {
	if len(cells) == 1 {
		return cells[0]
	}
	out := Cell{Frac: math.NaN(), Mark: Pending}
	sum, n := 0.0, 0.0
	rank := [...]int{Pending: 0, Failed: 1, Untrusted: 2, Plain: 3, Best: 4}
	for _, c := range cells {
		mark := min(c.Mark, Failed)
		if rank[mark] > rank[out.Mark] {
			if min(rank[mark], 3) > min(rank[out.Mark], 3) {
				sum, n = 0, 0 // trusted values replace the others
			}
			out.Mark = mark
		}
		if finite(c.Frac) && min(rank[mark], 3) == min(rank[out.Mark], 3) {
			sum, n = sum+c.Frac, n+1
		}
	}
	if n > 0 {
		out.Frac = sum / n
	}
	return out
}

// draw draws one place of a cell.
func draw(g plane.Region, x, y int, th theme.Theme, c Cell) {
	gl := &th.Glyphs
	switch {
	case c.Mark == Failed:
		g.Set(x, y, gl.Cross, th.Bad)
		return
	case c.Mark == Pending || !finite(c.Frac) && c.Mark != Untrusted:
		g.Set(x, y, PendingRune(th), th.Faint)
		return
	}
	if finite(c.Frac) {
		shade := gl.Shade[4]
		if th.NoColor || th.ASCII {
			shade = gl.Shade[min(max(int(c.Frac*4+0.5), 0), 4)]
		}
		g.Set(x, y, shade, th.HeatAt(c.Frac))
	}
	if c.Mark == Untrusted {
		if finite(c.Frac) {
			mark(g, x, y, th, Hatch(th))
		} else {
			g.Set(x, y, Hatch(th), th.Faint)
		}
	}
}

// Hatch is the character of a hatched cell.
func Hatch(th theme.Theme) rune { return th.Rune('╱', '/') }

// BestRune marks the best cell. In ASCII the theme's tick mark is also a shade.
func BestRune(th theme.Theme) rune { return th.Rune(th.Glyphs.OK, '*') }

// PendingRune is the character of a cell without a value yet. In ASCII the bullet
// is also a shade.
func PendingRune(th theme.Theme) rune { return th.Rune(th.Glyphs.Bullet, '-') }

// mark puts a character on a cell in whichever of black and white stands out
// from its shade.
func mark(g plane.Region, x, y int, th theme.Theme, r rune) {
	s := g.StyleAt(x, y)
	if c := s.FG; c.IsSet() && !th.NoColor && (g.At(x, y) == th.Glyphs.Shade[4] || s.BG.IsSet()) {
		if s.BG.IsSet() {
			c = s.BG
		}
		s = plane.Style{BG: c, FG: theme.RGB(0xff, 0xff, 0xff)}
		if cr, cg, cb := c.Channels(); 2*int(cr)+5*int(cg)+int(cb) > 8*128 {
			s.FG = theme.RGB(0, 0, 0)
		}
	} else {
		s = th.Accent
	}
	g.Set(x, y, r, s)
}

// Ramp draws the ramp from its low end to its high one.
func Ramp(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	for x := range w {
		for y := range h {
			draw(g, x, y, th, Cell{Frac: (float64(x) + 0.5) / float64(w)})
		}
	}
}

func finite(v float64) bool { return v-v == 0 }
