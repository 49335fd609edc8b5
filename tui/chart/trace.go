package chart

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Strip is the path of one lane in a Trace.
type Strip struct {
	Glyph       rune
	Style, Soft plane.Style
	// The whole run in bins: the step of the last draw of each, its least and greatest
	// value, and the mean of the window's draws up to it. Mean may be nil.
	Steps        []uint64
	Lo, Hi, Mean []float64
	// Newest are the newest draws of each chain, oldest first, and Chains their styles.
	Newest [][]float64
	Chains []plane.Style
	// Astray is a path that has run away, which the scale leaves out.
	Astray bool
}

// A Trace is a chart of the paths of lanes in one quantity, a strip each, one below the
// other on one scale. On the left there are all draws as an envelope with their running
// mean, against the step. On the right of a dotted line there are the newest, one a column
// of dots. Without newest draws the envelope has the whole width.
type Trace struct {
	Strips []Strip
	X      Range // the steps of the envelope that are shown; all if it is not set
	// Mean and SD are the exact ones, NaN where they are not known.
	Mean, SD float64
	Marks    []VMark // by step
	Empty    string  // what to say without data
	// Cross is a step, marked on the envelope where Crossed says so.
	Cross   float64
	Crossed bool
}

// The measures of a trace in cells.
const (
	traceLabels = 8 // the label of the scale and the lane's glyph
	leastTrace  = 12
)

// UnsettledPart is the inverse of the share of a run, at its start, that does not count for a
// scale where it lies far from the rest.
const UnsettledPart = 8

// Bins is how many bins there are.
func (s *Strip) Bins() int { return min(len(s.Steps), len(s.Lo), len(s.Hi)) }

// Steps is the range of the steps of all lanes.
func (t *Trace) Steps() Range {
	all := NoValues()
	for i := range t.Strips {
		if s := &t.Strips[i]; s.Bins() > 0 {
			all.Add(0)
			all.Add(float64(s.Steps[s.Bins()-1]))
		}
	}
	return all
}

// Range is the range of values on the scale. It leaves out the start of the run where that
// lies far from the rest.
func (t *Trace) Range() Range {
	whole, late := NoValues(), NoValues()
	for i := range t.Strips {
		s := &t.Strips[i]
		if s.Astray && len(t.Strips) > 1 {
			continue
		}
		n := s.Bins()
		for k := range n {
			lo, hi := s.Lo[k], s.Hi[k]
			whole.Add(lo)
			whole.Add(hi)
			if UnsettledPart*k >= n {
				late.Add(lo)
				late.Add(hi)
			}
		}
		for _, xs := range s.Newest {
			for _, x := range xs {
				late.Add(x)
			}
		}
	}
	if !(late.Lo <= late.Hi) {
		return whole
	}
	if t.SD > 0 {
		for _, v := range []float64{t.Mean - 2*t.SD, t.Mean + 2*t.SD} {
			if near(v, late, false) {
				late.Add(v)
			}
		}
	}
	if whole = whole.Union(late); whole.Len() <= 2*late.Len() {
		late = whole
	}
	late = late.Open()
	step := niceStep(late.Len() / 16)
	if out := (Range{math.Floor(late.Lo/step) * step, math.Ceil(late.Hi/step) * step}); out.Set() {
		return out
	}
	return late
}

