package stage

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// drawTop draws the marginal of the first coordinate above a plot: a histogram of the draws
// of up to two lanes on the plot's own axis, with the exact density as a line where it is
// known.
func (p *scene) drawTop(g plane.Region, f *pane.Frame, lanes ...*engine.LaneView) {
	win := p.at.win
	hist := chart.Histogram{Range: win.X, Empty: " ", Canvas: &p.canvas} // the plane is drawn already
	if p.plane {
		hist.Truth = p.Density.Marginal(0).Line
	}
	for _, v := range lanes {
		hist.Lanes = append(hist.Lanes, p.bars(f, v, g.W(), 0, win.X))
	}
	hist.Draw(g, f.Theme)
}

// drawSide draws the marginal of the second coordinate on the right of a plot of h rows.
func (p *scene) drawSide(g plane.Region, f *pane.Frame, v *engine.LaneView, h int) {
	win := p.at.win
	hist := chart.Histogram{Range: win.Y, Empty: " ", Canvas: &p.canvas, Side: true}
	if p.plane {
		hist.Truth = p.Density.Marginal(1).Line
	}
	hist.Lanes = []chart.HistSeries{p.bars(f, v, h, 1, win.Y)}
	hist.Draw(g.Sub(plane.Rect{W: g.W(), H: h}), f.Theme)
}

// bars is the histogram of a lane's newest draws of one coordinate.
func (p *scene) bars(f *pane.Frame, v *engine.LaneView, n, k int, r pane.Range) chart.HistSeries {
	return chart.LaneHist(f.Theme, f.LaneStyle(v).Line, shared.CountDensity(n, shared.Trail(v, k), r))
}

// drawTrace draws the second coordinate of a lane's newest draws on the rows of a plot, a
// column of dots each, and returns how many there are.
func (p *scene) drawTrace(g plane.Region, f *pane.Frame, v *engine.LaneView, h int) (n int) {
	win := p.at.win
	c := &p.canvas
	c.Reset(f.Theme, g.W(), h, win.Window)
	cols, _ := c.Dots()
	c.Reset(f.Theme, g.W(), h, chart.Window{X: pane.Range{Hi: float64(cols)}, Y: win.Y})
	line := func(ys []float64, pen chart.Pen) {
		ys = ys[max(len(ys)-cols, 0):]
		n = max(n, len(ys))
		from := float64(cols-len(ys)) + 0.5
		for i := range ys {
			c.Line(from+float64(max(i-1, 0)), ys[max(i-1, 0)], from+float64(i), ys[i], pen)
		}
	}
	chains := pane.Chains(v, cols*max(len(v.Chains), 1))
	for i := len(chains) - 1; i >= 0; i-- {
		line(chains[i].TrailY, chart.Pen{Style: f.ChainStyle(v, i), Layer: chart.LayerPoint})
	}
	if n == 0 {
		line(v.Passage[1], chart.Pen{Style: f.Theme.Faint, Layer: chart.LayerPoint, ASCII: asciiPassage})
	}
	c.Draw(g, f.Theme)
	return n
}

// drawBeside draws what stands around a plot: the marginals and the trace.
func (p *scene) drawBeside(r room, plot plane.Region, f *pane.Frame, side *engine.LaneView, above ...*engine.LaneView) {
	th := &f.Theme
	p.drawTop(r.top, f, above...)
	if side.Kind == sampler.Optimising && len(side.TrailX) == 0 {
		return
	}
	h := plot.H()
	if !r.side.Empty() {
		p.drawSide(r.side, f, side, h)
	}
	n := 0
	if !r.trace.Empty() {
		n = p.drawTrace(r.trace, f, side, h)
		r.trace.HLine(0, h, r.trace.W(), th.Glyphs.Horizontal, th.Faint)
	}
	p.nameBeside(r, f, side, h, n)
}

// nameBeside names the marginal and the trace below them.
func (p *scene) nameBeside(r room, f *pane.Frame, v *engine.LaneView, h, n int) {
	th := &f.Theme
	name := pane.ShortName(th, v.Names[1])
	row := r.side.H() - 1
	r.side.TextFit(0, row, r.side.W(), *th, name, th.Dim)
	if n == 0 {
		return
	}
	last := plane.Count(uint64(n)) + pane.Plural(n, " draw", " draws")
	at := r.trace
	for _, text := range []string{name + ", last " + last, "last " + last, last} {
		if plane.Width(text) <= at.W() {
			at.TextCenter(row, text, th.Dim)
			return
		}
	}
}
