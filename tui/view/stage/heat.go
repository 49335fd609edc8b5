package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// sample interpolates values at the places of a square grid, at each of ys and of xs, by Catmull and Rom's cubic, which
// goes through them and is smooth. It is NaN outside of the grid.
func (w *function) sample(values, xs, ys []float64) []float64 {
	places := w.t.Places()
	n := int(math.Sqrt(float64(w.places())))
	lo, step := places[0], places[2]-places[0]
	weigh := func(x float64) (at [4]int, by [4]float64) {
		t := (x - lo) / step
		if !(t >= 0 && t <= float64(n-1)) {
			return at, [4]float64{math.NaN()}
		}
		i := min(int(t), n-2)
		t -= float64(i)
		for k := range at {
			at[k] = min(max(i-1+k, 0), n-1)
		}
		u := 1 - t
		return at, [4]float64{-t * u * u / 2, u * (1 + t - 1.5*t*t), t * (1 + u - 1.5*u*u), -u * t * t / 2}
	}
	type column struct {
		at [4]int
		by [4]float64
	}
	columns := make([]column, len(xs))
	for i, x := range xs {
		columns[i].at, columns[i].by = weigh(x)
	}
	row, out := make([]float64, n), make([]float64, len(xs)*len(ys))
	for j, y := range ys {
		at, by := weigh(y)
		for i := range row {
			row[i] = by[0]*values[at[0]*n+i] + by[1]*values[at[1]*n+i] + by[2]*values[at[2]*n+i] + by[3]*values[at[3]*n+i]
		}
		to := out[j*len(xs):][:len(xs)]
		for i := range to {
			c := &columns[i]
			to[i] = c.by[0]*row[c.at[0]] + c.by[1]*row[c.at[1]] + c.by[2]*row[c.at[2]] + c.by[3]*row[c.at[3]]
		}
	}
	return out
}

// middles are those of n parts of a range, from its low end or its high one.
func middles(r chart.Range, n int, down bool) []float64 {
	all := make([]float64, n)
	for i := range all {
		t := (float64(i) + 0.5) / float64(n)
		if down {
			t = 1 - t
		}
		all[i] = r.Lo + t*r.Len()
	}
	return all
}

// field is what the map shows of a lane at each place; nil without draws.
func (w *function) field(f *pane.Frame, v *engine.LaneView) []float64 {
	d := w.of(v)
	if d == nil {
		return nil
	}
	heat := f.HeatNow()
	switch {
	case heat == pane.HeatSD:
		return d.SD
	case heat == pane.HeatMean || heat == pane.HeatOff && w.truth == nil:
		return d.Mean
	}
	all := make([]float64, len(d.Mean))
	for i := range all {
		if heat == pane.HeatOff {
			all[i] = w.truth.Mean[i] - d.Mean[i]
			continue
		}
		r := chart.NoValues()
		for _, u := range f.EachLane() {
			if d := w.of(u); d != nil {
				r.Add(d.Mean[i])
			}
		}
		all[i] = r.Len()
	}
	return all
}

// scale are the values at the ends of the map's colours: those of all lanes, in steps of a twentieth.
func (w *function) scale(f *pane.Frame) (lo, hi float64) {
	heat := f.HeatNow()
	if heat == pane.HeatMean {
		return 0, 1
	}
	for _, v := range f.EachLane() {
		for _, x := range w.field(f, v) {
			if x = math.Abs(x); x <= 1 {
				hi = max(hi, x)
			}
		}
	}
	const step = 0.05
	if hi = max(math.Ceil(hi/step), 1) * step; heat == pane.HeatOff {
		return -hi, hi
	}
	return 0, hi
}

// coloured reports whether a map has colours: sixteen are too few.
func coloured(th *theme.Theme) bool { return !th.NoColor && !th.ASCII && th.Depth != theme.Basic }

// bayer are the thresholds of the dots of two cells beside each other, in sixteenths: Bayer's matrix (1973).
var bayer = [4][4]float64{{0, 8, 2, 10}, {12, 4, 14, 6}, {3, 11, 1, 9}, {15, 7, 13, 5}}

// density are characters from empty to full, for a screen without dots.
const density = " .:-=+*#%@"

