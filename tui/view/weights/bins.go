package weights

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A histogram is the engine's counts of one lane or two.
type histogram struct {
	axis   pane.Axis
	title  string
	none   string // why there are no counts
	truth  func(x float64) float64
	layers [2]*engine.LayerView // of the shown lanes, nil where one has none
	bins   func(v *engine.LayerView) *engine.Bins
	keys   [2]string // the legend; empty for a lane's letter
}

// mostBins is the largest number of bins of the chart, into which the lanes' own bins are counted again.
const mostBins = 128

func countOf(b *engine.Bins) float64 {
	return list.Sum(b.Counts, func(c uint32) float64 { return float64(c) })
}

// tail is the share of the counts left out beyond each end of the chart, so that one far
// weight does not shrink all others to a line.
const tail = 0.0005

func (p *histogram) draw(g plane.Region, f *pane.Frame) {
	all := chart.NoValues()
	for _, v := range p.layers {
		if v != nil {
			if r := middle(p.bins(v)); r.Set() {
				all = all.Union(r)
			}
		}
	}
	all = roundOut(all)
	h := chart.Histogram{Axis: true, Empty: p.none, Truth: p.truth, Range: all}
	if all.Set() {
		h.Range = f.Shown(p.axis, all)
	}
	h.Cross, h.Crossed = f.Cross.On(p.axis)
	var legend []chart.Series
	var found []pane.BinValue
	for n, i := range pane.ShownLanes(f) {
		if p.layers[n] == nil || len(p.bins(p.layers[n]).Counts) == 0 {
			continue
		}
		v, b := &f.Lanes()[i], p.bins(p.layers[n])
		// Twice the bins of Rice's rule, 2 n^⅓, so that few weights show a shape.
		density := make([]float64, min(max(int(4*math.Cbrt(countOf(b))), 8), mostBins))
		fill(density, b, h.Range)
		h.Lanes = append(h.Lanes, chart.LaneHist(f.LaneStyle(v), density))
		key := f.Series(v, pane.Letter(v.ID))
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
	if f.SetAxis(g, h.Draw(in, f.Theme), p.axis, all) && h.Crossed && h.Contains(h.Cross) {
		pane.ShowBins(g, f, h.Cross, found)
	}
}

// binAt is a lane's own bin at x, and how many it has there.
func binAt(b *engine.Bins, x float64, key chart.Series) pane.BinValue {
	width := (b.Hi - b.Lo) / float64(len(b.Counts))
	if t := (x - b.Lo) / width; t >= 0 && t < float64(len(b.Counts)) {
		i := int(t)
		return pane.BinValue{Key: key, Lo: b.Lo + float64(i)*width, Hi: b.Lo + float64(i+1)*width,
			Count: float64(b.Counts[i])}
	}
	return pane.BinValue{Key: key, Lo: x, Hi: x}
}

// middle is the range of the bins without the tails; the zero Range without counts.
func middle(b *engine.Bins) (r pane.Range) {
	if !(pane.Range{Lo: b.Lo, Hi: b.Hi}).Set() || countOf(b) == 0 {
		return r
	}
	total := countOf(b)
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
	return pane.Range{Lo: b.Lo + float64(from)*width, Hi: b.Lo + float64(to)*width}
}

// roundOut widens a range to round numbers, so that it stands still while the weights move a little.
func roundOut(r pane.Range) pane.Range {
	if !r.Set() {
		return r
	}
	step := math.Pow(10, math.Floor(math.Log10(r.Len())))
	for r.Len()/step < 8 {
		step /= 2
	}
	out := pane.Range{Lo: math.Floor(r.Lo/step) * step, Hi: math.Ceil(r.Hi/step) * step}
	if !(out.Lo <= r.Lo) || !(out.Hi >= r.Hi) {
		return r
	}
	return out
}

// fill counts bins into dst, the bins of a range, as a density. Each bin of b is
// spread evenly over its width. Counts beyond the range are in the total alone.
func fill(dst []float64, b *engine.Bins, r pane.Range) {
	clear(dst)
	if !(r.Hi > r.Lo) || !(b.Hi > b.Lo) {
		return
	}
	total, n := countOf(b), float64(len(dst))
	width, scale := (b.Hi-b.Lo)/float64(len(b.Counts)), n/r.Len()
	if !(width > 0) || math.IsInf(width, 0) || !(scale > 0) || math.IsInf(scale, 0) {
		return
	}
	for i, c := range b.Counts {
		if c == 0 {
			continue
		}
		from := (b.Lo + float64(i)*width - r.Lo) * scale
		to := from + width*scale
		height := float64(c) / total / width
		for k := int(min(max(from, 0), n)); k < len(dst) && float64(k) < to; k++ {
			dst[k] += height * (min(to, float64(k+1)) - max(from, float64(k)))
		}
	}
}
