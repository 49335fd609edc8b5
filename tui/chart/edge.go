package chart

import "github.com/psgld/psgld-tui/tui/theme"

// Heavy makes the border that Box has drawn along the region's edge heavy, so
// that it is told from others without colour too. What is written on the edge
// stays.
func (g Region) Heavy(th theme.Theme) {
	w, h := g.Size()
	if w < 2 || h < 2 {
		return
	}
	gl := th.Glyphs
	heavy := [...]struct{ from, to, ascii rune }{
		{gl.TopLeft, '┏', '#'}, {gl.TopRight, '┓', '#'}, {gl.BottomLeft, '┗', '#'}, {gl.BottomRight, '┛', '#'},
		{gl.Horizontal, '━', '='}, {gl.Vertical, '┃', '#'},
	}
	turn := func(x, y, first, last int) {
		s := g.styleAt(x, y)
		if s != th.Border && s != th.Focus {
			return
		}
		for _, r := range heavy[first : last+1] {
			if g.at(x, y) == r.from {
				to := r.to
				if th.ASCII {
					to = r.ascii
				}
				g.Set(x, y, to, th.Focus)
				return
			}
		}
	}
	turn(0, 0, 0, 0)
	turn(w-1, 0, 1, 1)
	turn(0, h-1, 2, 2)
	turn(w-1, h-1, 3, 3)
	for x := 1; x < w-1; x++ {
		turn(x, 0, 4, 4)
		turn(x, h-1, 4, 4)
	}
	for y := 1; y < h-1; y++ {
		turn(0, y, 5, 5)
		turn(w-1, y, 5, 5)
	}
}

// ClearFoot takes what is written on the lower edge of the border that Box has
// drawn away.
func (g Region) ClearFoot(th theme.Theme) {
	w, h := g.Size()
	if w >= 2 && h >= 2 {
		g.HLine(1, h-1, w-2, th.Glyphs.Horizontal, g.styleAt(0, h-1))
	}
}

// CrossV draws a vertical line down column x where the region is blank.
func (g Region) CrossV(x int, th theme.Theme) {
	for y := range g.H() {
		if g.at(x, y) == 0 {
			g.Set(x, y, th.Glyphs.Vertical, th.Accent)
		}
	}
}

// CrossH draws a horizontal line along row y where the region is blank.
func (g Region) CrossH(y int, th theme.Theme) {
	for x := range g.W() {
		if g.at(x, y) == 0 {
			g.Set(x, y, th.Glyphs.Horizontal, th.Accent)
		}
	}
}

// LiftFoot draws the lower edges of the boxes that end in the region's last n rows in
// the row above those, so that the boxes are closed above what is then drawn over them.
// Of boxes that lie over each other the one that ends lower is in front.
func (g Region) LiftFoot(n int, th theme.Theme) {
	w, h := g.Size()
	if n < 1 || n >= h {
		return
	}
	row := func(y int) []cell { return g.p.cells[(g.rect.Y+y)*g.p.w+g.rect.X:][:w] }
	for y := h - n; y < h; y++ {
		for x := 0; x < w; x++ {
			foot := g.at(x, y) == th.Glyphs.BottomLeft || g.at(x, y) == '┗'
			if s := g.styleAt(x, y); !foot || s != th.Border && s != th.Focus {
				continue
			}
			to := x
			for to < w-1 && g.at(to, y) != th.Glyphs.BottomRight && g.at(to, y) != '┛' {
				to++
			}
			copy(row(h - 1 - n)[x:], row(y)[x:to+1])
			x = to
		}
	}
}
