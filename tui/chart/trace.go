package chart

import (
	"math"
	"slices"
	"sort"

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
	// Newest are the newest draws of each chain, oldest first: so many steps apart up to the
	// Last one. Chains are their styles.
	Newest      [][]float64
	Last, Every uint64
	Chains      []plane.Style
	// Astray is a path that has run away, which the scale leaves out where another has not.
	Astray bool
}

// A Trace is a chart of the paths of lanes in one quantity against the step, a strip each, one
// below the other on one scale. The newest draws are drawn fine: a column of dots has the least
// and the greatest of its draws. If there are draws before them, those have a part of their own
// on the left of a line, as an envelope of bins. The running mean is a line on both.
type Trace struct {
	Strips []Strip
	X      Range // the steps that are shown, in one part; all if it is not set
	// Mean and SD are the exact ones, NaN where they are not known.
	Mean, SD float64
	Marks    []VMark // by step
	Empty    string  // what to say without data
	// Thinned says that the newest draws lie apart. As many of them as there is room for are then drawn fine.
	Thinned bool
	// Cross is a step, marked where Crossed says so.
	Cross   float64
	Crossed bool
}

// The measures of a trace in cells.
const (
	traceLabels = 8 // the lane's glyph, the labels of the scale and its line
	leastTrace  = 12
)

// leastFine is how many draws are drawn fine at least, if there are as many and they are not thinned.
const leastFine = 2000

// UnsettledPart is the inverse of the share of a run, at its start, that does not count for a
// scale where it lies far from the rest.
const UnsettledPart = 8

// Bins is how many bins there are.
func (s *Strip) Bins() int { return min(len(s.Steps), len(s.Lo), len(s.Hi)) }

// draws is how many of the newest draws of every chain have a step.
func (s *Strip) draws() int {
	n := math.MaxInt
	for _, xs := range s.Newest {
		n = min(n, len(xs))
	}
	if len(s.Newest) == 0 || s.Every == 0 {
		return 0
	}
	return int(min(uint64(n), (s.Last-1)/s.Every+1))
}

// stepOf is the step of draw i of n.
func (s *Strip) stepOf(i, n int) float64 { return float64(s.Last) - float64(n-1-i)*float64(s.Every) }

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

