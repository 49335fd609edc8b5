package chart

// A span is a part of a path: between two places on X it has the values from Lo to Hi.
type span struct{ x0, x1, lo, hi float64 }

// path draws n spans in the order of X. A column of dots has the least and the greatest of the
// values in it, and is joined to the column before. Values beyond the window are drawn at its
// edge. A span whose values are not finite breaks the path.
func (b *Braille) path(n int, at func(i int) span, pen Pen) {
	w, h := b.Dots()
	if b.kx == 0 || w == 0 || h == 0 {
		return
	}
	row := func(v float64) int { return toDot((b.win.Y.Hi-v)*b.ky, h) }
	col := func(x float64) int {
		return int(min(max((x-b.win.X.Lo)*b.kx, -1), float64(w)))
	}
	type column struct{ x, top, low int }
	const none = -2
	now, last := column{x: none}, column{x: none}
	flush := func() {
		if now.x == none {
			return
		}
		b.run = 0
		c := now
		if last.x != none {
			// The way from the column before, without its dot.
			from := min(max(now.top, last.top), last.low)
			to := min(max(from, now.top), now.low)
			switch apart := now.x - last.x; {
			case apart == 1:
				c.top, c.low = min(c.top, last.low+1), max(c.low, last.top-1)
			case last.x >= 0 && last.x < w && now.x >= 0 && now.x < w:
				b.bresenham(last.x, from, now.x, to, &pen)
			}
		}
		if c.x >= 0 && c.x < w {
			b.bresenham(c.x, c.top, c.x, c.low, &pen)
		}
		last, now = now, column{x: none}
	}
	for i := range n {
		s := at(i)
		if !finite(s.lo) || !finite(s.hi) {
			flush()
			last = column{x: none}
			continue
		}
		from, to, top, low := col(s.x0), col(s.x1), row(s.hi), row(s.lo)
		for x := from; x <= to; x++ {
			if x != now.x {
				flush()
				now = column{x, top, low}
			}
			now.top, now.low = min(now.top, top), max(now.low, low)
		}
	}
	flush()
}

// Draws draws values at places from one on, so far apart.
func (b *Braille) Draws(from, apart float64, ys []float64, pen Pen) {
	b.path(len(ys), func(i int) span {
		x := from + float64(i)*apart
		return span{x, x, ys[i], ys[i]}
	}, pen)
}
