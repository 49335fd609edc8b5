package chart

import (
	"cmp"
	"math"
)

// Line draws a straight line between two data points, clipped to the window.
// A line with an end that is not finite is dropped.
func (b *Braille) Line(x0, y0, x1, y1 float64, pen Pen) {
	b.run = 0
	b.line(x0, y0, x1, y1, &pen)
}

// line is Line as one piece of a longer curve, whose dashes run on.
func (b *Braille) line(x0, y0, x1, y1 float64, pen *Pen) {
	ax, ay := b.dots(x0, y0)
	bx, by := b.dots(x1, y1)
	b.segment(ax, ay, bx, by, pen)
}

// segment draws between dot coordinates: Liang and Barsky's clipping (1984), so
// that a far end costs nothing, then Bresenham's line.
func (b *Braille) segment(ax, ay, bx, by float64, pen *Pen) {
	w, h := b.Dots()
	if b.kx == 0 || w == 0 || h == 0 {
		return
	}
	dx, dy := bx-ax, by-ay
	if !finite(dx) || !finite(dy) || !finite(ax) || !finite(ay) {
		return
	}
	t0, t1 := 0.0, 1.0
	if !clipSide(-dx, ax, &t0, &t1) || !clipSide(dx, float64(w)-ax, &t0, &t1) ||
		!clipSide(-dy, ay, &t0, &t1) || !clipSide(dy, float64(h)-ay, &t0, &t1) {
		return
	}
	b.bresenham(
		toDot(ax+t0*dx, w), toDot(ay+t0*dy, h),
		toDot(ax+t1*dx, w), toDot(ay+t1*dy, h), pen)
}

// clipSide narrows [t0, t1] to the part of the line on the inner side of one
// edge: p is the speed towards the edge and q the distance to it.
func clipSide(p, q float64, t0, t1 *float64) bool {
	switch {
	case p == 0:
		return q >= 0
	case p < 0:
		*t0 = max(*t0, q/p)
	default:
		*t1 = min(*t1, q/p)
	}
	return *t0 <= *t1
}

// toDot is the dot that holds v, within [0, n).
func toDot(v float64, n int) int {
	return int(min(max(v, 0), float64(n-1)))
}

// bresenham lights the dots from one to the other, both on the canvas. The
// pieces of a curve share their ends, so a shared dot counts once for dashes.
func (b *Braille) bresenham(x0, y0, x1, y1 int, pen *Pen) {
	dx, dy := abs(x1-x0), -abs(y1-y0)
	sx, sy := cmp.Compare(x1, x0), cmp.Compare(y1, y0)
	for e := dx + dy; ; {
		if d := int(pen.Dash); d == 0 || b.run%(2*d) < d {
			b.stroke(x0, y0, pen)
		}
		if x0 == x1 && y0 == y1 {
			return
		}
		b.run++
		e2 := 2 * e
		if e2 >= dy {
			e += dy
			x0 += sx
		}
		if e2 <= dx {
			e += dx
			y0 += sy
		}
	}
}

func abs(n int) int { return max(n, -n) }

// Polyline joins the points in order; a point that is not finite breaks the line.
func (b *Braille) Polyline(xs, ys []float64, pen Pen) {
	b.run = 0
	for i := 1; i < min(len(xs), len(ys)); i++ {
		b.line(xs[i-1], ys[i-1], xs[i], ys[i], &pen)
	}
}

// Ellipse draws the curve (θ-m)ᵀ Σ⁻¹ (θ-m) = k², which for a Gaussian with mean m and covariance Σ is the contour at k
// standard deviations. As a curve it is m + k L (cos t, sin t) with Σ = L Lᵀ. It reports whether Σ is a finite
// covariance, and draws nothing otherwise; a singular Σ gives a line.
func (b *Braille) Ellipse(mean [2]float64, cov [2][2]float64, k float64, pen Pen) bool {
	l, ok := cholesky2(cov)
	if !ok || !finite(mean[0]) || !finite(mean[1]) || !finite(k) {
		return false
	}
	steps := b.arcSteps(l, k)
	px, py := mean[0]+k*l[0], mean[1]+k*l[1]
	b.run = 0
	for i := 1; i <= steps; i++ {
		s, c := math.Sincos(2 * math.Pi * float64(i) / float64(steps))
		x, y := mean[0]+k*l[0]*c, mean[1]+k*(l[1]*c+l[2]*s)
		b.line(px, py, x, y, &pen)
		px, py = x, y
	}
	return true
}

// cholesky2 returns l11, l21, l22 of a 2×2 covariance.
func cholesky2(cov [2][2]float64) (l [3]float64, ok bool) {
	a, c, d := cov[0][0], (cov[0][1]+cov[1][0])/2, cov[1][1]
	if !finite(a) || !finite(c) || !finite(d) || a < 0 || d < 0 {
		return l, false
	}
	if a == 0 {
		return [3]float64{0, 0, math.Sqrt(d)}, c == 0
	}
	l[0] = math.Sqrt(a)
	l[1] = c / l[0]
	rest := d - l[1]*l[1]
	if rest < -1e-9*d {
		return l, false
	}
	l[2] = math.Sqrt(max(rest, 0))
	return l, true
}

// arcSteps is about one segment for every three dots of the ellipse, so that it looks round at any size.
func (b *Braille) arcSteps(l [3]float64, k float64) int {
	r := math.Abs(k) * (math.Abs(l[0])*b.kx + (math.Abs(l[1])+math.Abs(l[2]))*b.ky)
	return int(min(max(2*r, 24), 400))
}

// The measures of an arrow in dots: how long and how wide its head is on each
// side, and the length below which it is a dot without a direction.
const (
	headLength = 4
	headWidth  = 2
	leastArrow = 2.5
)

// Arrow draws an arrow from (x0, y0) to (x1, y1) and reports whether it is long enough to have a direction; a shorter
// one is a dot at its end, drawn thick. The head is as large as the shaft has room for. Both are clipped at the
// canvas's edge, so that an arrow that leaves it has no head. In ASCII the head is one of ^ v < >, as the shaft runs on
// the screen.
func (b *Braille) Arrow(x0, y0, x1, y1 float64, pen Pen) bool {
	ax, ay := b.dots(x0, y0)
	bx, by := b.dots(x1, y1)
	b.run = 0
	pen.Layer = cmp.Or(pen.Layer, LayerArrow)
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
	b.segment(ax, ay, bx, by, &pen)
	if b.ascii {
		b.asciiHead(bx, by, dx, dy, &pen)
		return true
	}
	// A head with a soft edge: its two sides and the middle of its base, so that it
	// reads as a filled triangle at this size.
	ux, uy := dx/long, dy/long
	n := min(headLength, 0.6*long)
	wide := min(headWidth, 0.4*long)
	pen.Dash = 0
	for _, side := range [...]float64{-wide, -wide / 2, wide / 2, wide} {
		b.segment(bx, by, bx-n*ux-side*uy, by-n*uy+side*ux, &pen)
	}
	return true
}

// asciiHead puts the head's character in the cell of the tip. A cell is twice as high as it is wide.
func (b *Braille) asciiHead(x, y, dx, dy float64, pen *Pen) {
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
