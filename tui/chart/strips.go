package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/theme"
)

// Sparkline draws values as columns of eighths over the whole height of g, from
// lo (empty) to hi (full). With lo >= hi it fits the finite values. More values
// than columns are averaged, fewer are stretched. NaN and infinities are gaps.
func Sparkline(g Region, th theme.Theme, values []float64, lo, hi float64, s Style) {
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
	sum, n := 0.0, 0.0
	for _, v := range values[from:min(to, len(values))] {
		if finite(v) {
			n++
			sum += (v - sum) / n
		}
	}
	return sum, n > 0
}

// column draws a bar of so many eighths of a cell up from the bottom of g.
func column(g Region, th theme.Theme, x, eighths int, s Style) {
	for y := g.H() - 1; y >= 0 && eighths > 0; y-- {
		g.Set(x, y, th.Glyphs.VBlock[min(eighths, 8)], s)
		eighths -= 8
	}
}

// HeatStrip draws values as one row of cells, coloured from lo to hi by the
// theme's heat ramp, and by shade without colour. With lo >= hi it fits the
// finite values. The row is divided evenly among the values; with more values
// than columns they are averaged. A value that is NaN or infinite gets a cross.
// selected marks one value with a frame on both sides; -1 for none.
func HeatStrip(g Region, th theme.Theme, values []float64, lo, hi float64, selected int) {
	w := g.W()
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
		r = r.open()
		lo, hi = r.lo, r.hi
	}
	for x := range w {
		v, ok := columnMean(values, x, w)
		if !ok {
			g.Set(x, 0, th.Glyphs.Cross, th.Bad)
			continue
		}
		f := min(max(fracOf(v, lo, hi), 0), 1)
		if math.IsNaN(f) {
			f = 0.5
		}
		if th.NoColor || th.ASCII {
			g.Set(x, 0, th.Glyphs.Shade[min(int(f*4+0.5), 4)], th.HeatAt(f))
		} else {
			g.Set(x, 0, th.Glyphs.Shade[4], th.HeatAt(f))
		}
	}
	if selected >= 0 && selected < len(values) && len(values) <= w {
		from, to := cellsOf(selected, len(values), w)
		if to-from >= 3 {
			markCell(g, from, th.Glyphs.SliderLeft, th)
			markCell(g, to-1, th.Glyphs.SliderRight, th)
		} else {
			markCell(g, from, th.Glyphs.SliderKnob, th)
		}
	}
}

// markCell puts a glyph on a cell of a heat strip in whichever of black and
// white stands out from the cell's shade.
func markCell(g Region, x int, r rune, th theme.Theme) {
	shade := g.styleAt(x, 0).FG
	s := th.Accent
	if shade.IsSet() {
		s.BG = shade
		s.FG = theme.RGB(0xff, 0xff, 0xff)
		if cr, cg, cb := shade.Channels(); 2*int(cr)+5*int(cg)+int(cb) > 8*128 {
			s.FG = theme.RGB(0, 0, 0)
		}
	}
	g.Set(x, 0, r, s)
}

// cellsOf is the half-open range of columns of value i of n over w columns, in
// the division that columnMean makes.
func cellsOf(i, n, w int) (from, to int) {
	return (i*w + n - 1) / n, ((i+1)*w + n - 1) / n
}

// Slider draws a parameter's place on its scale in row 0, as ▕────●──▏. frac is
// from 0 to 1 and clamped; NaN draws no knob. The filled part and the knob take
// knob's style when it is set, else the theme's. Fewer than three columns hold
// no slider.
func Slider(g Region, th theme.Theme, frac float64, knob Style) {
	w := g.W()
	if g.Empty() || w < 3 {
		return
	}
	fill := th.SliderFill
	if knob == (Style{}) {
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