// Range is the range of values that the scale covers. It leaves out the start of the run where
// that lies far from the rest.
func (t *Trace) Range() Range {
	whole, late := NoValues(), NoValues()
	steady := slices.ContainsFunc(t.Strips, func(s Strip) bool { return !s.Astray })
	for i := range t.Strips {
		s := &t.Strips[i]
		if s.Astray && steady {
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
				if !(x >= late.Lo && x <= late.Hi) {
					late.Add(x)
				}
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
	return late.Open()
}

// A tracePart is a part of a trace: its columns, and its axis of steps.
type tracePart struct {
	x, w int
	Axis
}

// At is the range of a strip's values at a step: of its newest draws there, or of the bin that the
// step is in. It is not in order where there is none.
func (s *Strip) At(step float64) Range {
	r, n := NoValues(), s.draws()
	if i := int(math.Round((step - s.stepOf(0, n)) / float64(s.Every))); n > 0 && i >= 0 && i < n {
		for _, xs := range s.Newest {
			r.Add(xs[len(xs)-n+i])
		}
		return r
	}
	if k := s.BinAt(step); k < s.Bins() {
		return Range{s.Lo[k], s.Hi[k]}
	}
	return r
}

// BinAt is the bin that a step is in, Bins if there is none.
func (s *Strip) BinAt(step float64) int {
	return sort.Search(s.Bins(), func(k int) bool { return float64(s.Steps[k]) >= step })
}

// parts divides so many columns: one part, or the envelope of all that is before the newest
// draws and these, over so many steps.
func (t *Trace) parts(cols int) (all []tracePart, fine uint64) {
	steps := t.Steps()
	if t.X.Set() {
		steps = t.X
	}
	one := []tracePart{{0, cols, FitX(steps, false, cols)}}
	// The draws that every strip has by themselves, and what is before them.
	have, most, first, last, every, whole := math.MaxInt, 0, math.Inf(1), 0.0, 0.0, true
	for i := range t.Strips {
		s := &t.Strips[i]
		n := s.draws()
		have, most, every = min(have, n), max(most, n), max(every, float64(s.Every))
		first, last = min(first, float64(s.Last)), max(last, float64(s.Last))
		whole = whole && n > 0 && s.Bins() > 0 && s.stepOf(0, n) <= float64(s.Steps[0])
	}
	if len(t.Strips) == 0 || have == 0 || t.X.Set() || cols < leastTrace {
		return one, 0
	}
	// So many draws in each column of dots that these are enough: the scale of the axis stays.
	length := func(cols int) float64 {
		per := 1
		for dots := 2 * cols; per*dots < have && per*dots < leastFine; {
			per = min(2*per, (leastFine+dots-1)/dots)
		}
		return float64(2*cols*per) * every
	}
	if whole {
		return []tracePart{{0, cols, FitX(Range{0, max(length(cols), last)}, false, cols)}}, 0
	}
	left := cols / 4
	right := cols - left - 1
	dots := 2 * right
	// No more than there are, and an axis with round ticks is longer by up to a third.
	per := max(have*3/4/dots, 1)
	if !t.Thinned {
		per = min(per, (leastFine+dots-1)/dots)
	}
	newest := float64(dots*per) * every
	// or a lane has gone back, or races: its newest draws would not be among those
	if newest >= last || last-first > newest/4 {
		return one, 0
	}
	a := sliding(newest-every, last, right)
	before := FitX(Range{0, a.Lo}, false, left)
	if 3*before.Len() > 4*a.Lo { // few columns: the part ends where the other begins, whose labels say that
		before = Axis{Range: Range{0, a.Lo}, ticks: []float64{0}}
	}
	return []tracePart{{0, left, before}, {left + 1, right, a}},
		uint64(min(math.Floor((last-a.Lo)/every)+1, float64(most)) * every)
}

// sliding is an axis of columns of a length up to an end, which moves on by whole columns.
func sliding(length, end float64, cols int) Axis {
	to := math.Ceil(end/length) * length
	a := FitX(Range{to - length, to}, false, cols)
	if u := a.Len() / float64(cols); a.fitted && !a.counted {
		by := math.Ceil((end-a.Hi)/u) * u
		a.Lo, a.Hi = a.Lo+by, a.Hi+by
		a.ticks = multiples(a.step, a.Lo, a.Hi)
	}
	return a
}

// Draw draws the trace on g and returns where its steps are.
func (t *Trace) Draw(g plane.Region, th theme.Theme) (at Place) {
	if g.Empty() {
		return at
	}
	ys := t.Range()
	if !ys.Set() || len(t.Strips) == 0 {
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
	parts, fine := t.parts(plots.W())
	var canvas Braille
	n := len(t.Strips)
	y := t.scale(ys, plots.H())
	for i := range t.Strips {
		s := &t.Strips[i]
		y0, y1 := stripRows(i, n, plots.H())
		side := g.Sub(plane.Rect{Y: y0, W: labels, H: y1 - y0})
		side.Set(0, (y1-y0-1)/2, s.Glyph, s.Style.With(theme.Bold))
		if labels == traceLabels {
			y.LabelY(side.Pad(0, 0, 0, 1), th)
		}
		for _, part := range parts {
			t.strip(&canvas, plots.Sub(plane.Rect{X: part.x, Y: y0, W: part.w, H: y1 - y0}), th, s, part.Range, y.Range)
		}
	}
	for i, part := range parts {
		if i > 0 {
			g.VLine(labels+part.x-1, 0, plots.H()+axisRow, th.Glyphs.Vertical, th.Faint)
		}
		on := plots.Sub(plane.Rect{X: part.x, W: part.w, H: plots.H()})
		t.marks(on, th, part.Range)
		if axisRow > 0 {
			part.LabelX(g.Place(plane.Rect{X: on.Rect().X, Y: g.Rect().Y + g.H() - 1, W: on.W(), H: 1}), th)
		}
	}
	at = Place{Plot: plots.Rect(), Range: parts[0].Range, Fine: fine, OK: parts[0].Set()}
	for _, p := range parts[:len(parts)&^1] { // of two
		at.Range, at.Parts = at.Union(p.Range), append(at.Parts, Part{p.x, p.w, p.Range})
	}
	return at
}

// scale is the axis of a range of values of each strip on so many rows.
func (t *Trace) scale(ys Range, rows int) Axis {
	from, to := stripRows(0, len(t.Strips), rows)
	return fitAxis(ys, false, fitting{cells: to - from, per: min(max((to-from)/3, 1), 4), width: traceLabels - 2,
		raised: true})
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

// strip draws a lane's path on a part of the steps: the newest draws, the bins before them, and the running mean.
func (t *Trace) strip(b *Braille, g plane.Region, th theme.Theme, s *Strip, xs, ys Range) {
	if g.Empty() || !xs.Set() {
		return
	}
	b.Reset(th, g.W(), g.H(), Window{xs, ys})
	t.ground(b, g, th, ys)
	draws, bins := s.draws(), s.Bins()
	fine := math.Inf(1) // the step of the first draw that is drawn by itself
	if draws > 0 {
		fine = s.stepOf(0, draws)
	}
	from := sort.Search(bins, func(k int) bool { return float64(s.Steps[k]) >= xs.Lo })
	from = max(from-1, 0)
	to := from + sort.Search(bins-from, func(k int) bool { return float64(s.Steps[from+k]) > xs.Hi })
	to = min(to+1, bins)
	coarse := from + sort.Search(to-from, func(k int) bool { return float64(s.Steps[from+k]) >= fine })
	if coarse < to { // the bin that the first draws are in
		coarse++
	}
	// A line is over an envelope, which is dense, and beneath single draws unless there are many rows of many of them.
	mean := func(from, to int, layer uint8) {
		if len(s.Mean) < bins || g.H() < meanRows {
			return
		}
		line := b.path(false, Pen{Style: th.Text, Layer: layer})
		for k := from; k < to; k++ {
			x := float64(s.Steps[k])
			line.add(x, x, s.Mean[k], s.Mean[k])
		}
		line.end()
	}
	late := LayerGrid
	w, _ := b.Dots()
	if many := coarse-from >= 2 || xs.Len() > 1.5*float64(w)*float64(s.Every); many && g.H() >= overRows {
		late = LayerLine
	}
	mean(from, coarse, LayerLine)
	mean(max(coarse-1, from), to, late)
	soft := b.path(false, Pen{Style: s.Soft, ASCII: s.Glyph})
	for k := from; k < coarse; k++ {
		x := float64(s.Steps[k])
		start := x
		if s.Lo[k] < s.Hi[k] && k > 0 {
			start = float64(s.Steps[k-1] + 1)
		}
		soft.add(min(start, fine), min(x, fine), s.Lo[k], s.Hi[k])
	}
	soft.end()
	if draws > 0 {
		every := float64(s.Every)
		from, to := int(min(max((xs.Lo-fine)/every, 0), float64(draws))),
			int(min(max((xs.Hi-fine)/every+2, 0), float64(draws)))
		for i, xs := range s.Newest {
			pen := Pen{Style: s.Style, ASCII: s.Glyph}
			if i < len(s.Chains) {
				pen.Style = s.Chains[i]
			}
			b.Draws(false, s.stepOf(from, draws), every, xs[len(xs)-draws:][from:to], pen)
		}
	}
	b.Draw(g, th)
}

// The fewest rows of a strip that shows the truth, that shows its mean, and whose mean is over its newest draws: in
// fewer most draws are in the row of their mean.
const (
	truthRows = 3
	meanRows  = 4
	overRows  = 8
)

// Shows reports what a trace shows beside the draws on so many rows: the running mean, the truth's mean, and the band
// of the truth's mean ± sd, which needs a row whose middle is in it.
func (t *Trace) Shows(th *theme.Theme, rows int) (mean, truth, band bool) {
	from, to := stripRows(0, len(t.Strips), rows)
	ys := t.Range()
	if to-from < truthRows || !ys.Set() {
		return false, false, false
	}
	ys = t.scale(ys, rows).Range
	for y := range to - from {
		band = band || t.within(ys, y, to-from)
	}
	truth = t.SD > 0
	return t.Strips[0].Mean != nil && to-from >= meanRows, truth, truth && band && !th.NoColor && !th.ASCII
}

// within reports whether the middle of row y of a strip of so many rows is in the truth's mean ± sd.
func (t *Trace) within(ys Range, y, rows int) bool {
	return math.Abs(ys.Hi-(float64(y)+0.5)/float64(rows)*ys.Len()-t.Mean) <= t.SD
}

// ground draws the truth's mean beneath a strip, and its mean ± sd if there is color.
func (t *Trace) ground(b *Braille, g plane.Region, th theme.Theme, ys Range) {
	if !(t.SD > 0) || g.H() < truthRows {
		return
	}
	for y := range g.H() {
		if th.NoColor || th.ASCII || !t.within(ys, y, g.H()) {
			continue
		}
		for x := range g.W() {
			b.cells[y*b.cols+x].shade = truthShade(th)
		}
	}
	w, h := b.Dots()
	if y := (ys.Hi - t.Mean) / ys.Len() * float64(h); y >= 0 && y < float64(h) {
		b.run = 0
		b.bresenham(0, int(y), w-1, int(y), &Pen{Style: th.Truth, Layer: LayerContour, Dash: 1})
	}
}

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