// Draw draws the trace on g and returns where the envelope is.
func (t *Trace) Draw(g plane.Region, th theme.Theme) (at Place) {
	if g.Empty() {
		return at
	}
	ys, xs := t.Range(), t.Steps()
	if t.X.Set() {
		xs = t.X
	}
	if !ys.Set() {
		sayEmpty(g, th, t.Empty)
		return at
	}
	labels, axisRow := traceLabels, 1
	if g.W() < traceLabels+leastTrace {
		labels = 2
	}
	if g.H() < 2*len(t.Strips)+1 {
		axisRow = 0
	}
	plots := g.Pad(0, 0, axisRow, labels)
	left, right := plane.Region{}, plane.Region{}
	switch w := plots.W(); {
	case !xs.Set():
		right = plots
	case !slices.ContainsFunc(t.Strips, func(s Strip) bool { return len(s.Newest) > 0 }):
		left = plots
	default:
		left = plots.Sub(plane.Rect{W: w / 3, H: plots.H()})
		right = plots.Sub(plane.Rect{X: w/3 + 1, W: w - w/3 - 1, H: plots.H()})
		plots.VLine(w/3, 0, plots.H(), th.Glyphs.Mark, th.Faint)
	}
	var x axis // of the envelope
	if !left.Empty() {
		x = fitAxis(xs, false, fitting{cells: left.W(), per: 10, width: 8})
		xs = x.Range
	}
	var canvas Braille
	n, newest := len(t.Strips), 0
	for i := range t.Strips {
		s := &t.Strips[i]
		y0, y1 := stripRows(i, n, plots.H())
		row := func(g plane.Region) plane.Region { return g.Sub(plane.Rect{Y: y0, W: g.W(), H: y1 - y0}) }
		s.label(g.Sub(plane.Rect{Y: y0, W: labels, H: y1 - y0}), th, ys)
		t.envelope(&canvas, row(left), th, s, xs, ys)
		newest = max(newest, t.newest(&canvas, row(right), th, s, ys))
	}
	t.marks(left, th, xs)
	if axisRow > 0 {
		traceAxis(g, th, left, right, &x, newest)
	}
	if left.Empty() {
		return at
	}
	return Place{Plot: left.Rect(), Range: xs, OK: true}
}

// stripRows are the first row of strip i of n, and the one after its last. All are equally
// tall. A blank row keeps tall ones apart.
func stripRows(i, n, rows int) (from, to int) {
	tall := rows / n
	if n > 1 && tall >= 4 {
		tall--
	}
	from = i * rows / n
	return from, from + tall
}

// label writes the lane's glyph and the ends of the scale beside a strip.
func (s *Strip) label(g plane.Region, th theme.Theme, ys Range) {
	w, h := g.Size()
	g.Set(0, (h-1)/2, s.Glyph, s.Style.With(theme.Bold))
	if w < traceLabels {
		return
	}
	g.TextRight(w-1, 0, plane.Tick(ys.Hi, 0, w-2), th.Dim)
	if h > 1 {
		g.TextRight(w-1, h-1, plane.Tick(ys.Lo, 0, w-2), th.Dim)
	}
}

// ground draws the truth's mean ± sd beneath a strip.
func (t *Trace) ground(b *Braille, g plane.Region, th theme.Theme, ys Range) {
	if !(t.SD > 0) {
		return
	}
	w, h := b.Dots()
	pen := Pen{Style: th.Truth, Layer: LayerContour, Dash: 1}
	for y := range g.H() {
		row := Range{ys.Hi - float64(y+1)/float64(g.H())*ys.Len(), ys.Hi - float64(y)/float64(g.H())*ys.Len()}
		if math.Abs(row.Mid()-t.Mean) > t.SD && !row.Contains(t.Mean) {
			continue
		}
		if th.NoColor || th.ASCII {
			g.HLine(0, y, g.W(), th.Glyphs.Shade[1], th.Faint)
			continue
		}
		shade := truthShade(th)
		for x := range g.W() {
			b.cells[y*b.cols+x].shade = shade
		}
	}
	if y := (ys.Hi - t.Mean) / ys.Len() * float64(h); y >= 0 && y < float64(h) {
		b.run = 0
		b.bresenham(0, int(y), w-1, int(y), &pen)
	}
}

