package chart

import "math"

// The measures of an arrow in dots: how long and how wide its head is on each
// side, and the length below which it is a dot without a direction.
const (
	headLength = 4
	headWidth  = 2
	leastArrow = 2.5
)

// Arrow draws an arrow from (x0, y0) to (x1, y1) and reports whether it is long
// enough to have a direction; a shorter one is a dot at its end, drawn thick. The
// head is as large as the shaft has room for. Both are clipped at the canvas's
// edge, so that an arrow that leaves it has no head. In ASCII the head is one of
// ^ v < >, as the shaft runs on the screen.
func (b *Braille) Arrow(x0, y0, x1, y1 float64, pen Pen) bool {
	ax, ay := b.dots(x0, y0)
	bx, by := b.dots(x1, y1)
	b.run = 0
	if pen.Layer == 0 {
		pen.Layer = LayerArrow
	}
	dx, dy := bx-ax, by-ay
	long := math.Hypot(dx, dy)
	least := leastArrow
	if b.ascii {
		least = 1
	}
	if !(long >= least) || math.IsInf(long, 0) {
		if finite(long) {
			pen.Thick, pen.Dash = true, 0
			b.Point(x1, y1, pen)
		}
		return false
	}
	b.segment(ax, ay, bx, by, pen)
	if b.ascii {
		b.asciiHead(bx, by, dx, dy, pen)
		return true
	}
	// A head with a soft edge: its two sides and the middle of its base, so that it
	// reads as a filled triangle at this size.
	ux, uy := dx/long, dy/long
	n := min(headLength, 0.6*long)
	wide := min(headWidth, 0.4*long)
	pen.Dash = 0
	for _, side := range [...]float64{-wide, -wide / 2, wide / 2, wide} {
		b.segment(bx, by, bx-n*ux-side*uy, by-n*uy+side*ux, pen)
	}
	return true
}

// asciiHead puts the head's character in the cell of the tip. A cell is twice as
// high as it is wide.
func (b *Braille) asciiHead(x, y, dx, dy float64, pen Pen) {
	w, h := b.Dots()
	if !(x >= 0 && x <= float64(w) && y >= 0 && y <= float64(h)) || w == 0 || h == 0 {
		return
	}
	head := '>'
	switch {
	case 2*math.Abs(dy) > math.Abs(dx) && dy < 0:
		head = '^'
	case 2*math.Abs(dy) > math.Abs(dx):
		head = 'v'
	case dx < 0:
		head = '<'
	}
	c := &b.cells[min(int(y), h-1)*b.cols+min(int(x), w-1)]
	if b.take(c, pen) {
		c.glyph = head
	}
}
