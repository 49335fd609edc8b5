package weights

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// binsPane is the histogram of what the engine has counted, of one lane or two.
type binsPane struct {
	hist chart.Histogram
	bins [2][paneBins]float64
	keys [2]chart.Series
	tops [2]chart.Series // the same, as the legend names them
	from [2]*engine.Bins // of the lanes of hist
}

// paneBins is the largest number of bins into which the lanes' own are counted
// again, over a range that they share.
const paneBins = 128

// binsFor is twice the number of bins of Rice's rule, 2 n^⅓, so that few weights
// make a shape too.
func binsFor(b *engine.Bins) int {
	return min(max(int(4*math.Cbrt(countOf(b))), 8), paneBins)
}

func countOf(b *engine.Bins) float64 {
	n := 0.0
	for _, c := range b.Counts {
		n += float64(c)
	}
	return n
}

// tail is the share of the counts that may lie beyond each end of the chart, so
// that a single far weight does not shrink all others to a line.
const tail = 0.0005

// draw draws the bins of the two shown lanes; none says what to write where
// there are no counts and never will be any, and keys what the legend has, empty for
// a lane's letter.
func (p *binsPane) draw(g plane.Region, f *pane.Frame, name string, axis pane.Axis, title, none string, keys [2]string, bins [2]*engine.Bins) {
	g, ok := f.Begin(g, name, -1)
	if !ok {
		return
	}
	h := &p.hist
	h.Axis, h.Empty = true, none
	h.Lo, h.Hi = math.Inf(1), math.Inf(-1)
	for _, b := range bins {
		if lo, hi, ok := middle(b); ok {
			h.Lo, h.Hi = min(h.Lo, lo), max(h.Hi, hi)
		}
	}
	h.Lo, h.Hi = roundOut(h.Lo, h.Hi)
	all := pane.Range{Lo: h.Lo, Hi: h.Hi}
	if all.Set() {
		shown := f.Shown(axis, all)
		h.Lo, h.Hi = shown.Lo, shown.Hi
	}
	h.Cross, h.Crossed = f.Cross.On(axis)
	h.Lanes = h.Lanes[:0]
	for n, i := range pane.ShownLanes(f) {
		if i < 0 || bins[n] == nil || len(bins[n].Counts) == 0 {
			continue
		}
		v := &f.Lanes()[i]
		k := len(h.Lanes)
		dst := p.bins[k][:binsFor(bins[n])]
		p.fill(dst, bins[n])
		h.Lanes = append(h.Lanes, chart.LaneHist(f.Theme, pane.Slot(v.ID), dst))
		look := f.LaneStyle(v)
		p.keys[k] = chart.Series{Name: pane.Letter(v.ID), Style: look.Style, Glyph: look.Glyph}
		p.tops[k] = p.keys[k]
		if keys[n] != "" {
			p.tops[k].Name = keys[n]
		}
		p.from[k] = bins[n]
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	if len(f.Lanes()) > 1 {
		pane.Legend(g, f, title, p.tops[:len(h.Lanes)])
	}
	h.Draw(in, f.Theme)
	at := h.Place()
	if !at.OK {
		return
	}
	f.SetPlot(name, pane.Plot{Rect: at.Plot, AxisX: axis, X: pane.Range{Lo: at.Lo, Hi: at.Hi}, AllX: all})
	if h.Crossed && h.Cross >= at.Lo && h.Cross <= at.Hi {
		p.tell(g, in, f, at)
	}
}

// tell tells the counts of the lanes' own bins under the cross.
func (p *binsPane) tell(g, in plane.Region, f *pane.Frame, at chart.Place) {
	var found [2]pane.BinValue
	n := 0
	for k := range p.hist.Lanes {
		b := p.from[k]
		width := (b.Hi - b.Lo) / float64(len(b.Counts))
		v := pane.BinValue{Key: p.keys[k], Lo: p.hist.Cross, Hi: p.hist.Cross}
		if t := (p.hist.Cross - b.Lo) / width; t >= 0 && t < float64(len(b.Counts)) {
			i := int(t)
			v.Lo, v.Hi, v.Count = b.Lo+float64(i)*width, b.Lo+float64(i+1)*width, float64(b.Counts[i])
		}
		found[n] = v
		n++
	}
	pane.TellBins(g, in, f, at, p.hist.Cross, found[:n])
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

// fill counts bins into those of the pane as a density, each spread evenly over
// its width. What lies beyond the chart counts in the total but has no bin.
func (p *binsPane) fill(dst []float64, b *engine.Bins) {
	clear(dst)
	lo, hi := p.hist.Lo, p.hist.Hi
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
