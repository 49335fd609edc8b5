package chart

import (
	"cmp"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

func finite(v float64) bool { return v-v == 0 }

// Layers of a plane of draws, from bottom to top. A cell shows the topmost layer that drew into it and no dot of the
// layers beneath: a contour's dot is never lit in the colour of a draw.
const (
	LayerContour uint8 = iota + 1
	LayerGrid
	LayerPoint
	LayerLine
	LayerTruth // an exact line
	LayerRing  // an outline over all other lines
	LayerArrow
	LayerMark
)

// Pen is how something is drawn on a Braille plane. In a cell that several
// strokes of one layer touch the newest style wins.
type Pen struct {
	Style plane.Style
	Layer uint8 // 0 counts as LayerPoint
	Thick bool  // dots of 2×2, for a projector
	Dash  uint8 // lines and curves: so many dots on, as many off; 0 is solid
	ASCII rune  // the character of a dot in ASCII; 0 for the layer's
}

// dotCell is one character cell of the canvas.
type dotCell struct {
	bits  uint8 // braille pattern, or in ASCII the number of points, capped
	layer uint8
	glyph rune // a mark instead of dots, if not 0
	style plane.Style
	shade plane.Color // of the ground beneath; not set for none
}

// Braille is a canvas of dots over a data window: two by four dots a cell, or one in ASCII. Reset it for each frame,
// draw, then put it on a region with Draw; its storage is reused. The zero value is an empty canvas.
type Braille struct {
	cols, rows int // cells
	sx, sy     int // dots a cell, 2×4 or 1×1
	win        Window
	bendX      Bend // from data to the units of the window
	bendY      Bend
	bent       bool
	kx, ky     float64 // dots per unit
	cells      []dotCell
	ascii      bool
	thick      bool // draws thick all layers above the grid
	run        int  // dots along the current line or curve, for dashes
	// What the ground is, for its pixels: contours, their styles, and the colours between.
	ground  *ContourSet
	lines   []plane.Style
	grounds []plane.Color
}

// Reset blanks the canvas, sizes it to cols×rows cells and sets its window. An
// invalid window leaves a canvas on which nothing shows.
func (b *Braille) Reset(th theme.Theme, cols, rows int, win Window) {
	b.cols, b.rows = max(cols, 0), max(rows, 0)
	b.ascii, b.thick = !th.Glyphs.Braille, th.Thick
	b.sx, b.sy = 2, 4
	if b.ascii {
		b.sx, b.sy = 1, 1
	}
	n := b.cols * b.rows
	if cap(b.cells) < n {
		b.cells = make([]dotCell, n)
	}
	b.cells = b.cells[:n]
	clear(b.cells)
	b.ground, b.lines, b.grounds = nil, nil, nil
	b.win, b.kx, b.ky = win, 0, 0
	b.Bend(Bend{}, Bend{})
	if win.Valid() {
		b.kx = float64(b.cols*b.sx) / win.X.Len()
		b.ky = float64(b.rows*b.sy) / win.Y.Len()
	}
}

// Bend bends the axes for what is drawn next. The window is in the units of the bends.
func (b *Braille) Bend(x, y Bend) { b.bendX, b.bendY, b.bent = x, y, x.Bent() || y.Bent() }

// Dots returns the size of the canvas in dots.
func (b *Braille) Dots() (w, h int) { return b.cols * b.sx, b.rows * b.sy }

// dots maps data to dot coordinates, y down. The result may be far outside or not finite.
func (b *Braille) dots(x, y float64) (float64, float64) {
	if b.bent {
		x, y = b.bendX.To(x), b.bendY.To(y)
	}
	return b.straight(x, y)
}

// straight is dots for data in the units of the window.
func (b *Braille) straight(x, y float64) (float64, float64) {
	return (x - b.win.X.Lo) * b.kx, (b.win.Y.Hi - y) * b.ky
}

// Cell returns the character cell of a data point, for a mark or label beside it, and whether it is on the canvas.
func (b *Braille) Cell(x, y float64) (cx, cy int, ok bool) {
	dx, dy, ok := b.dot(x, y)
	if !ok {
		return 0, 0, false
	}
	return dx / b.sx, dy / b.sy, true
}

// dot maps data to a dot on the canvas. The window's far edges belong to the last dot.
func (b *Braille) dot(x, y float64) (dx, dy int, ok bool) {
	fx, fy := b.straight(x, y)
	if b.bent {
		fx, fy = b.dots(x, y)
	}
	w, h := b.Dots()
	if b.kx == 0 || !(fx >= 0 && fx <= float64(w) && fy >= 0 && fy <= float64(h)) {
		return 0, 0, false
	}
	return min(int(fx), w-1), min(int(fy), h-1), w > 0 && h > 0
}

// braille is the pattern without dots.
const braille = '\u2800'

func isBraille(r rune) bool { return r&^0xff == braille }

// brailleBit maps a dot's place in its cell, row times two plus column, to its bit in the pattern U+2800+bits.
var brailleBit = [8]uint8{0x01, 0x08, 0x02, 0x10, 0x04, 0x20, 0x40, 0x80}

// light lights one dot that is known to be on the canvas.
func (b *Braille) light(dx, dy int, pen *Pen) {
	if b.ascii {
		c := &b.cells[dy*b.cols+dx]
		if b.take(c, pen) {
			c.glyph = pen.ASCII
			if c.bits < 255 {
				c.bits++
			}
		}
		return
	}
	c := &b.cells[(dy>>2)*b.cols+dx>>1]
	if b.take(c, pen) {
		c.bits |= brailleBit[(dy&3)<<1|dx&1]
	}
}

// take makes the cell the pen's, unless a higher layer has it.
func (b *Braille) take(c *dotCell, pen *Pen) bool {
	layer := cmp.Or(pen.Layer, LayerPoint)
	if layer < c.layer {
		return false
	}
	if layer > c.layer {
		c.bits, c.glyph, c.layer = 0, 0, layer
	}
	c.style = pen.Style
	return true
}

// stroke lights one dot, or a block of 2×2 for a thick pen.
func (b *Braille) stroke(dx, dy int, pen *Pen) {
	b.light(dx, dy, pen)
	if b.ascii || !pen.Thick && !(b.thick && (pen.Layer == 0 || pen.Layer >= LayerPoint)) {
		return
	}
	w, h := b.Dots()
	if dx+1 < w {
		b.light(dx+1, dy, pen)
	}
	if dy+1 < h {
		b.light(dx, dy+1, pen)
		if dx+1 < w {
			b.light(dx+1, dy+1, pen)
		}
	}
}

// Point lights the dot at (x, y). A point outside the window or not finite is dropped.
func (b *Braille) Point(x, y float64, pen Pen) {
	if dx, dy, ok := b.dot(x, y); ok {
		b.stroke(dx, dy, &pen)
	}
}

// Points is Point for several points. ys must be as long as xs.
func (b *Braille) Points(xs, ys []float64, pen Pen) {
	for i, x := range xs {
		if dx, dy, ok := b.dot(x, ys[i]); ok {
			b.stroke(dx, dy, &pen)
		}
	}
}

// Mark puts a character at (x, y) and reports whether it is on the canvas.
func (b *Braille) Mark(x, y float64, glyph rune, pen Pen) bool {
	cx, cy, ok := b.Cell(x, y)
	if !ok {
		return false
	}
	pen.Layer = cmp.Or(pen.Layer, LayerMark)
	if c := &b.cells[cy*b.cols+cx]; b.take(c, &pen) {
		c.glyph = glyph
	}
	return true
}

// Draw puts the lit and the shaded cells on a region of the canvas's size. Blank cells leave the region as it is. On a
// plane with images, contours with a shaded ground are one where nothing is over them.
func (b *Braille) Draw(g plane.Region, th theme.Theme) {
	ground, look := b.pixels(g, &th)
	for y := range min(b.rows, g.H()) {
		for x := range min(b.cols, g.W()) {
			c := &b.cells[y*b.cols+x]
			if c.bits == 0 && c.glyph == 0 && !c.shade.IsSet() && !ground.IsShown() {
				continue
			}
			s := c.style
			if shade := b.shadeAt(x, y, ground, &look, &th); shade.IsSet() && !s.BG.IsSet() {
				s.BG = shade
			}
			switch {
			case c.glyph != 0:
				g.Set(x, y, c.glyph, s)
			case c.bits == 0:
				if c.shade.IsSet() && g.At(x, y) == 0 {
					g.Set(x, y, ' ', plane.Style{BG: c.shade})
				}
			case b.ascii:
				g.Set(x, y, asciiDot(th, c), s)
			default:
				g.Set(x, y, braille+rune(c.bits), s)
			}
			if ground.IsShown() && b.ground.cells[y*b.cols+x].inked && c.glyph == 0 && c.layer <= LayerContour &&
				(c.bits != 0 || g.At(x, y) == 0) {
				ground.Piece(x, y)
			}
		}
	}
}

// asciiDot picks the character of a cell without braille.
func asciiDot(th theme.Theme, c *dotCell) rune {
	switch c.layer {
	case LayerContour, LayerGrid:
		return th.Glyphs.DotContour
	case LayerPoint:
		switch {
		case c.bits >= 8:
			return th.Glyphs.DotPoint[2]
		case c.bits >= 3:
			return th.Glyphs.DotPoint[1]
		}
		return th.Glyphs.DotPoint[0]
	}
	return th.Glyphs.DotLine
}
