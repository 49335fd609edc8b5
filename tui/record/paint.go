package record

import (
	"unicode/utf8"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Options are how a picture looks.
type Options struct {
	// Title names the picture, and stands on its window.
	Title string
	// Window draws the edge and the bar of a window around the screen.
	Window bool
	// Ink and Ground are the colours of text and background that have none of their own.
	Ink, Ground theme.Color
}

// Like returns the Options of a picture of a screen with a theme.
func Like(th theme.Theme) Options {
	full := theme.New(th.Dark, false, false)
	return Options{Ink: full.Text.FG, Ground: full.Ground}
}

// The edges around the cells, in units.
const (
	margin       = cellW // of a bare screen
	windowMargin = 14.0
	barHeight    = 34.0
	radius       = 9.0
)

// layout is where the cells are in the picture.
type layout struct{ w, h, x, y float64 }

func (o *Options) layout(g *Grid) layout {
	w, h := float64(g.W)*cellW, float64(g.H)*cellH
	if o.Window {
		return layout{w + 2*windowMargin, h + windowMargin + barHeight, windowMargin, barHeight}
	}
	return layout{w + 2*margin, h + 2*margin, margin, margin}
}

// A canvas is what pictures are painted on, in units. Whatever is painted later
// is above, but for what does not overlap.
type canvas interface {
	// ground fills a rectangle or a path behind everything else.
	ground(p path, c theme.Color)
	back(x, y, w, h float64, c theme.Color)
	rect(x, y, w, h float64, c theme.Color, alpha float64)
	dot(x, y, r float64, c theme.Color)
	path(p path, c theme.Color)
	// text writes characters of one cell each, or one of so many cells. (x, y) is the upper left of the first cell.
	text(x, y float64, cells int, s string, a theme.Attr, c theme.Color)
}

// paint draws the window, the backgrounds and the characters.
func (g *Grid) paint(c canvas, o Options) {
	at := o.layout(g)
	if o.Window {
		o.window(c, at)
	} else {
		c.ground(polygon(0, 0, at.w, 0, at.w, at.h, 0, at.h), o.Ground)
	}
	for y := range g.H {
		row := g.Cells[y*g.W:][:g.W]
		top := at.y + float64(y)*cellH
		for x := 0; x < len(row); {
			_, bg := o.colors(row[x].Style)
			end := x + 1
			for end < len(row) {
				if _, b := o.colors(row[end].Style); b != bg {
					break
				}
				end++
			}
			if bg != o.Ground {
				c.back(at.x+float64(x)*cellW, top, float64(end-x)*cellW, cellH, bg)
			}
			x = end
		}
		g.paintRow(c, o, row, at.x, top)
	}
}

func (o *Options) window(c canvas, at layout) {
	edge := o.Ground.Blend(o.Ink, 0.22)
	c.ground(rounded(0, 0, at.w, at.h, radius), edge)
	c.ground(rounded(1, 1, at.w-2, at.h-2, radius-1), o.Ground)
	y := barHeight / 2
	for i := range 3 {
		c.dot(20+float64(i)*16, y, 4.5, o.Ground.Blend(o.Ink, 0.25))
	}
	// The title is cut where it would meet the buttons.
	line := plane.NewPlane(int(max(at.w/cellW-16, 0)), 1)
	n := line.Region().Text(0, 0, o.Title, theme.Style{FG: o.Ink.Blend(o.Ground, 0.4)})
	title := Of(line)
	n = min(n, title.W)
	title.paintRow(c, *o, title.Cells[:n], (at.w-float64(n)*cellW)/2, y-cellH/2)
}

// paintRow draws the characters of a row: geometry, runs of characters that every font has, and the others one by one.
func (g *Grid) paintRow(c canvas, o Options, row []Cell, left, top float64) {
	for x := 0; x < len(row); {
		s := row[x].Style
		ink, _ := o.colors(s)
		end := x + 1
		for end < len(row) && row[end].Style == s {
			end++
		}
		if s.Attr&theme.Underline != 0 {
			c.rect(left+float64(x)*cellW, top+16, float64(end-x)*cellW, 1, ink, 1)
		}
		for x < end {
			at := left + float64(x)*cellW
			t := row[x].Text
			switch {
			case t == " " || t == "":
				x++
			case plain(t):
				n, text := run(row[x:end])
				c.text(at, top, n, text, s.Attr, ink)
				x += n
			default:
				n := 1
				for x+n < end && row[x+n].Text == "" {
					n++
				}
				r, size := utf8.DecodeRuneInString(t)
				if size != len(t) || !shape(r, penAt(c, at, top, ink)) {
					c.text(at, top, n, t, s.Attr, ink)
				}
				x += n
			}
		}
	}
}

// plain characters have the same width in every font of one width.
func plain(t string) bool {
	r, size := utf8.DecodeRuneInString(t)
	return size == len(t) && r > ' ' && r < 0x100 && r != 0x7f && r != 0xad
}

// run is how many cells from the first on are plain, and their text. Single blanks may stand in it, but not at its end.
func run(row []Cell) (int, string) {
	n := 0
	var text []byte
	for n < len(row) {
		t := row[n].Text
		if !plain(t) && !(t == " " && n+1 < len(row) && plain(row[n+1].Text)) {
			break
		}
		text = append(text, t...)
		n++
	}
	return n, string(text)
}

func penAt(c canvas, left, top float64, ink theme.Color) pen {
	return pen{
		rect: func(x, y, w, h, alpha float64) { c.rect(left+x, top+y, w, h, ink, alpha) },
		dot:  func(x, y, r float64) { c.dot(left+x, top+y, r, ink) },
		path: func(p path) { c.path(p.moved(left, top), ink) },
	}
}

// faintness is how far faint text goes towards its background.
const faintness = 0.45

// colors are a style's colours as they are seen.
func (o *Options) colors(s theme.Style) (ink, ground theme.Color) {
	ink, ground = s.FG, s.BG
	if !ink.IsSet() {
		ink = o.Ink
	}
	if !ground.IsSet() {
		ground = o.Ground
	}
	if s.Attr&theme.Reverse != 0 {
		ink, ground = ground, ink
	}
	if s.Attr&theme.Faint != 0 {
		ink = ink.Blend(ground, faintness)
	}
	return ink, ground
}
