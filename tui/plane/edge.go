package plane

import "github.com/psgld/psgld-tui/tui/theme"

// Heavy makes the border that Box has drawn along the region's edge heavy, so
// that it stands out without colour too. Text on the edge stays.
func (g Region) Heavy(th theme.Theme) {
	w, h := g.Size()
	if w < 2 || h < 2 {
		return
	}
	gl := th.Glyphs
	light := [...]rune{gl.TopLeft, gl.TopRight, gl.BottomLeft, gl.BottomRight, gl.Horizontal, gl.Vertical}
	heavy := []rune("┏┓┗┛━┃")
	if th.ASCII {
		heavy = []rune("####=#")
	}
	turn := func(x, y, part int) {
		if s := g.StyleAt(x, y); (s == th.Border || s == th.Focus) && g.At(x, y) == light[part] {
			g.Set(x, y, heavy[part], th.Focus)
		}
	}
	for i, at := range [...][2]int{{0, 0}, {w - 1, 0}, {0, h - 1}, {w - 1, h - 1}} {
		turn(at[0], at[1], i)
	}
	for x := 1; x < w-1; x++ {
		turn(x, 0, 4)
		turn(x, h-1, 4)
	}
	for y := 1; y < h-1; y++ {
		turn(0, y, 5)
		turn(w-1, y, 5)
	}
}

// ClearFoot removes the text on the lower edge of a border that Box has drawn.
func (g Region) ClearFoot(th theme.Theme) {
	w, h := g.Size()
	if w >= 2 && h >= 2 {
		g.HLine(1, h-1, w-2, th.Glyphs.Horizontal, g.StyleAt(0, h-1))
	}
}

// CrossV draws a vertical line down column x where the region is blank.
func (g Region) CrossV(x int, th theme.Theme) {
	for y := range g.H() {
		if g.At(x, y) == 0 {
			g.Set(x, y, th.Glyphs.Vertical, th.Accent)
		}
	}
}

// CrossH draws a horizontal line along row y where the region is blank.
func (g Region) CrossH(y int, th theme.Theme) {
	for x := range g.W() {
		if g.At(x, y) == 0 {
			g.Set(x, y, th.Glyphs.Horizontal, th.Accent)
		}
	}
}

// LiftFoot closes the boxes that end in the region's last n rows above those rows, so
// that something else can be drawn there: it copies their lower edges to the row above.
// Where boxes overlap, the one that ends lower is in front.
func (g Region) LiftFoot(n int, th theme.Theme) {
	w, h := g.Size()
	if n < 1 || n >= h {
		return
	}
	row := func(y int) []cell { return g.p.cells[(g.rect.Y+y)*g.p.w+g.rect.X:][:w] }
	// corner is 1 at a box's left lower corner, -1 at its right one, and else 0.
	corner := func(x, y int) int {
		if s := g.StyleAt(x, y); s != th.Border && s != th.Focus {
			return 0
		}
		switch g.At(x, y) {
		case th.Glyphs.BottomLeft, '┗':
			return 1
		case th.Glyphs.BottomRight, '┛':
			return -1
		}
		return 0
	}
	for y := h - n; y < h; y++ {
		// Between two corners is an edge, unless they belong to neighbouring boxes. A box
		// in front that ends in the same row may cut the edge of another.
		last, from := -1, 0
		for x := range w {
			c := corner(x, y)
			if c == 0 {
				continue
			}
			if last > 0 || c < 0 {
				copy(row(h - 1 - n)[from:], row(y)[from:x+1])
			}
			last, from = c, x
		}
		if last > 0 { // the box in front of its end goes on below
			copy(row(h - 1 - n)[from:], row(y)[from:])
		}
	}
}
