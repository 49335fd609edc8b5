package plane

import (
	"strings"
	"unicode"
	"unicode/utf8"

	"github.com/clipperhouse/displaywidth"

	"github.com/psgld/psgld-tui/targets/tool/printable"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Region is a window on a plane with its own origin. Whatever is drawn outside it is dropped. It is a small value that
// shares the plane's cells; the zero Region is empty and takes any drawing.
type Region struct {
	p    *Plane
	rect Rect // in the plane, and wholly inside it
}

// Size returns the width and height in cells.
func (g Region) Size() (w, h int) { return g.rect.W, g.rect.H }

// W returns the width in cells.
func (g Region) W() int { return g.rect.W }

// H returns the height in cells.
func (g Region) H() int { return g.rect.H }

// Empty reports whether the region has no cell.
func (g Region) Empty() bool { return g.rect.Empty() }

// Rect returns the region's place in its plane; for hit tests of the mouse.
func (g Region) Rect() Rect { return g.rect }

// Bounds returns the region in its own coordinates, from (0, 0).
func (g Region) Bounds() Rect { return Rect{0, 0, g.rect.W, g.rect.H} }

// Sub returns the part of the region inside r, which is in the region's coordinates. The part outside the region is cut
// off, so the new origin is the first visible cell.
func (g Region) Sub(r Rect) Region {
	r.X += g.rect.X
	r.Y += g.rect.Y
	return Region{p: g.p, rect: r.Intersect(g.rect)}
}

// Place is Sub for a rect in cells of the plane.
func (g Region) Place(r Rect) Region { return Region{p: g.p, rect: r.Intersect(g.rect)} }

// Row returns row y as a region; an empty one when y is outside.
func (g Region) Row(y int) Region { return g.Sub(Rect{0, y, g.rect.W, 1}) }

// Pad takes cells off the top, right, bottom and left.
func (g Region) Pad(top, right, bottom, left int) Region {
	return g.Sub(g.Bounds().Pad(top, right, bottom, left))
}

// Set puts one rune at (x, y). What is not printable is drawn as '·', a rune
// without width as a blank, and a wide rune that does not fit as a blank.
func (g Region) Set(x, y int, r rune, s Style) {
	if x < 0 || y < 0 || x >= g.rect.W || y >= g.rect.H {
		return
	}
	width := 1
	switch {
	case r == ' ':
		r = 0
	case isCommon(r):
	default:
		r, width = normal(r)
		if width == 2 && x+1 >= g.rect.W {
			r, width = 0, 1
		}
	}
	g.p.put(g.rect.X+x, g.rect.Y+y, r, width, s)
}

// normal replaces what cannot be drawn and returns the width, 1 or 2.
func normal(r rune) (rune, int) {
	if r <= 0 {
		return 0, 1
	}
	if !utf8.ValidRune(r) || joins(r) {
		return utf8.RuneError, 1
	}
	if !printable.Is(r) {
		return printable.Mask, 1
	}
	if w := displaywidth.Rune(r); w == 1 || w == 2 {
		return r, w
	}
	return 0, 1
}

// joins reports runes that would merge with a neighbouring cell's character on the screen when they stand alone: marks,
// letters that go before another, regional indicators, skin tones, and Hangul vowels and finals.
func joins(r rune) bool {
	return isMark(r) || r >= 0x1f1e6 && r <= 0x1f1ff || r >= 0x1f3fb && r <= 0x1f3ff ||
		r >= 0x1160 && r <= 0x11ff || r >= 0xd7b0 && r <= 0xd7ff
}

// isMark reports combining marks of any width and letters that precede the base of a
// grapheme cluster (Unicode's GCB=Prepend; format characters among them have no width).
func isMark(r rune) bool {
	if r < 0x300 || r >= 0x2100 && r < 0x2c00 { // the common case
		return false
	}
	switch r {
	case 0x0d4e, 0x111c2, 0x111c3, 0x113d1, 0x1193f, 0x11941, 0x11a3a, 0x11d46, 0x11f02:
		return true
	}
	return r >= 0x11a84 && r <= 0x11a89 || unicode.Is(unicode.M, r)
}

// Restyle changes the style of a cell and keeps its character, which shows even where there was an image.
func (g Region) Restyle(x, y int, s Style) {
	if c := g.cell(x, y); c != nil {
		c.style, c.image = s, 0
	}
}

// cell is that at (x, y), nil outside.
func (g Region) cell(x, y int) *cell {
	if x < 0 || y < 0 || x >= g.rect.W || y >= g.rect.H {
		return nil
	}
	return &g.p.cells[(g.rect.Y+y)*g.p.w+g.rect.X+x]
}

// At returns the rune at (x, y): 0 for a blank and outside.
func (g Region) At(x, y int) rune {
	if c := g.cell(x, y); c != nil {
		return c.r
	}
	return 0
}

// Fill sets every cell to r.
func (g Region) Fill(r rune, s Style) {
	for y := range g.rect.H {
		for x := 0; x < g.rect.W; x++ {
			g.Set(x, y, r, s)
		}
	}
}

// Highlight lays a background and attributes under the region's characters, as for the selected row of a list. It keeps
// foreground colours unless the style is reversed.
func (g Region) Highlight(s Style) {
	for y := range g.rect.H {
		row := g.p.cells[(g.rect.Y+y)*g.p.w+g.rect.X:][:g.rect.W]
		for x := range row {
			row[x].style = row[x].style.On(s)
		}
	}
}

// Text writes one line of text at (x, y) and returns the column after it, cut at the region's edge. An ASCII plane
// spells it out (Spell). What is not printable, tabs and newlines among them, is drawn as '·'; grapheme clusters take
// their display width.
func (g Region) Text(x, y int, text string, s Style) int {
	text = g.Spell(text)
	if y < 0 || y >= g.rect.H {
		return x + Width(text)
	}
	_, rest := common(text)
	for _, r := range text[:len(text)-len(rest)] {
		g.Set(x, y, r, s)
		x++
	}
	for it := displaywidth.StringGraphemes(rest); it.Next(); {
		v := it.Value()
		r, width := glyphOf(v, it.Width())
		switch {
		case width == 0: // a lone mark or format character has nothing to sit on
		case r >= 0:
			g.Set(x, y, r, s)
		case x >= 0 && x+width <= g.rect.W:
			g.p.put(g.rect.X+x, g.rect.Y+y, g.p.intern(v), width, s)
		default:
			g.HLine(x, y, width, ' ', s)
		}
		x += width
	}
	return x
}

// glyphOf says what to draw for a grapheme cluster of a display width: a single rune, or -1 for the cluster itself, and
// the cells that it takes. What is not text is replaced, and so is what would join the next cell's character on the
// screen.
func glyphOf(v string, width int) (r rune, cells int) {
	r, n := utf8.DecodeRuneInString(v)
	switch {
	case !printable.Is(r): // CR LF is one cluster
		return printable.Mask, 1
	case n == len(v) && width == 0 && r != utf8.RuneError:
		return 0, 0
	case n == len(v):
		return normal(r)
	case width == 0:
		return 0, 0
	case !utf8.ValidString(v) || strings.HasSuffix(v, "\u200d") || isMark(r) || !printable.All(v):
		return utf8.RuneError, 1
	}
	return -1, width
}

// TextRight writes text so that it ends before column x.
func (g Region) TextRight(x, y int, text string, s Style) {
	text = g.Spell(text)
	g.Text(x-Width(text), y, text, s)
}

// TextCenter writes text in the middle of row y.
func (g Region) TextCenter(y int, text string, s Style) {
	text = g.Spell(text)
	g.Text(max((g.rect.W-Width(text))/2, 0), y, text, s)
}

// TextFit writes text in at most width cells, with an ellipsis where it is cut, and returns the column after it.
func (g Region) TextFit(x, y, width int, th theme.Theme, text string, s Style) int {
	width = min(width, g.rect.W-x)
	if width <= 0 {
		return x
	}
	text = g.Spell(text)
	if Width(text) <= width {
		return g.Text(x, y, text, s)
	}
	cut := g.Sub(Rect{x, y, width - 1, 1})
	if x >= 0 {
		cut.Text(0, 0, text, s)
	}
	g.Set(x+width-1, y, th.Glyphs.Ellipsis, s)
	return x + width
}

// HLine draws a rune n times to the right of (x, y).
func (g Region) HLine(x, y, n int, r rune, s Style) {
	for i := max(0, -x); i < n && x+i < g.rect.W; i++ {
		g.Set(x+i, y, r, s)
	}
}

// VLine draws a rune n times down from (x, y).
func (g Region) VLine(x, y, n int, r rune, s Style) {
	for i := max(0, -y); i < n && y+i < g.rect.H; i++ {
		g.Set(x, y+i, r, s)
	}
}

// Width is the number of cells that Text uses for a line of text.
func Width(text string) int {
	n, rest := common(text)
	for it := displaywidth.StringGraphemes(rest); it.Next(); {
		_, cells := glyphOf(it.Value(), it.Width())
		n += cells
	}
	return n
}

// Tail is the end of a line of text, as much of it as Text draws in width cells.
func Tail(text string, width int) string {
	over, at := Width(text)-width, 0
	for it := displaywidth.StringGraphemes(text); over > 0 && it.Next(); at += len(it.Value()) {
		_, cells := glyphOf(it.Value(), it.Width())
		over -= cells
	}
	return text[at:]
}

// StyleAt returns the style at (x, y): the zero style outside.
func (g Region) StyleAt(x, y int) Style {
	if c := g.cell(x, y); c != nil {
		return c.style
	}
	return Style{}
}

// Wrap breaks a text at its blanks into lines of a width at most. A word that is wider than that has a line of its own.
// ansi.Wordwrap would break formulas at their minus signs too.
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

// Copy draws the upper left part of a plane, as large as there is room for, without its images, zones and titles.
func (g Region) Copy(from *Plane) {
	for y := range min(from.h, g.rect.H) {
		for x := range min(from.w, g.rect.W) {
			c := &from.cells[y*from.w+x]
			if c.r == trailing {
				continue
			}
			r, width := c.r, 1
			if x+1 < from.w && from.cells[y*from.w+x+1].r == trailing {
				if width = 2; x+1 >= g.rect.W {
					r, width = 0, 1
				}
			}
			if r < trailing {
				r = g.p.intern(from.long[trailing-1-r])
			}
			g.p.put(g.rect.X+x, g.rect.Y+y, r, width, c.style)
		}
	}
}
