package chart

import "math"

// A path is drawn along X, or downwards with its values along X. A line of dots across it has the least and the
// greatest of the values there, and is joined to the one before. Values beyond the window are drawn at its edge.
type path struct {
	*Braille
	pen       Pen
	down      bool
	now, last across
}

// An across is the dots of a path on a line across it.
type across struct{ x, from, to int }

// nowhere is a line before all others, which has no neighbour on the canvas.
const nowhere = -3

func (b *Braille) path(down bool, pen Pen) path {
	return path{Braille: b, pen: pen, down: down, now: across{x: nowhere}, last: across{x: nowhere}}
}

// place is a place along the path in dots, and their number.
func (p *path) place(x float64) (dot float64, n int) {
	w, h := p.Dots()
	if p.down {
		return (p.win.Y.Hi - x) * p.ky, h
	}
	return (x - p.win.X.Lo) * p.kx, w
}

func (p *path) value(v float64) int {
	w, h := p.Dots()
	if p.down {
		return toDot((v-p.win.X.Lo)*p.kx, w)
	}
	return toDot((p.win.Y.Hi-v)*p.ky, h)
}

// add goes on from one place to another, between which the values are from lo to hi. The path is
// broken where they are not finite.
func (p *path) add(x0, x1, lo, hi float64) {
	w, h := p.Dots()
	if p.kx == 0 || w == 0 || h == 0 {
		return
	}
	if !finite(lo) || !finite(hi) {
		p.end()
		return
	}
	at, n := p.place(x0)
	end, _ := p.place(x1)
	x, to := int(min(max(math.Floor(at), -1), float64(n))), int(min(max(math.Floor(end), -1), float64(n)))
	a, b := p.value(lo), p.value(hi)
	for a, b = min(a, b), max(a, b); x <= to; x++ {
		if x != p.now.x {
			p.flush()
			p.now = across{x, a, b}
		}
		p.now.from, p.now.to = min(p.now.from, a), max(p.now.to, b)
	}
}

// end draws what is left of the path.
func (p *path) end() {
	p.flush()
	p.last = across{x: nowhere}
}

// flush draws the present line across the path, and the way to it.
func (p *path) flush() {
	if p.now.x == nowhere {
		return
	}
	p.run = 0
	c, last := p.now, p.last
	_, n := p.place(0)
	on := func(x int) bool { return x >= 0 && x < n }
	switch {
	case last.x == nowhere:
	case c.x-last.x == 1: // without the dot of the one before
		c.from, c.to = min(c.from, last.to+1), max(c.to, last.from-1)
	case on(last.x) && on(c.x):
		from := min(max(c.from, last.from), last.to)
		p.line(last.x, from, c.x, min(max(from, c.from), c.to))
	}
	if on(c.x) {
		p.line(c.x, c.from, c.x, c.to)
	}
	p.last, p.now = p.now, across{x: nowhere}
}

// line draws a line from dot to dot.
func (p *path) line(x0, y0, x1, y1 int) {
	if p.down {
		x0, y0, x1, y1 = y0, x0, y1, x1
	}
	p.bresenham(x0, y0, x1, y1, &p.pen)
}

// Draws draws values along X at places from one on, so far apart, or down Y with the values along X. Those that share a
// line of dots across the path are taken together.
func (b *Braille) Draws(down bool, from, apart float64, vs []float64, pen Pen) {
	p := b.path(down, pen)
	for i := 0; i < len(vs); {
		x, lo, hi := from+float64(i)*apart, vs[i], vs[i]
		dot, _ := p.place(x)
		end := math.Floor(dot) + 1
		for i++; i < len(vs); i++ {
			if dot, _ := p.place(from + float64(i)*apart); !(dot < end) {
				break
			}
			lo, hi = min(lo, vs[i]), max(hi, vs[i])
		}
		p.add(x, x, lo, hi)
	}
	p.end()
}