// envelope draws all draws of a strip, and on them their running mean.
func (t *Trace) envelope(b *Braille, g plane.Region, th theme.Theme, s *Strip, xs, ys Range) {
	if g.Empty() {
		return
	}
	b.Reset(th, g.W(), g.H(), Window{xs, ys})
	t.ground(b, g, th, ys)
	w, h := b.Dots()
	toDotY := func(v float64) int { return toDot((ys.Hi-v)*b.ky, h) }
	n := s.Bins()
	pen, mean := Pen{Style: s.Soft}, Pen{Style: th.Text, Layer: LayerLine}
	k, last := 0, NoValues()
	was := -1
	for x := range w {
		from, to := xs.At(float64(x)/float64(w), false), xs.At(float64(x+1)/float64(w), false)
		for k < n && float64(s.Steps[k]) <= from {
			k++
		}
		if k == n {
			break
		}
		r, j := NoValues(), k
		for ; j < n && (j == k || float64(s.Steps[j-1]) < to); j++ {
			r.Add(s.Lo[j])
			r.Add(s.Hi[j])
		}
		if !(r.Lo <= r.Hi) {
			continue
		}
		joined := r
		if last.Lo <= last.Hi { // a gap to the column before is closed
			joined.Lo, joined.Hi = min(r.Lo, last.Hi), max(r.Hi, last.Lo)
		}
		last = r
		b.run = 0
		b.bresenham(x, toDotY(joined.Hi), x, toDotY(joined.Lo), &pen)
		if len(s.Mean) >= n && finite(s.Mean[j-1]) && g.H() > 2 {
			y := toDotY(s.Mean[j-1])
			if was < 0 {
				was = y
			}
			b.bresenham(x, was, x, y, &mean)
			was = y
		}
	}
	b.Draw(g, th)
}

// newest draws the newest draws of a strip's chains, as many as there are columns of dots,
// and returns how many.
func (t *Trace) newest(b *Braille, g plane.Region, th theme.Theme, s *Strip, ys Range) (n int) {
	if g.Empty() {
		return 0
	}
	b.Reset(th, g.W(), g.H(), Window{Range{0, 1}, ys})
	t.ground(b, g, th, ys)
	w, h := b.Dots()
	for i, all := range s.Newest {
		all = all[max(0, len(all)-w):]
		n = max(n, len(all))
		pen := Pen{Style: s.Style, ASCII: s.Glyph}
		if i < len(s.Chains) {
			pen.Style = s.Chains[i]
		}
		was := -1
		for x, v := range all {
			if !finite(v) {
				was = -1
				continue
			}
			y := toDot((ys.Hi-v)*b.ky, h)
			if was < 0 {
				was = y
			}
			// The way from the draw before, without its dot.
			b.run = 0
			b.bresenham(x, was+min(max(y-was, -1), 1), x, y, &pen)
			was = y
		}
	}
	b.Draw(g, th)
	return n
}

// marks draws the marks on the envelope, and the cross.
func (t *Trace) marks(g plane.Region, th theme.Theme, xs Range) {
	draw := func(x float64, glyph rune, style plane.Style) {
		if f := xs.Frac(x, false); !g.Empty() && f >= 0 && f <= 1 {
			g.VLine(min(int(f*float64(g.W())), g.W()-1), 0, g.H(), glyph, style)
		}
	}
	for _, m := range t.Marks {
		draw(m.X, th.Glyphs.Mark, th.Mark)
	}
	if t.Crossed {
		draw(t.Cross, th.Glyphs.Vertical, th.Accent)
	}
}

// traceAxis writes the steps of the envelope and how many draws are the newest.
func traceAxis(g plane.Region, th theme.Theme, left, right plane.Region, x *axis, newest int) {
	row := func(of plane.Region) plane.Region {
		return g.Place(plane.Rect{X: of.Rect().X, Y: g.Rect().Y + g.H() - 1, W: of.W(), H: 1})
	}
	if !left.Empty() {
		x.labelX(row(left), th)
	}
	if right.Empty() {
		return
	}
	at := row(right)
	at.HLine(0, 0, at.W(), th.Glyphs.Horizontal, th.Faint)
	text := " newest " + plane.Count(uint64(newest)) + " draws "
	if plane.Width(text) <= at.W() {
		at.TextCenter(0, text, th.Dim)
	}
}
