package metrics

import "math"

// The sums below have partial sums, which take the numbers by turns. So AVX2 does several at a
// time, and its bits are those of the generic code: products are rounded before they are added.

// less sets dst to x - s.
func less(dst, x []float64, s float64) {
	dst = dst[:len(x)]
	if n := len(x) &^ 3; vectors() && n > 0 {
		lessVectors(&dst[0], &x[0], n, s)
		dst, x = dst[n:], x[n:]
	}
	for t, v := range x {
		dst[t] = v - s
	}
}

// halve sets dst to the averages of successive pairs of x; dst may be the first half of x.
func halve(dst, x []float64) {
	x = x[:2*len(dst)]
	if n := len(dst) &^ 3; vectors() && n > 0 {
		halveVectors(&dst[0], &x[0], n)
		dst, x = dst[n:], x[2*n:]
	}
	for len(dst) > 0 && len(x) >= 2 {
		dst[0] = 0.5 * (x[0] + x[1])
		dst, x = dst[1:], x[2:]
	}
}

// sum adds x in eight partial sums. The order depends on len(x) alone.
func sum(x []float64) float64 {
	var s [8]float64
	if n := len(x) &^ 7; vectors() && n > 0 {
		sumVectors(&s, &x[0], n)
		x = x[n:]
	}
	for t, v := range x {
		s[t%8] += v
	}
	return total8(s[:])
}

func total4(s []float64) float64 { return (s[0] + s[1]) + (s[2] + s[3]) }

func total8(s []float64) float64 {
	return ((s[0] + s[4]) + (s[1] + s[5])) + ((s[2] + s[6]) + (s[3] + s[7]))
}

// Extent returns the least and the greatest of the numbers in x, and their sum. A NaN is neither
// of them, and makes the sum NaN. Of no numbers they are ∞, -∞ and 0.
func Extent(x []float64) (lo, hi, sum float64) {
	s := [10]float64{8: math.Inf(1), 9: math.Inf(-1)}
	if n := len(x) &^ 7; vectors() && n > 0 {
		extentVectors(&s, &x[0], n)
		x = x[n:]
	}
	lo, hi = s[8], s[9]
	for t, v := range x {
		s[t%8] += v
		if v < lo {
			lo = v
		}
		if v > hi {
			hi = v
		}
	}
	return lo, hi, total8(s[:])
}

// weightedSums returns Σ w, Σ w², Σ w x and Σ w y.
func weightedSums(w, x, y []float64) (s, s2, sx, sy float64) {
	x, y = x[:len(w)], y[:len(w)]
	var a [16]float64
	if n := len(w) &^ 3; vectors() && n > 0 {
		weightedSumsVectors(&a, &w[0], &x[0], &y[0], n)
		w, x, y = w[n:], x[n:], y[n:]
	}
	for t, v := range w {
		i := t % 4
		a[i] += v
		a[4+i] += float64(v * v)
		a[8+i] += float64(v * x[t])
		a[12+i] += float64(v * y[t])
	}
	return total4(a[:]), total4(a[4:]), total4(a[8:]), total4(a[12:])
}

// centre takes the means mx, my off x and y into dx, dy, multiplies them by the weights into wx, wy, and returns
// Σ w dx², Σ w dx dy and Σ w dy².
func centre(dx, dy, wx, wy, w, x, y []float64, mx, my float64) (xx, xy, yy float64) {
	n := len(w)
	dx, dy, wx, wy, x, y = dx[:n], dy[:n], wx[:n], wy[:n], x[:n], y[:n]
	var a [12]float64
	if n := n &^ 3; vectors() && n > 0 {
		centreVectors(&a, &dx[0], &dy[0], &wx[0], &wy[0], &w[0], &x[0], &y[0], n, mx, my)
		dx, dy, wx, wy, w, x, y = dx[n:], dy[n:], wx[n:], wy[n:], w[n:], x[n:], y[n:]
	}
	for t, v := range w {
		i := t % 4
		cx, cy := x[t]-mx, y[t]-my
		vx, vy := v*cx, v*cy
		dx[t], dy[t], wx[t], wy[t] = cx, cy, vx, vy
		a[i] += float64(vx * cx)
		a[4+i] += float64(vy * cx)
		a[8+i] += float64(vy * cy)
	}
	return total4(a[:]), total4(a[4:]), total4(a[8:])
}

// products returns the four inner products a·x, a·y, b·x and b·y.
func products(a, b, x, y []float64) (ax, ay, bx, by float64) {
	b, x, y = b[:len(a)], x[:len(a)], y[:len(a)]
	var s [16]float64
	if n := len(a) &^ 3; vectors() && n > 0 {
		productsVectors(&s, &a[0], &b[0], &x[0], &y[0], n)
		a, b, x, y = a[n:], b[n:], x[n:], y[n:]
	}
	for t, u := range a {
		i := t % 4
		v, p, q := b[t], x[t], y[t]
		s[i] += float64(u * p)
		s[4+i] += float64(u * q)
		s[8+i] += float64(v * p)
		s[12+i] += float64(v * q)
	}
	return total4(s[:]), total4(s[4:]), total4(s[8:]), total4(s[12:])
}
