package chart

import "math"

// span is a closed interval, empty while lo > hi.
type span struct{ lo, hi float64 }

func (s *span) add(v float64) { s.lo, s.hi = min(s.lo, v), max(s.hi, v) }

func emptySpan() span { return span{math.Inf(1), math.Inf(-1)} }

// extentX finds the range of X that the axis shows and counts the points that
// can be drawn.
func (c *Lines) extentX(series []Series) (xs span, points int) {
	xs = emptySpan()
	for _, s := range series {
		before, after := false, false
		for i := range s.len() {
			x, y := s.x(i), s.Y[i]
			switch {
			case !c.X.has(x) || !c.Y.has(y):
			case c.X.Fix && x < c.X.Lo:
				before = true
			case c.X.Fix && x > c.X.Hi:
				after = true
			default:
				xs.add(x)
				points++
			}
		}
		if before && after { // it goes through the window
			points += 2
		}
	}
	if points > 0 && c.X.Fix && c.X.usable() {
		xs = span{c.X.Lo, c.X.Hi}
	}
	return xs, points
}

// extentY finds the range of Y that the axis shows: that of the curves once
// they are averaged by column, so that one early outlier does not flatten them.
func (c *Lines) extentY() span {
	if c.Y.Fix && c.Y.usable() {
		return span{c.Y.Lo, c.Y.Hi}
	}
	ys := emptySpan()
	for _, row := range c.grid {
		for _, v := range row {
			if !math.IsNaN(v) {
				ys.add(v)
			}
		}
	}
	data := ys
	for _, r := range c.References {
		if c.Y.has(r.Y) && near(r.Y, data, c.Y.Log) {
			ys.add(r.Y)
		}
	}
	return c.Y.round(ys)
}

// near reports whether a reference lies within one more span of the data, so
// that showing it does not flatten the curves.
func near(v float64, s span, log bool) bool {
	if log {
		d := max(s.hi/s.lo, 10)
		return v >= s.lo/d && v <= s.hi*d
	}
	d := s.hi - s.lo
	return d == 0 || v >= s.lo-d && v <= s.hi+d
}

func (s Series) len() int {
	if s.X == nil {
		return len(s.Y)
	}
	return min(len(s.X), len(s.Y))
}

func (s Series) x(i int) float64 {
	if s.X == nil {
		return float64(i)
	}
	return s.X[i]
}

// has reports whether the axis can show v.
func (s Scale) has(v float64) bool { return finite(v) && (!s.Log || v > 0) }

// usable reports whether a fixed range is one.
func (s Scale) usable() bool { return s.has(s.Lo) && s.has(s.Hi) && s.Hi > s.Lo }

// round widens a range of data to the nearest nice values, so that the labels
// stand still while the data grow, and opens a range of a single value.
func (s Scale) round(d span) span {
	if s.Log {
		lo, hi := niceBelow(d.lo), niceAbove(d.hi)
		if !(hi > lo) {
			lo, hi = d.lo/2, d.hi*2
		}
		if lo <= 0 || math.IsInf(hi, 0) {
			return d.open()
		}
		return span{lo, hi}
	}
	d = d.open()
	step := niceStep((d.hi/4 - d.lo/4))
	out := span{math.Floor(d.lo/step+1e-9) * step, math.Ceil(d.hi/step-1e-9) * step}
	if !finite(out.lo) || !finite(out.hi) || !(out.hi > out.lo) || !(out.hi-out.lo <= 4*(d.hi-d.lo)) {
		return d
	}
	return out
}

// open gives a range of one value some length.
func (d span) open() span {
	if d.hi > d.lo {
		return d
	}
	lo, hi := widen(d.lo, d.hi)
	return span{lo, hi}
}

// niceBelow and niceAbove are the nearest 1, 2 or 5 times a power of ten.
func niceBelow(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{5, 2} {
		if m*p <= v*(1+1e-9) {
			return m * p
		}
	}
	return p
}

func niceAbove(v float64) float64 {
	p := math.Pow(10, math.Floor(math.Log10(v)))
	for _, m := range [...]float64{1, 2, 5} {
		if m*p >= v*(1-1e-9) {
			return m * p
		}
	}
	return 10 * p
}

// resample puts every series on the same w+1 column edges. An edge gets the mean
// of the points nearest to it, the geometric mean on a log axis; edges without
// points are interpolated on the axis's own scale unless a point that could not
// be drawn lies among them. What has no value is NaN.
func (c *Lines) resample(series []Series, xa *axis, w int) {
	n := w + 1
	for len(c.grid) < len(series) {
		c.grid = append(c.grid, nil)
	}
	c.grid = c.grid[:len(series)]
	if cap(c.count) < n {
		c.count, c.gap = make([]int32, n), make([]bool, n)
	}
	count, gap := c.count[:n], c.gap[:n]
	for k, s := range series {
		if cap(c.grid[k]) < n {
			c.grid[k] = make([]float64, n)
		}
		row := c.grid[k][:n]
		c.grid[k] = row
		clear(row)
		clear(count)
		clear(gap)
		left, right := outer{t: math.NaN()}, outer{t: math.NaN()}
		for i := range s.len() {
			x, y := s.x(i), s.Y[i]
			if !c.X.has(x) {
				continue
			}
			fx := xa.frac(x)
			within := fx >= 0 && fx <= 1
			j := 0
			if within {
				j = int(math.Round(fx * float64(w)))
			}
			if !c.Y.has(y) {
				gap[j] = gap[j] || within
				continue
			}
			if c.Y.Log {
				y = math.Log(y)
			}
			switch t := fx * float64(w); {
			case within:
			case fx < 0 && !(t <= left.t):
				left = outer{t, y}
			case fx > 1 && !(t >= right.t):
				right = outer{t, y}
			}
			if !within {
				continue
			}
			count[j]++
			m := float64(count[j])
			row[j] += y/m - row[j]/m // each part is finite where the difference is not
		}
		if c.X.Fix {
			toEdges(row, count, gap, left, right)
		}
		fill(row, count, gap)
		if c.Y.Log {
			for j, v := range row {
				if !math.IsNaN(v) { // rounding must not leave the range of float64
					row[j] = min(max(math.Exp(v), math.SmallestNonzeroFloat64), math.MaxFloat64)
				}
			}
		}
	}
}

// fill bridges the edges without points.
func fill(row []float64, count []int32, gap []bool) {
	last, broken := -1, false
	for j := range row {
		if count[j] == 0 {
			broken = broken || gap[j]
			row[j] = math.NaN()
			continue
		}
		if last >= 0 && !broken {
			for m := last + 1; m < j; m++ {
				t := float64(m-last) / float64(j-last)
				row[m] = (1-t)*row[last] + t*row[j]
			}
		}
		last, broken = j, false
	}
}

// toRows turns the values of the grid into rows, from 0 at the bottom to h-1 at
// the top. What lies beyond the axis is put at its end.
func (c *Lines) toRows(ya *axis, h int) {
	for _, row := range c.grid {
		for j, v := range row {
			if !math.IsNaN(v) {
				row[j] = min(max(ya.frac(v), 0), 1) * float64(h-1)
			}
		}
	}
}
