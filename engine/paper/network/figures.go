package network

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine/paper/figure"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// learning is the panel of the learning curves at a size: test error against epochs, of a sampler's averaged prediction
// or an optimiser's newest weights. Of several step sizes it shows the best.
func (n *report) learning(title, size string) figure.Panel {
	p := figure.Panel{Title: title, X: figure.Axis{Label: "epochs"}, Y: figure.Axis{Label: "test error, %"}}
	for _, r := range n.table.Rows {
		if r.Curve == "" {
			continue
		}
		l := n.best(r.Name, size)
		if l == nil { // one that diverged has a curve
			all := n.of(r.Name, size)
			i := slices.IndexFunc(all, func(l *line) bool { return len(l.curve.Epoch) > 0 })
			if i < 0 {
				continue
			}
			l = all[i]
		}
		c := l.curve
		if len(c.Epoch) != len(c.TestError) || len(c.Epoch) == 0 {
			continue
		}
		s := figure.Series{Name: r.Curve, Of: r.Sampler, Style: figure.Line, Sessions: [][]string{{l.curveOf}}}
		for k := range c.Epoch {
			s.X = append(s.X, float64(c.Epoch[k]))
			s.Y = append(s.Y, 100*float64(c.TestError[k]))
		}
		p.Series = append(p.Series, s)
	}
	p.Y.Min, p.Y.Max = learningRange(p.Series)
	return p
}

// learningRange is the range of test errors in which learning curves differ: from just below
// the least point to 1.6 times the greatest end. Ends above three times the least are left
// out, since these methods learnt little. Without an end it is 0, 0.
func learningRange(all []figure.Series) (lo, hi float64) {
	var ends []float64
	lo = math.Inf(1)
	for _, s := range all {
		end := math.NaN()
		for _, y := range s.Y {
			if y == y {
				end, lo = y, min(lo, y)
			}
		}
		if end == end {
			ends = append(ends, end)
		}
	}
	for _, end := range ends {
		if end <= 3*slices.Min(ends) {
			hi = max(hi, 1.6*end)
		}
	}
	if !(lo < hi) {
		return 0, 0
	}
	const tenths = 10
	return math.Floor(0.9*lo*tenths) / tenths, math.Ceil(hi*tenths) / tenths
}

// weights is the panel of the histograms of all weights at the end, as densities.
func (n *report) weights(title, size string) figure.Panel {
	p := figure.Panel{Title: title, X: figure.Axis{Label: "weight"}, Y: figure.Axis{Label: "density"}}
	var lines []*line
	widest := 0.0
	for _, r := range n.table.Rows {
		if l := n.best(r.Name, size); r.Curve != "" && l != nil && l.layers != nil {
			lines = append(lines, l)
			widest = max(widest, weightsReach(l.layers))
		}
	}
	if widest == 0 {
		return p
	}
	const bins = 60
	edges := list.Map(list.Upto(bins+1), func(i int) float64 { return widest * (2*float64(i)/bins - 1) })
	for _, l := range lines {
		p.Series = append(p.Series,
			figure.Series{Name: l.row.Curve, Of: l.row.Sampler, Style: figure.Steps, X: edges,
				Y: weightsDensity(l.layers, edges)})
	}
	p.X.Min, p.X.Max = -widest, widest
	return p
}

// weightsReach is the least r such that at most 1% of the weights have |θ| > r, to within a bin.
func weightsReach(layers []study.Layer) float64 {
	const outside = 0.01
	within := func(r float64) float64 {
		return list.Sum(layers, func(y study.Layer) float64 { return weightsWithin(y, -r, r) })
	}
	far := 0.0
	for _, y := range layers {
		far = max(far, math.Abs(float64(y.Lo)), math.Abs(float64(y.Hi)))
	}
	total := within(far)
	if !(total > 0) || math.IsInf(far, 0) {
		return 0
	}
	lo, hi := 0.0, far
	for range 30 {
		if r := (lo + hi) / 2; within(r) >= (1-outside)*total {
			hi = r
		} else {
			lo = r
		}
	}
	return hi
}

// weightsDensity is the share of all layers' weights in each bin, divided by the bin's
// width. Weights are spread evenly over the bins in which they were counted.
func weightsDensity(layers []study.Layer, edges []float64) []float64 {
	total := 0.0
	for _, y := range layers {
		for _, k := range y.Counts {
			total += float64(k)
		}
	}
	all := make([]float64, len(edges)-1)
	for i := range all {
		all[i] = list.Sum(layers, func(y study.Layer) float64 { return weightsWithin(y, edges[i], edges[i+1]) })
		all[i] /= total * (edges[i+1] - edges[i])
	}
	return all
}

// weightsWithin is how many of a layer's weights lie from lo to hi.
func weightsWithin(y study.Layer, lo, hi float64) float64 {
	width := float64(y.Hi-y.Lo) / float64(len(y.Counts))
	if !(width > 0) {
		return 0
	}
	n := 0.0
	for i, k := range y.Counts {
		from := float64(y.Lo) + float64(i)*width
		if part := min(hi, from+width) - max(lo, from); part > 0 {
			n += float64(k) * min(1, part/width)
		}
	}
	return n
}

// pooledSD is the standard deviation of the weights about their layers' means: √(Σ N s² / Σ N), biases and all.
func pooledSD(layers []study.Layer) float64 {
	sum, n := 0.0, 0.0
	for _, y := range layers {
		sum += float64(y.N) * float64(y.SD) * float64(y.SD)
		n += float64(y.N)
	}
	return math.Sqrt(sum / n)
}
