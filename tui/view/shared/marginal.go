package shared

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Plane is the plane of the watched coordinates: the target's density in it, or the window of the draws.
type Plane struct {
	Density Density
	Draws   drawsWindow
	canvas  chart.Braille // of the marginals, for its storage
}

// marginalBins is the number of bins of a marginal's histogram.
const marginalBins = 48

// Marginal is the histogram of one watched coordinate over the newest draws, against
// the exact density where that is known.
func (p *Plane) Marginal(f *pane.Frame, k int) pane.Pane {
	name := [...]string{"marginal 1", "marginal 2"}[k]
	if len(pane.DrawingLanes(f)) == 0 {
		title := pane.ShortName(&f.Theme, f.Lanes()[0].Names[k])
		return pane.Pane{Name: name, Lane: -1, Title: title,
			Why: "no lane samples: an optimiser's path has no marginal"}
	}
	return pane.Of(name, func(g plane.Region, f *pane.Frame) { p.drawMarginal(g, f, k) })
}

func (p *Plane) drawMarginal(g plane.Region, f *pane.Frame, k int) {
	lanes := pane.DrawingLanes(f)
	var keys []chart.Series
	var longest uint64
	for _, i := range lanes {
		v := &f.Snap.Lanes[i]
		longest = max(longest, uint64(len(Trail(v, k)))*max(v.Every, 1))
		keys = append(keys, f.Series(v, pane.Letter(v.ID)))
	}
	title := pane.ShortName(&f.Theme, f.Lanes()[0].Names[k])
	switch {
	case longest == 1:
		title += ", last draw"
	case longest > 1:
		title += ", last " + plane.Count(longest) + " draws"
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	pane.Legend(g, f, title, keys)
	p.Histogram(g, in, f, k, lanes, keys)
}

// Histogram draws in a region of a pane the histogram of some lanes' newest draws of a watched coordinate, against the
// exact density where that is known. A target of one coordinate has its density before there are draws.
func (p *Plane) Histogram(g, in plane.Region, f *pane.Frame, k int, of []int, keys []chart.Series) chart.Place {
	axis := [...]pane.Axis{pane.CoordX, pane.CoordY}[k]
	hist := chart.Histogram{Axis: true, Empty: f.Reason(""), Canvas: &p.canvas}
	var win chart.Window
	hist.Bare = f.Dim() == 1
	if p.Density.Of(f.Problem()) || hist.Bare && p.Density.Frame.X.Len() > 0 {
		win = p.Density.Frame
	} else {
		win = p.Draws.Of(f)
	}
	if m := p.Density.Marginal(k); m != nil {
		hist.Truth = m.At
	}
	all := [...]pane.Range{win.X, win.Y}[k]
	hist.Range = f.Shown(axis, all)
	hist.Cross, hist.Crossed = f.Cross.On(axis)
	for _, i := range of {
		v := &f.Snap.Lanes[i]
		bins := CountDensity(marginalBins, Trail(v, k), hist.Range)
		hist.Lanes = append(hist.Lanes, chart.LaneHist(f.LaneStyle(v), bins))
	}
	for _, s := range f.Behind {
		for i := range s.Lanes {
			if v := &s.Lanes[i]; v.Watch == f.Focused().Watch && !f.Focused().Principal {
				bins := CountDensity(marginalBins, Trail(v, k), hist.Range)
				hist.Behind = append(hist.Behind, chart.PaleHist(f.LaneStyle(v), bins))
			}
		}
	}
	at := hist.Draw(in, f.Theme)
	if !f.SetAxis(g, at, axis, all) || !hist.Crossed || !hist.Contains(hist.Cross) {
		return at
	}
	width := hist.Len() / marginalBins
	bin := min(int((hist.Cross-hist.Lo)/width), marginalBins-1)
	var found []pane.BinValue
	for i, lane := range of {
		v := &f.Snap.Lanes[lane]
		b := pane.BinValue{Key: keys[i], Lo: hist.Lo + float64(bin)*width, Hi: hist.Lo + float64(bin+1)*width}
		for _, x := range Trail(v, k) {
			if s := (x - hist.Lo) / width; s >= float64(bin) && s < float64(bin+1) {
				b.Count++
			}
		}
		found = append(found, b)
	}
	pane.ShowBins(g, f, hist.Cross, found)
	return at
}

// Trail are a lane's newest draws of one watched coordinate: chain by chain, each oldest first.
func Trail(v *engine.LaneView, k int) []float64 {
	if len(v.Chains) == 0 {
		return [...][]float64{v.TrailX, v.TrailY}[k]
	}
	return slices.Concat(list.Map(v.Chains, func(c engine.ChainView) []float64 { return ChainTrail(&c, k) })...)
}

// ChainTrail are a chain's newest draws of one watched coordinate.
func ChainTrail(c *engine.ChainView, k int) []float64 { return [...][]float64{c.TrailX, c.TrailY}[k] }

// CountDensity counts a trail into n equal bins of a range as a density. Draws beyond it are in the total alone.
func CountDensity(n int, trail []float64, r pane.Range) []float64 {
	bins := make([]float64, n)
	if len(trail) == 0 || !(r.Hi > r.Lo) {
		return bins
	}
	scale := float64(n) / r.Len()
	for _, x := range trail {
		if t := (x - r.Lo) * scale; t >= 0 && t < float64(n) {
			bins[int(t)]++
		}
	}
	for i := range bins {
		bins[i] *= scale / float64(len(trail))
	}
	return bins
}
