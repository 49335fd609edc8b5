package record

import "math"

// The size of a cell in units: a pixel of a picture at scale 1. A cell is twice as high as it is wide, so that the dots
// of braille are evenly apart in both directions, across cells too.
const cellW, cellH = 9.0, 18.0

// A pen draws the parts of a character in units of its cell, from the upper left.
type pen struct {
	// rect fills a rectangle, alpha of it opaque.
	rect func(x, y, w, h, alpha float64)
	// dot fills a circle.
	dot func(x, y, r float64)
	// path fills the inside of closed lines by the nonzero rule.
	path func(p path)
}

// shape draws a character that is drawn as geometry, and reports whether it is one.
func shape(r rune, p pen) bool {
	if r < 0x2000 {
		return false // quickly, for most of a screen
	}
	if a, ok := arms(r); ok {
		box(func(x, y, w, h float64) { p.rect(x, y, w, h, 1) }, a)
		return true
	}
	switch {
	case r >= 0x2800 && r <= 0x28ff:
		braille(int(r-0x2800), p)
	case r >= 0x2580 && r <= 0x259f:
		block(r, p)
	case r >= 0x2500 && r <= 0x257f:
		return odd(r, p)
	default:
		return symbol(r, p)
	}
	return true
}

// braille draws up to eight dots. The bits go down the left column, then down the
// right one, but for the lowest row, which was added later (Unicode, 22.2).
func braille(bits int, p pen) {
	for i, at := range [8][2]float64{{0, 0}, {0, 1}, {0, 2}, {1, 0}, {1, 1}, {1, 2}, {0, 3}, {1, 3}} {
		if bits>>i&1 != 0 {
			p.dot((at[0]+0.5)*cellW/2, (at[1]+0.5)*cellH/4, 1.55)
		}
	}
}

func block(r rune, p pen) {
	const w, h = cellW, cellH
	switch {
	case r == '▀':
		p.rect(0, 0, w, h/2, 1)
	case r >= '▁' && r <= '█':
		k := float64(r-'▁'+1) / 8
		p.rect(0, h*(1-k), w, h*k, 1)
	case r >= '▉' && r <= '▏':
		p.rect(0, 0, w*float64('▏'-r+1)/8, h, 1)
	case r == '▐':
		p.rect(w/2, 0, w/2, h, 1)
	case r >= '░' && r <= '▓':
		p.rect(0, 0, w, h, float64(r-'░'+1)/4)
	case r == '▔':
		p.rect(0, 0, w, h/8, 1)
	case r == '▕':
		p.rect(w*7/8, 0, w/8, h, 1)
	default:
		// The quadrants U+2596 to U+259F, a bit each: upper left and right, lower left and right.
		for i := range 4 {
			if [...]int{4, 8, 1, 1 | 4 | 8, 1 | 8, 1 | 2 | 4, 1 | 2 | 8, 2, 2 | 4, 2 | 4 | 8}[r-'▖']>>i&1 != 0 {
				p.rect(w/2*float64(i%2), h/2*float64(i/2), w/2, h/2, 1)
			}
		}
	}
}

// odd draws the box drawings that are not made of arms: dashes, round corners and diagonals.
func odd(r rune, p pen) bool {
	// Dashes come in groups of four: light and heavy ones across, light and heavy ones down.
	if n := map[rune]float64{'╌': 2, '┄': 3, '┈': 4}[r&^3]; n > 0 {
		dashes(n, []float64{thick, heavy}[r&1], r&2 != 0, p)
		return true
	}
	if side, ok := map[rune][2]float64{'╭': {1, 1}, '╮': {-1, 1}, '╯': {-1, -1}, '╰': {1, -1}}[r]; ok {
		p.path(roundCorner(side[0], side[1]))
		return true
	}
	rising, falling := r == '╱' || r == '╳', r == '╲' || r == '╳'
	if rising {
		p.path(stroke(0, cellH, cellW, 0, thick))
	}
	if falling {
		p.path(stroke(0, 0, cellW, cellH, thick))
	}
	return rising || falling
}

