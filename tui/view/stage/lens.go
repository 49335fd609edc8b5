package stage

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// The least plot with a lens in its lower left where no corner is blank, the lens's part of
// the plot, and its least magnification.
const (
	lensPlotW, lensPlotH = 40, 13
	lensPart             = 0.38
	lensLeast            = 3
)

// lensSizes are the sizes of a lens in a corner where the target has no mass. The smallest
// has no border. The insides have a middle cell.
var lensSizes = [...][2]int{{17, 9}, {13, 7}, {11, 5}, {7, 4}}

// corner is the largest corner of the plot for a lens in which no contour is, the lower left
// of equals. It is empty if there is none.
func (p *scene) corner(f *pane.Frame) (lens plane.Region) {
	plot := p.at.plot
	w, h := plot.Size()
	if !p.at.win.Valid() {
		return lens
	}
	if !p.plane {
		return p.aside()
	}
	set := p.Density.Contours(&f.Theme, w, h, p.at.win.Window, chart.Bend{}, chart.Bend{})
	for _, size := range lensSizes {
		x, y := w-size[0], h-size[1]
		if x < size[0] || 2*y < size[1] {
			continue
		}
		for _, at := range [...][2]int{{0, y}, {x, y}, {0, 0}, {x, 0}} {
			if r := (plane.Rect{X: at[0], Y: at[1], W: size[0], H: size[1]}); set.Blank(r) {
				return plot.Sub(r)
			}
		}
	}
	return p.aside()
}

// aside is the largest lower corner for a lens of what stands around a plot without a blank corner: of the trace on its
// right or below, or else the smallest one of the plot itself. It covers a third of a row at most.
func (p *scene) aside() (lens plane.Region) {
	at := [...]plane.Region{p.beside.trace, p.beside.below, p.at.plot}
	for i, g := range at {
		for _, size := range lensSizes {
			last := size == lensSizes[len(lensSizes)-1]
			x, y := g.W()-size[0], g.H()-size[1]
			if i == len(at)-1 && (!last || y < size[1]) || x < 2*size[0] || y < 0 || !last && 2*y < size[1] {
				continue
			}
			return g.Sub(plane.Rect{Y: y, W: size[0], H: size[1]})
		}
	}
	return lens
}

// drawLens draws the newest step magnified, if its arrows are too short in the plot, or the
// noise of the lanes' next steps, if the mark of the present state covers it.
func (p *scene) drawLens(f *pane.Frame, v *engine.LaneView) {
	switch {
	case v.Motion != nil:
		p.stepLens(f, v)
	case p.hides(v) && v.Diverged == nil && v.Local != [2]float64{}:
		p.noiseLens(f)
	}
}

// stepLens draws the newest step, which is known, magnified.
func (p *scene) stepLens(f *pane.Frame, v *engine.LaneView) {
	m, win, plot := v.Motion, p.at.win, p.at.plot
	at := p.corner(f)
	if at.W() < lensSizes[1][0] {
		if plot.W() < lensPlotW || plot.H() < lensPlotH {
			return
		}
		w, h := int(lensPart*float64(plot.W())), max(int(lensPart*float64(plot.H())), 7)
		at = plot.Sub(plane.Rect{Y: plot.H() - h, W: w, H: h})
	}
	part := func(k int) pane.Range {
		all := []float64{m.From[k], m.From[k] + m.Drift[k], v.Now[k]}
		return pane.Range{Lo: slices.Min(all), Hi: slices.Max(all)}
	}
	x, y := part(0), part(1)
	w, h := float64(at.W()-2), float64(at.H()-2)
	dx, dy := win.X.Len()/float64(plot.W()), win.Y.Len()/float64(plot.H())
	// The magnification at which the step fits the lens with a margin.
	times := math.Floor(min(0.75*w*dx/x.Len(), 0.75*h*dy/y.Len()))
	if !(times >= lensLeast && times < 1e6) {
		return
	}
	around := func(r pane.Range, half float64) pane.Range { return pane.Range{Lo: r.Mid() - half, Hi: r.Mid() + half} }
	c, in := &p.canvas, p.lens(at, f, "this step", times)
	c.Reset(f.Theme, in.W(), in.H(), chart.Window{X: around(x, dx*w/times/2), Y: around(y, dy*h/times/2)})
	p.motion(f, v)
	look := f.LaneStyle(v)
	c.Point(m.From[0], m.From[1], chart.Pen{Style: look.Style, Layer: chart.LayerArrow, Thick: true})
	c.Draw(in, f.Theme)
}

// noiseLens draws the noise of the lanes' next steps magnified: as much in every lane, so that they can be compared.
func (p *scene) noiseLens(f *pane.Frame) {
	at, win, plot := p.corner(f), p.at.win, p.at.plot
	w, h := float64(at.W()-2), float64(at.H()-2)
	if small := lensSizes[len(lensSizes)-1]; at.H() == small[1] {
		w, h = w+2, h+1
	}
	dx, dy := win.X.Len()/float64(plot.W()), win.Y.Len()/float64(plot.H())
	times := math.Inf(1)
	for _, v := range f.EachLane() {
		if v.Diverged == nil {
			times = min(times, 0.45*w*dx/v.Local[0], 0.45*h*dy/v.Local[1])
		}
	}
	if times = math.Floor(times); !(times > 1 && times < 1e6) {
		return
	}
	c, in := &p.canvas, p.lens(at, f, "noise", times)
	c.Reset(f.Theme, in.W(), in.H(), chart.Window{
		X: pane.Range{Lo: -w * dx / times / 2, Hi: w * dx / times / 2},
		Y: pane.Range{Lo: -h * dy / times / 2, Hi: h * dy / times / 2},
	})
	for _, v := range p.lanes {
		p.ring(f, v, [2]float64{})
		c.Mark(0, 0, f.LaneStyle(v).Glyph, chart.Pen{Style: f.LaneStyle(v).Style})
	}
	c.Draw(in, f.Theme)
}

// lens draws the box of a lens with its magnification, and returns its inside.
func (p *scene) lens(at plane.Region, f *pane.Frame, title string, times float64) plane.Region {
	at.Fill(' ', plane.Style{})
	factor := "×" + plane.Count(uint64(times))
	all := title + " " + factor
	if small := lensSizes[len(lensSizes)-1]; at.H() == small[1] {
		foot, rest := at.Bounds().CutBottom(1)
		if all = title + factor; plane.Width(all) > at.W() {
			all = factor
		}
		at.Sub(foot).TextCenter(0, all, f.Theme.Dim)
		return at.Sub(rest)
	}
	if plane.Width(all)+4 <= at.W() {
		return at.Box(f.Theme, plane.Box{Title: all})
	}
	in := at.Box(f.Theme, plane.Box{Title: title})
	var l pane.Line
	l.Add(0, "", f.Theme.Dim, f.Theme.Dim, factor)
	lowerEdge(at, &l)
	return in
}
