package chart

import (
	"math"
	"slices"
)

// extentX finds the range of X that the axis shows and counts the points that can be drawn.
func (p *linePlot) extentX() (xs Range, points int) {
	xs = NoValues()
	for _, s := range p.series {
		before, after := false, false
		for i := range s.Len() {
			x := s.At(i)
			switch {
			case !p.X.has(x) || !p.Y.has(s.Y[i]):
			case p.X.Fix && x < p.X.Lo:
				before = true
			case p.X.Fix && x > p.X.Hi:
				after = true
			default:
				xs.Add(x)
				points++
			}
		}
		if before && after { // it goes through the window
			points += 2
		}
	}
	if points > 0 && p.X.Fix && p.X.usable() {
		xs = p.X.Range
	}
	return xs, points
}

// extentY finds the range of Y that the axis shows: the range of the curves averaged by
// column, so that one early outlier does not flatten them.
func (p *linePlot) extentY() Range {
	if p.Y.Fix && p.Y.usable() {
		return p.Y.Range
	}
	ys := NoValues()
	for _, row := range p.grid {
		for _, v := range row {
			ys.Add(v)
		}
	}
	data := ys
	for _, r := range p.References {
		if !r.Light && p.Y.has(r.Y) && near(r.Y, data, p.Y.Log) {
			ys.Add(r.Y)
		}
	}
	for i := range p.series {
		p.series[i].addBars(&ys, p.Y)
	}
	if p.Y.Log && ys.Lo == ys.Hi {
		return Range{ys.Lo / 2, ys.Hi * 2}
	}
	return ys.Open()
}

// addBars widens a range by a series' error bars. On a log axis a bar takes at most a decade below its value.
func (s *Series) addBars(ys *Range, scale Scale) {
	for i := range min(s.Len(), len(s.Low), len(s.High)) {
		v, low, high := s.Y[i], s.Low[i], s.High[i]
		if !scale.has(v) || !finite(low) || !finite(high) {
			continue
		}
		if scale.Log {
			low = max(low, v/10)
		}
		ys.Add(low)
		ys.Add(high)
	}
}

// near reports whether a reference lies within one more span of the data, so
// that showing it does not flatten the curves.
func near(v float64, s Range, log bool) bool {
	if log {
		d := max(s.Hi/s.Lo, 10)
		return v >= s.Lo/d && v <= s.Hi*d
	}
	return s.Len() == 0 || s.Grow(1).Contains(v)
}

// Len is the number of points.
func (s *Series) Len() int {
	if s.X == nil {
		return len(s.Y)
	}
	return min(len(s.X), len(s.Y))
}

// At is the x of point i.
func (s *Series) At(i int) float64 {
	if s.X == nil {
		return float64(i)
	}
	return s.X[i]
}

// has reports whether the axis can show v.
func (s Scale) has(v float64) bool { return finite(v) && (!s.Log || v > 0) }

// usable reports whether a fixed range is one.
func (s Scale) usable() bool { return s.has(s.Lo) && s.has(s.Hi) && s.Hi > s.Lo }

// resample is a series on the edges of the columns of dots. An edge gets the mean of the points nearest to it, the
// geometric mean on a log axis; edges without points are interpolated on the axis's own scale unless a point that could
// not be drawn lies among them. What has no value is NaN.
func (p *linePlot) resample(s *Series) []float64 {
	n := p.W() * p.sx
	w := float64(n)
	r := edgeRow{make([]float64, n+1), make([]int, n+1), make([]bool, n+1)}
	left, right := outer{t: math.NaN()}, outer{t: math.NaN()}
	for i := range s.Len() {
		x, y := s.At(i), s.Y[i]
		if !p.X.has(x) {
			continue
		}
		t := p.x.frac(x) * w
		within := t >= 0 && t <= w
		if !p.Y.has(y) {
			if within {
				r.gap[int(math.Round(t))] = true
			}
			continue
		}
		if p.Y.Log {
			y = math.Log(y)
		}
		switch {
		case within:
			r.add(int(math.Round(t)), y)
		case t < 0 && !(t <= left.t):
			left = outer{t, y}
		case t > w && !(t >= right.t):
			right = outer{t, y}
		}
	}
	if p.X.Fix {
		r.reach(left, right)
	}
	r.fill()
	if p.Y.Log {
		for j, v := range r.value {
			if !math.IsNaN(v) { // rounding must not leave the range of float64
				r.value[j] = min(max(math.Exp(v), math.SmallestNonzeroFloat64), math.MaxFloat64)
			}
		}
	}
	return r.value
}

// An edgeRow is a series at the edges of columns: the mean of the points at each of them,
// how many they are, and whether one could not be drawn.
type edgeRow struct {
	value []float64
	count []int
	gap   []bool
}

func (r edgeRow) add(j int, y float64) {
	r.count[j]++
	m := float64(r.count[j])
	r.value[j] += y/m - r.value[j]/m // each part is finite where the difference is not
}

// An outer is the point of a series that is nearest to the window from outside,
// at the place t in columns and with the value y; t is NaN if there is none.
type outer struct{ t, y float64 }

// reach gives a curve that goes on beyond a fixed window its values at the window's
// edges, so that it is not cut where its last point within happens to be.
func (r edgeRow) reach(left, right outer) {
	last := len(r.value) - 1
	set := func(j int, a, b outer) {
		s := (float64(j) - a.t) / (b.t - a.t)
		r.value[j], r.count[j] = (1-s)*a.y+s*b.y, 1
	}
	open := func(p outer, from, to int) bool { return !math.IsNaN(p.t) && !slices.Contains(r.gap[from:to+1], true) }
	first := slices.IndexFunc(r.count, func(n int) bool { return n > 0 })
	if first < 0 {
		if open(left, 0, last) && open(right, 0, last) {
			set(0, left, right)
			set(last, left, right)
		}
		return
	}
	final := last
	for r.count[final] == 0 {
		final--
	}
	a, b := outer{float64(first), r.value[first]}, outer{float64(final), r.value[final]}
	if first > 0 && open(left, 0, first) {
		set(0, left, a)
	}
	if final < last && open(right, final, last) {
		set(last, b, right)
	}
}

// fill bridges the edges without points.
func (r edgeRow) fill() {
	last, broken := -1, false
	for j := range r.value {
		if r.count[j] == 0 {
			broken = broken || r.gap[j]
			r.value[j] = math.NaN()
			continue
		}
		if last >= 0 && !broken {
			for m := last + 1; m < j; m++ {
				t := float64(m-last) / float64(j-last)
				r.value[m] = (1-t)*r.value[last] + t*r.value[j]
			}
		}
		last, broken = j, false
	}
}