// dashes draws n dashes of a width through the cell's middle.
func dashes(n, width float64, down bool, p pen) {
	for i := range int(n) {
		from := float64(i) + 0.2
		if down {
			p.rect(midX-width/2, from*(cellH/n), width, 0.6*(cellH/n), 1)
		} else {
			p.rect(from*(cellW/n), midY-width/2, 0.6*(cellW/n), width, 1)
		}
	}
}

// roundCorner is a quarter of a ring from the middle of a side to that of the
// lower or upper edge; sx and sy say to which.
func roundCorner(sx, sy float64) path {
	const r = cellW / 2
	at := func(x, y float64) (float64, float64) { return midX + sx*x, midY + sy*y }
	end := cellH - midY
	if sy < 0 {
		end = midY
	}
	var p path
	// In coordinates with the origin in the cell's middle, the ring's centre is
	// at (r, r), and the ring goes on straight down to the edge.
	p.move(at(-0.5*thick, end))
	p.line(at(-0.5*thick, r))
	k := kappa * (r + 0.5*thick)
	x1, y1 := at(-0.5*thick, r-k)
	x2, y2 := at(r-k, -0.5*thick)
	x3, y3 := at(r, -0.5*thick)
	p.curve(x1, y1, x2, y2, x3, y3)
	p.line(at(r, 0.5*thick))
	k = kappa * (r - 0.5*thick)
	x1, y1 = at(r-k, 0.5*thick)
	x2, y2 = at(0.5*thick, r-k)
	x3, y3 = at(0.5*thick, r)
	p.curve(x1, y1, x2, y2, x3, y3)
	p.line(at(0.5*thick, end))
	return p
}

// stroke is a straight line of a width.
func stroke(x0, y0, x1, y1, width float64) path {
	d := math.Hypot(x1-x0, y1-y0)
	dx, dy := width/2*(y1-y0)/d, -width/2*(x1-x0)/d
	return polygon(x0+dx, y0+dy, x1+dx, y1+dy, x1-dx, y1-dy, x0-dx, y0-dy)
}

// symbol draws the marks of lanes, lists and phases, which fonts have in very
// different sizes, some of them in colours of their own.
func symbol(r rune, p pen) bool {
	const x, y = midX, midY
	switch r {
	case '●':
		p.dot(x, y, 3.7)
	case '•':
		p.dot(x, y, 2.2)
	case '○':
		p.path(ring(x, y, 3.6, 2.5))
	case '∘':
		p.path(ring(x, y, 2.3, 1.3))
	case '■':
		p.rect(1, 6, 7, 7, 1)
	case '‖':
		p.rect(2, 4, 1, 11, 1)
		p.rect(6, 4, 1, 11, 1)
	case '✗':
		p.path(stroke(x-3.2, y-3.6, x+3.2, y+3.6, 1.5))
		p.path(stroke(x-3.2, y+3.6, x+3.2, y-3.6, 1.5))
	default:
		at, ok := symbols[r]
		if ok {
			p.path(polygon(at...).moved(x, y))
		}
		return ok
	}
	return true
}

// symbols are the corners of those that are polygons, about the middle of the cell.
var symbols = map[rune][]float64{
	'◆': {0, -4.4, 4.4, 0, 0, 4.4, -4.4, 0},
	'▲': {0, -4, 4.2, 3.4, -4.2, 3.4},
	'▶': {4, 0, -3.6, 4.3, -3.6, -4.3},
	'◀': {-4, 0, 3.6, -4.3, 3.6, 4.3},
	'▸': {2.8, 0, -2.2, 2.9, -2.2, -2.9},
	'✓': {-3.8, 0.6, -2.7, -0.4, -1, 1.6, 3, -4.2, 4.1, -3.4, -0.9, 3.9},
}
