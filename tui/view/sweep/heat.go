package sweep

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A heatMark is the state of a cell.
type heatMark uint8

// The marks.
const (
	plainCell     heatMark = iota
	bestCell               // stands out among the others
	untrustedCell          // the value cannot be trusted, or is withheld for that reason: hatched
	pendingCell            // there is no value yet: a dot
	failedCell             // there will be none: a cross
)

// A heatCell has a place on the ramp from 0 to 1, NaN for none, and a mark.
type heatCell struct {
	Frac float64
	Mark heatMark
}

// A heatPlan is how N cells stand on W columns: each as wide as every other one, or,
// where there are more cells than columns, several to a column.
type heatPlan struct{ N, W int }

// Width is the number of columns that are taken.
func (p heatPlan) Width() int {
	switch {
	case p.N <= 0 || p.W <= 0:
		return 0
	case p.N > p.W:
		return p.W
	}
	return p.W / p.N * p.N
}

// Columns is the half-open range of columns of cell i.
func (p heatPlan) Columns(i int) (from, to int) {
	if p.N > p.W {
		from = (i*p.W + p.N - 1) / max(p.N, 1)
		from = min(from, max(p.W-1, 0))
		return from, from + 1
	}
	n := p.W / max(p.N, 1)
	return i * n, (i + 1) * n
}

// Cells is the half-open range of cells in a column.
func (p heatPlan) Cells(column int) (from, to int) {
	if p.N > p.W {
		from, to = column*p.N/max(p.W, 1), (column+1)*p.N/max(p.W, 1)
		return from, min(max(to, from+1), p.N)
	}
	i := column / max(p.W/max(p.N, 1), 1)
	return i, min(i+1, p.N)
}

// drawHeat draws cells side by side over all rows of g, in the division of
// heatPlan{len(cells), g.W()}: by the theme's heat ramp, and by shade without
// colour. Cells that share a column show the mean of their plain values.
// selected is the cell with a frame, -1 for none.
func drawHeat(g plane.Region, th theme.Theme, cells []heatCell, selected int) {
	plan := heatPlan{len(cells), g.W()}
	for x := range plan.Width() {
		from, to := plan.Cells(x)
		c := mergeCells(cells[from:to])
		left, right := x, x+1
		if plan.N <= plan.W {
			left, right = plan.Columns(from)
		}
		for y := range g.H() {
			drawCell(g, x, y, th, c)
		}
		if c.Mark == bestCell && x == (left+right-1)/2 {
			putOn(g, x, (g.H()-1)/2, th, bestRune(th))
		}
		if selected < from || selected >= to {
			continue
		}
		for y := range g.H() {
			switch {
			case right-left < 3:
				if best := c.Mark == bestCell && y == (g.H()-1)/2; x == left && !best {
					putOn(g, x, y, th, th.Glyphs.Vertical)
				}
			case x == left:
				putOn(g, x, y, th, th.Glyphs.SliderLeft)
			case x == right-1:
				putOn(g, x, y, th, th.Glyphs.SliderRight)
			}
		}
	}
}

// mergeCells is what a column shows of its cells.
func mergeCells(cells []heatCell) heatCell {
	if len(cells) == 1 {
		return cells[0]
	}
	out := heatCell{Frac: math.NaN(), Mark: pendingCell}
	sum, n := 0.0, 0.0
	rank := [...]int{pendingCell: 0, failedCell: 1, untrustedCell: 2, plainCell: 3, bestCell: 4}
	for _, c := range cells {
		mark := min(c.Mark, failedCell)
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

// drawCell draws one place of a cell.
func drawCell(g plane.Region, x, y int, th theme.Theme, c heatCell) {
	gl := &th.Glyphs
	switch {
	case c.Mark == failedCell:
		g.Set(x, y, gl.Cross, th.Bad)
		return
	case c.Mark == pendingCell || !finite(c.Frac) && c.Mark != untrustedCell:
		g.Set(x, y, pendingRune(th), th.Faint)
		return
	}
	if finite(c.Frac) {
		shade := gl.Shade[4]
		if th.NoColor || th.ASCII {
			shade = gl.Shade[min(max(int(c.Frac*4+0.5), 0), 4)]
		}
		g.Set(x, y, shade, th.HeatAt(c.Frac))
	}
	if c.Mark == untrustedCell {
		if finite(c.Frac) {
			putOn(g, x, y, th, hatch(th))
		} else {
			g.Set(x, y, hatch(th), th.Faint)
		}
	}
}

// hatch is the character of a hatched cell.
func hatch(th theme.Theme) rune { return th.Rune('╱', '/') }

// bestRune marks the best cell. In ASCII the theme's tick mark is also a shade.
func bestRune(th theme.Theme) rune { return th.Rune(th.Glyphs.OK, '*') }

// pendingRune is the character of a cell without a value yet. In ASCII the bullet
// is also a shade.
func pendingRune(th theme.Theme) rune { return th.Rune(th.Glyphs.Bullet, '-') }

// putOn puts a character on a cell in whichever of black and white stands out
// from its shade.
func putOn(g plane.Region, x, y int, th theme.Theme, r rune) {
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

// drawRamp draws the ramp from its low end to its high one.
func drawRamp(g plane.Region, th theme.Theme) {
	w, h := g.Size()
	for x := range w {
		for y := range h {
			drawCell(g, x, y, th, heatCell{Frac: (float64(x) + 0.5) / float64(w)})
		}
	}
}

func finite(v float64) bool { return v-v == 0 }
