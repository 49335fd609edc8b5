package weights

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A histogram is the engine's counts of one lane or two.
type histogram struct {
	axis  pane.Axis
	title string
	none  string // why there are no counts
	truth func(x float64) float64
	bins  [2]*engine.Bins // of the shown lanes
	keys  [2]string       // the legend; empty for a lane's letter
}

// mostBins is the largest number of bins of the chart, into which the lanes' own bins
// are counted again.
const mostBins = 128

// binsFor is twice the number of bins of Rice's rule, 2 n^⅓, so that few weights show a
// shape.
func binsFor(b *engine.Bins) int {
	return min(max(int(4*math.Cbrt(countOf(b))), 8), mostBins)
}

func countOf(b *engine.Bins) float64 {
	n := 0.0
	for _, c := range b.Counts {
		n += float64(c)
	}
	return n
}

// tail is the share of the counts left out beyond each end of the chart, so that one far
// weight does not shrink all others to a line.
const tail = 0.0005

func (p *histogram) draw(g plane.Region, f *pane.Frame) {
	h := chart.Histogram{Axis: true, Empty: p.none, Truth: p.truth, Lo: math.Inf(1), Hi: math.Inf(-1)}
	for _, b := range p.bins {
		if lo, hi, ok := middle(b); ok {
			h.Lo, h.Hi = min(h.Lo, lo), max(h.Hi, hi)
		}
	}
	h.Lo, h.Hi = roundOut(h.Lo, h.Hi)
	all := pane.Range{Lo: h.Lo, Hi: h.Hi}
	if all.Set() {
		shown := f.Shown(p.axis, all)
		h.Lo, h.Hi = shown.Lo, shown.Hi
	}
	h.Cross, h.Crossed = f.Cross.On(p.axis)
	var legend []chart.Series
	var found []pane.BinValue
	for n, i := range pane.ShownLanes(f) {
		b := p.bins[n]
		if i < 0 || b == nil || len(b.Counts) == 0 {
			continue
		}
		v := &f.Lanes()[i]
		density := make([]float64, binsFor(b))
		fill(density, b, h.Lo, h.Hi)
		h.Lanes = append(h.Lanes, chart.LaneHist(f.Theme, pane.Slot(v.ID), density))
		look := f.LaneStyle(v)
		key := chart.Series{Name: pane.Letter(v.ID), Style: look.Style, Glyph: look.Glyph}
		found = append(found, binAt(b, h.Cross, key))
		if p.keys[n] != "" {
			key.Name = p.keys[n]
		}
		legend = append(legend, key)
	}
	in := g.Box(f.Theme, plane.Box{Title: p.title})
	if len(f.Lanes()) > 1 {
		pane.Legend(g, f, p.title, legend)
	}
	if f.SetAxis(g, h.Draw(in, f.Theme), p.axis, all) && h.Crossed && h.Cross >= h.Lo && h.Cross <= h.Hi {
		pane.ShowBins(g, in, f, h.Cross, found)
	}
}

// binAt is a lane's own bin at x, and how many it has there.
func binAt(b *engine.Bins, x float64, key chart.Series) pane.BinValue {
	width := (b.Hi - b.Lo) / float64(len(b.Counts))
	if t := (x - b.Lo) / width; t >= 0 && t < float64(len(b.Counts)) {
		i := int(t)
		return pane.BinValue{Key: key, Lo: b.Lo + float64(i)*width, Hi: b.Lo + float64(i+1)*width, Count: float64(b.Counts[i])}
	}
	return pane.BinValue{Key: key, Lo: x, Hi: x}
}

// middle is the range of the bins without the tails.
func middle(b *engine.Bins) (lo, hi float64, ok bool) {
	if b == nil || len(b.Counts) == 0 || !(b.Hi > b.Lo) || math.IsInf(b.Hi-b.Lo, 0) {
		return 0, 0, false
	}
	total := countOf(b)
	if total == 0 {
		return 0, 0, false
	}
	width := (b.Hi - b.Lo) / float64(len(b.Counts))
	from, to := 0, len(b.Counts)
	for sum := 0.0; from < to; from++ {
		if sum += float64(b.Counts[from]); sum > tail*total {
			break
		}
	}
	for sum := 0.0; to > from+1; to-- {
		if sum += float64(b.Counts[to-1]); sum > tail*total {
			break
		}
	}
	return b.Lo + float64(from)*width, b.Lo + float64(to)*width, true
}

// roundOut widens a range to round numbers, so that it stands still while the
// weights move a little.
func roundOut(lo, hi float64) (float64, float64) {
	d := hi - lo
	if !(d > 0) || math.IsInf(d, 0) {
		return lo, hi
	}
	step := math.Pow(10, math.Floor(math.Log10(d)))
	for d/step < 8 {
		step /= 2
	}
	a, b := math.Floor(lo/step)*step, math.Ceil(hi/step)*step
	if !(a <= lo) || !(b >= hi) {
		return lo, hi
	}
	return a, b
}

// fill counts bins into dst, the bins from lo to hi, as a density. Each bin of b is
// spread evenly over its width. Counts beyond lo and hi are in the total alone.
func fill(dst []float64, b *engine.Bins, lo, hi float64) {
	clear(dst)
	if !(hi > lo) || !(b.Hi > b.Lo) {
		return
	}
	total, n := countOf(b), float64(len(dst))
	width, scale := (b.Hi-b.Lo)/float64(len(b.Counts)), n/(hi-lo)
	if !(width > 0) || math.IsInf(width, 0) || !(scale > 0) || math.IsInf(scale, 0) {
		return
	}
	for i, c := range b.Counts {
		if c == 0 {
			continue
		}
		from := (b.Lo + float64(i)*width - lo) * scale
		to := from + width*scale
		height := float64(c) / total / width
		for k := int(min(max(from, 0), n)); k < len(dst) && float64(k) < to; k++ {
			dst[k] += height * (min(to, float64(k+1)) - max(from, float64(k)))
		}
	}
}
