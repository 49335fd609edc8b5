package chart

import "math"

// A span is a part of a path: between two places along it it has the values from lo to hi.
type span struct{ x0, x1, lo, hi float64 }

// path draws n spans in their order along X, or downwards with the values along X. A line of dots
// across the path has the least and the greatest of the values there, and is joined to the one
// before. Values beyond the window are drawn at its edge. A span whose values are not finite
// breaks the path.
func (b *Braille) path(n int, at func(i int) span, down bool, pen Pen) {
	w, h := b.Dots()
	if b.kx == 0 || w == 0 || h == 0 {
		return
	}
	long := w
	place := func(x float64) int { return int(min(max(math.Floor((x-b.win.X.Lo)*b.kx), -1), float64(w))) }
	value := func(v float64) int { return toDot((b.win.Y.Hi-v)*b.ky, h) }
	line := func(x0, y0, x1, y1 int) { b.bresenham(x0, y0, x1, y1, &pen) }
	if down {
		place = func(y float64) int { return int(min(max(math.Floor((b.win.Y.Hi-y)*b.ky), -1), float64(h))) }
		value = func(v float64) int { return toDot((b.win.X.Lo-v)*-b.kx, w) }
		line = func(x0, y0, x1, y1 int) { b.bresenham(y0, x0, y1, x1, &pen) }
		long = h
	}
	type across struct{ x, from, to int }
	const none = -2
	now, last := across{x: none}, across{x: none}
	flush := func() {
		if now.x == none {
			return
		}
		b.run = 0
		c := now
		if last.x != none {
			switch apart := now.x - last.x; {
			case apart == 1: // the way from the one before, without its dot
				c.from, c.to = min(c.from, last.to+1), max(c.to, last.from-1)
			case last.x >= 0 && last.x < long && now.x >= 0 && now.x < long:
				from := min(max(now.from, last.from), last.to)
				line(last.x, from, now.x, min(max(from, now.from), now.to))
			}
		}
		if c.x >= 0 && c.x < long {
			line(c.x, c.from, c.x, c.to)
		}
		last, now = now, across{x: none}
	}
	for i := range n {
		s := at(i)
		if !finite(s.lo) || !finite(s.hi) {
			flush()
			last = across{x: none}
			continue
		}
		a, b := value(s.lo), value(s.hi)
		a, b = min(a, b), max(a, b)
		for x, to := place(s.x0), place(s.x1); x <= to; x++ {
			if x != now.x {
				flush()
				now = across{x, a, b}
			}
			now.from, now.to = min(now.from, a), max(now.to, b)
		}
	}
	flush()
}

// Draws draws values at places on X from one on, so far apart.
func (b *Braille) Draws(from, apart float64, ys []float64, pen Pen) {
	b.path(len(ys), func(i int) span {
		x := from + float64(i)*apart
		return span{x, x, ys[i], ys[i]}
	}, false, pen)
}

// DrawsDown draws values along X, each below the one before, from a place on Y on, so far apart.
func (b *Braille) DrawsDown(from, apart float64, xs []float64, pen Pen) {
	b.path(len(xs), func(i int) span {
		y := from - float64(i)*apart
		return span{y, y, xs[i], xs[i]}
	}, true, pen)
}
