package plane

import (
	"strings"

	"github.com/psgld/psgld-tui/tui/theme"
)

// Box is a border with text on it. The zero value is a bare border in the theme's style.
type Box struct {
	Title string // on the top edge, left
	Right string // on the top edge, right; dropped when there is no room
	Foot  string // on the bottom edge, right
	// Mark is drawn before the title in MarkStyle, such as a lane's glyph.
	Mark      rune
	MarkStyle Style
	Focused   bool
}

// Box draws b along the edge of the region and returns what is inside. A region of fewer than two rows or columns has
// no room for a border: nothing is drawn and the region itself comes back.
func (g Region) Box(th theme.Theme, b Box) Region {
	w, h := g.Size()
	if w < 2 || h < 2 {
		return g
	}
	edge, title := th.Border, th.Title
	if b.Focused {
		edge, title = th.Focus, th.TitleFocus
	}
	if b.Title != "" && len(g.p.boxes) < mostBoxes {
		g.p.boxes = append(g.p.boxes, boxed{g.rect, b.Title})
	}
	b.Title, b.Right, b.Foot = g.Spell(b.Title), g.Spell(b.Right), g.Spell(b.Foot)
	gl := th.Glyphs
	g.HLine(1, 0, w-2, gl.Horizontal, edge)
	g.HLine(1, h-1, w-2, gl.Horizontal, edge)
	g.VLine(0, 1, h-2, gl.Vertical, edge)
	g.VLine(w-1, 1, h-2, gl.Vertical, edge)
	g.Set(0, 0, gl.TopLeft, edge)
	g.Set(w-1, 0, gl.TopRight, edge)
	g.Set(0, h-1, gl.BottomLeft, edge)
	g.Set(w-1, h-1, gl.BottomRight, edge)

	used := g.edgeTitle(th, b, title)
	right := func(y int, text string, taken int) {
		if n := Width(text); n > 0 && taken+n+5 <= w {
			g.Text(w-n-3, y, " ", edge)
			g.Text(w-n-2, y, text, th.Dim)
			g.Text(w-2, y, " ", edge)
		}
	}
	right(0, b.Right, used)
	right(h-1, b.Foot, 1)
	return g.Pad(1, 1, 1, 1)
}

// boxed is a box with its whole title.
type boxed struct {
	rect  Rect
	title string
}

// mostBoxes bounds the titles that a plane keeps.
const mostBoxes = 64

// TitleOf is the whole title of the newest box that was drawn along the edge of r, empty without one.
func (p *Plane) TitleOf(r Rect) string {
	for i := len(p.boxes) - 1; i >= 0; i-- {
		if p.boxes[i].rect == r {
			return p.boxes[i].title
		}
	}
	return ""
}

// edgeTitle writes the mark and title on the top edge and returns the column after them.
func (g Region) edgeTitle(th theme.Theme, b Box, style Style) int {
	w := g.W()
	if b.Title == "" && b.Mark == 0 || w < 6 {
		return 1
	}
	room := w - 4
	if b.Mark != 0 {
		room -= 2
	}
	// A title cut to less than three cells says nothing.
	titled := b.Title != "" && room > 0 && (room >= 3 || room >= Width(b.Title))
	if !titled && b.Mark == 0 {
		return 1
	}
	g.Set(1, 0, ' ', Style{})
	x := 2
	gap := 0
	if b.Mark != 0 {
		g.Set(x, 0, b.Mark, b.MarkStyle)
		x, gap = x+1, 1
	}
	if titled {
		g.HLine(x, 0, gap, ' ', Style{})
		x = g.TextFit(x+gap, 0, room, th, FitTitle(b.Title, room), style)
	}
	if x < w-1 {
		g.Set(x, 0, ' ', Style{})
		x++
	}
	return x
}

// FitTitle is as much of a title as there is room for: without its last clauses, which begin after a semicolon or a
// comma, then without its last words. A first word that is too long is left to be cut.
func FitTitle(title string, room int) string {
	fits := func(s string) bool { return Width(s) <= room }
	for _, mark := range [...]string{"; ", ", ", " "} {
		for !fits(title) {
			i := strings.LastIndex(title, mark)
			if i <= 0 {
				break
			}
			title = title[:i]
		}
	}
	return title
}

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
