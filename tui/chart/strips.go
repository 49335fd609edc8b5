package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// sparkline draws values as columns of eighths over the whole height of g, from
// lo (empty) to hi (full). With lo >= hi it fits the finite values. More values
// than columns are averaged, fewer are stretched. NaN and infinities are gaps.
func sparkline(g plane.Region, th theme.Theme, values []float64, lo, hi float64, s plane.Style) {
	w, h := g.Size()
	if g.Empty() || len(values) == 0 {
		return
	}
	if !(lo < hi) {
		r := emptySpan()
		for _, v := range values {
			if finite(v) {
				r.add(v)
			}
		}
		if r = r.open(); !(r.hi > r.lo) {
			return
		}
		lo, hi = r.lo, r.hi
	}
	for x := range w {
		v, ok := columnMean(values, x, w)
		if !ok {
			continue
		}
		f := min(max(fracOf(v, lo, hi), 0), 1)
		// The lowest value still shows a line: an empty column means no value.
		column(g, th, x, max(int(math.Round(f*float64(8*h))), 1), s)
	}
}

// columnMean is the mean of the finite values that fall into column x of w.
func columnMean(values []float64, x, w int) (float64, bool) {
	from := x * len(values) / w
	to := max((x+1)*len(values)/w, from+1)
	mean, n := 0.0, 0.0
	for _, v := range values[from:min(to, len(values))] {
		if finite(v) {
			n++
			mean += v/n - mean/n // each part is finite where the difference is not
		}
	}
	return mean, n > 0
}

// column draws a bar of so many eighths of a cell up from the bottom of g.
func column(g plane.Region, th theme.Theme, x, eighths int, s plane.Style) {
	for y := g.H() - 1; y >= 0 && eighths > 0; y-- {
		g.Set(x, y, th.Glyphs.VBlock[min(eighths, 8)], s)
		eighths -= 8
	}
}

// Slider draws a parameter's place on its scale in row 0, as ▕────●──▏. frac is
// from 0 to 1 and clamped; NaN draws no knob. The filled part and the knob take
// knob's style when it is set, else the theme's. Fewer than three columns hold
// no slider.
func Slider(g plane.Region, th theme.Theme, frac float64, knob plane.Style) {
	w := g.W()
	if g.Empty() || w < 3 {
		return
	}
	fill := th.SliderFill
	if knob == (plane.Style{}) {
		knob = th.SliderKnob
	} else {
		fill = knob.Without(theme.Bold)
	}
	gl := th.Glyphs
	g.Set(0, 0, gl.SliderLeft, th.SliderTrack)
	g.HLine(1, 0, w-2, gl.SliderTrack, th.SliderTrack)
	g.Set(w-1, 0, gl.SliderRight, th.SliderTrack)
	if math.IsNaN(frac) {
		return
	}
	at := 1 + SliderCell(frac, w)
	g.HLine(1, 0, at-1, gl.SliderTrack, fill)
	g.Set(at, 0, gl.SliderKnob, knob)
}

// SliderCell is the place of the knob within the track of a slider of w
// columns, from 0 to w-3.
func SliderCell(frac float64, w int) int {
	n := max(w-3, 0)
	return int(math.Round(min(max(frac, 0), 1) * float64(n)))
}

// SliderFrac is the fraction under column x of a slider of w columns; for a
// drag of the mouse.
func SliderFrac(x, w int) float64 {
	if w <= 3 {
		return 0
	}
	return min(max(float64(x-1)/float64(w-3), 0), 1)
}