// swatch is what a map goes from and to, for its key.
func (w *function) swatch(th *theme.Theme) string {
	if th.ASCII {
		return density
	}
	return string(th.Glyphs.Shade[:])
}

// classGlyphs are those of data of class 0 and 1.
func classGlyphs(th *theme.Theme) [2]rune { return [...]rune{th.Rune('○', 'o'), th.Rune('✚', 'x')} }

// heat draws a classification: the map of the first lane, by colour or by as many dots, the data, and where each lane
// and the truth have the classes at even odds.
func (w *function) heat(plot plane.Region, f *pane.Frame, first *engine.LaneView) {
	th, c, win := &f.Theme, &w.canvas, w.at.win
	cols, rows := c.Dots()
	xs, ys := middles(win.X, cols, false), middles(win.Y, rows, true)
	sx, sy := max(cols/max(plot.W(), 1), 1), max(rows/max(plot.H(), 1), 1)
	lo, hi := w.scale(f)
	grounds := make([]plane.Color, plot.W()*plot.H())
	if of := w.field(f, first); of != nil && coloured(th) {
		at := w.sample(of, middles(win.X, plot.W(), false), middles(win.Y, plot.H(), true))
		for i, x := range at {
			if x == x {
				grounds[i] = th.HeatAt((x - lo) / (hi - lo)).FG
				plot.Set(i%plot.W(), i/plot.W(), ' ', plane.Style{BG: grounds[i]})
			}
		}
	} else if of != nil {
		at := w.sample(of, xs, ys)
		for i, x := range at {
			t, dx, dy := (x-lo)/(hi-lo), i%cols, i/cols
			switch {
			case !(x == x):
			case th.ASCII:
				plot.Set(dx, dy, rune(density[int(min(max(t, 0), 0.999)*float64(len(density)))]), th.Dim)
			case t > (bayer[dy%4][dx%4]+0.5)/16:
				c.Point(xs[dx], ys[dy], chart.Pen{Style: th.Faint, Layer: chart.LayerGrid})
			}
		}
	}
	on := func(dx, dy int, style plane.Style) plane.Style { // on the colour of its cell
		if ground := grounds[dy/sy*plot.W()+dx/sx]; ground.IsSet() {
			style.BG = ground
		}
		return style
	}
	edge := func(of []float64, style plane.Style, every int) {
		at := w.sample(of, xs, ys)
		for i, x := range at {
			dx, dy := i%cols, i/cols
			right, below := x, x
			if dx+1 < cols {
				right = at[i+1]
			}
			if dy+1 < rows {
				below = at[i+cols]
			}
			if (dx+dy)%every == 0 && (x < 0.5 && (right >= 0.5 || below >= 0.5) ||
				x >= 0.5 && (right < 0.5 || below < 0.5)) {
				c.Point(xs[dx], ys[dy], chart.Pen{Style: on(dx, dy, style), Layer: chart.LayerLine})
			}
		}
	}
	if w.truth != nil {
		edge(w.truth.Mean, w.ink(th, th.Truth), 3)
	}
	for i, v := range w.lanes {
		if d := w.of(v); d != nil {
			style := f.LaneStyle(v).Style
			if v == first {
				i, style = 0, w.ink(th, style)
			}
			edge(d.Mean, style.With(theme.Bold), 1+i)
		}
	}
	glyphs := classGlyphs(th)
	for i := 0; i < len(w.data.Y); i += w.every {
		x, y := w.data.X[2*i], w.data.X[2*i+1]
		cx, cy, ok := c.Cell(x, y)
		if !ok {
			continue
		}
		style := th.Text
		if ground := grounds[cy*plot.W()+cx]; ground.IsSet() {
			style = plane.Style{FG: theme.RGB(0, 0, 0), BG: ground}
			if r, g, b := ground.Channels(); 2*int(r)+5*int(g)+int(b) < 8*128 {
				style.FG = theme.RGB(255, 255, 255)
			}
		}
		c.Mark(x, y, glyphs[min(int(w.data.Y[i]), 1)], chart.Pen{Style: style})
	}
}

// ink is the style of a line on the map's middle, which is grey in every palette.
func (w *function) ink(th *theme.Theme, style plane.Style) plane.Style {
	if coloured(th) && !th.Dark {
		style.FG = style.FG.Blend(theme.RGB(255, 255, 255), 0.7)
	}
	return style
}
