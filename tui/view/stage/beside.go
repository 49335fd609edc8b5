package stage

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// drawTop draws the marginal of the first coordinate above a plot: a histogram of the draws
// of up to two lanes on the plot's own axis, with the exact density as a line where it is
// known.
func (p *scene) drawTop(g plane.Region, f *pane.Frame, lanes []*engine.LaneView) {
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

// drawSide draws the marginal of the second coordinate on the right of a plot.
func (p *scene) drawSide(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	win := p.at.win
	hist := chart.Histogram{Range: win.Y, Empty: " ", Canvas: &p.canvas, Side: true}
	if p.plane {
		hist.Truth = p.Density.Marginal(1).Line
	}
	hist.Lanes = []chart.HistSeries{p.bars(f, v, g.H(), 1, win.Y)}
	hist.Draw(g, f.Theme)
}

// bars is the histogram of a lane's newest draws of one coordinate.
func (p *scene) bars(f *pane.Frame, v *engine.LaneView, n, k int, r pane.Range) chart.HistSeries {
	return chart.LaneHist(f.Theme, f.LaneStyle(v).Line, shared.CountDensity(n, shared.Trail(v, k), r))
}

// drawTrace draws the second coordinate of a lane's newest draws on the rows of a plot, a
// column of dots each, with the lane's glyph on the newest, and returns how many there are.
func (p *scene) drawTrace(g plane.Region, f *pane.Frame, v *engine.LaneView) (n int) {
	c, look := &p.canvas, f.LaneStyle(v)
	dots := 2 * g.W()
	if !f.Theme.Glyphs.Braille {
		dots = g.W()
	}
	c.Reset(f.Theme, g.W(), g.H(), chart.Window{X: pane.Range{Hi: float64(dots)}, Y: p.at.win.Y})
	line := func(ys []float64, pen chart.Pen) {
		ys = ys[max(len(ys)-dots, 0):]
		n = max(n, len(ys))
		c.Draws(float64(dots-len(ys))+0.5, 1, ys, pen)
	}
	chains := pane.Chains(v, dots*max(len(v.Chains), 1))
	for i := len(chains) - 1; i >= 0; i-- {
		line(chains[i].TrailY, chart.Pen{Style: f.ChainStyle(v, i), Layer: chart.LayerPoint})
	}
	if ys := chains[0].TrailY; len(ys) > 0 {
		c.Mark(float64(dots)-0.5, ys[len(ys)-1], look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold)})
	} else {
		line(v.Passage[1], chart.Pen{Style: f.Theme.Faint, Layer: chart.LayerPoint, ASCII: asciiPassage})
	}
	c.Draw(g, f.Theme)
	return n
}

// drawBelow draws the first coordinate of a lane's newest draws on the columns of a plot, a row
// of dots each, from the oldest downwards, with the lane's glyph on the newest.
func (p *scene) drawBelow(g plane.Region, f *pane.Frame, v *engine.LaneView) {
	if g.Empty() {
		return
	}
	c, look := &p.canvas, f.LaneStyle(v)
	dots := 4 * g.H()
	if !f.Theme.Glyphs.Braille {
		dots = g.H()
	}
	c.Reset(f.Theme, g.W(), g.H(), chart.Window{X: p.at.win.X, Y: pane.Range{Hi: float64(dots)}})
	n := 0
	line := func(xs []float64, pen chart.Pen) {
		xs = xs[max(len(xs)-dots, 0):]
		n = max(n, len(xs))
		c.DrawsDown(float64(len(xs))-0.5, 1, xs, pen)
	}
	chains := pane.Chains(v, dots*max(len(v.Chains), 1))
	for i := len(chains) - 1; i >= 0; i-- {
		line(chains[i].TrailX, chart.Pen{Style: f.ChainStyle(v, i), Layer: chart.LayerPoint})
	}
	if xs := chains[0].TrailX; len(xs) > 0 {
		c.Mark(xs[len(xs)-1], 0.5, look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold)})
	} else {
		line(v.Passage[0], chart.Pen{Style: f.Theme.Faint, Layer: chart.LayerPoint, ASCII: asciiPassage})
	}
	c.Draw(g, f.Theme)
	blankText(g, &f.Theme, traceNames(pane.ShortName(&f.Theme, v.Names[0]), n)...)
}

// blankText writes the first text that has room on blank cells at an end of a row.
func blankText(g plane.Region, th *theme.Theme, texts ...string) {
	for _, text := range texts {
		n := plane.Width(g.Spell(text))
		for y := range g.H() {
			for _, x := range [...]int{g.W() - n, 0} {
				free := x >= 0
				for i := max(x-1, 0); i < min(x+n+1, g.W()); i++ {
					free = free && g.At(i, y) == 0
				}
				if free {
					g.Text(x, y, text, th.Dim)
					return
				}
			}
		}
	}
}

// drawBeside draws what stands around a plot: the marginal of the second coordinate of one
// lane, the traces of some, side by side, and above the marginal of the first coordinate of
// others and the legend. At the end of the horizontal axis it writes its name. An optimiser
// has a trace alone.
func (p *scene) drawBeside(f *pane.Frame, side *engine.LaneView, traces, above []*engine.LaneView) {
	r := &p.beside
	draws := side.Kind != sampler.Optimising
	if draws {
		p.drawTop(r.top, f, above)
	}
	p.drawBelow(r.below, f, side)
	if r.side.Empty() {
		return
	}
	if draws {
		p.drawLegend(r.legend, f, side)
		p.drawSide(r.side, f, side)
	}
	if r.trace.W() < len(traces)*(leastTrace+1) {
		traces = []*engine.LaneView{side}
	}
	th := &f.Theme
	first, name := pane.ShortName(th, side.Names[0]), pane.ShortName(th, side.Names[1])
	one := r.names.H() == 1 // with room for the axis' name alone
	left := plane.Width(r.names.Spell(name))
	if one {
		left = plane.Width(r.names.Spell(first))
	}
	free := r.names.W() // for the names on the left
	if !r.trace.Empty() {
		from := r.side.W() + 1
		free = from + r.trace.W()
		for i, at := range pane.Beside(r.trace.Bounds(), len(traces)) {
			of := name
			if overlaid(f) {
				of = pane.Letter(traces[i].ID)
			}
			if i > 0 {
				at = at.Pad(0, 0, 0, 1)
			}
			n := p.drawTrace(r.trace.Sub(at), f, traces[i])
			at.X += from
			r.names.HLine(at.X, 0, at.W, th.Glyphs.Horizontal, th.Faint)
			row := plane.Rect{X: at.X, W: at.W, H: r.names.H()}
			if i == 0 && (one || left < at.X) { // beside the name on the left
				row.X = left + 1
				row.W = max(row.W+at.X-row.X, 0)
			}
			used := endText(r.names.Sub(row), th, traceNames(of, n)...)
			if i == 0 {
				free -= r.trace.W() - at.W + used + 1
			}
		}
	}
	leftText := func(y, most int, text string, style plane.Style) {
		r.names.Set(r.names.TextFit(0, y, most, *th, text, style), y, ' ', plane.Style{})
	}
	if one {
		leftText(0, free, first, th.Text)
		return
	}
	leftText(0, r.names.W(), first, th.Text)
	if !draws {
		return
	}
	long := name
	if n := len(shared.Trail(side, 1)); n > 0 {
		long += " of " + pane.DrawsText(uint64(n))
	}
	if plane.Width(r.names.Spell(long)) > free {
		long = name
	}
	leftText(r.names.H()-1, free, long, th.Dim)
}

// traceNames are names of a trace of n draws, the longest first.
func traceNames(of string, n int) []string {
	if n == 0 {
		return []string{of}
	}
	last := pane.DrawsText(uint64(n))
	return []string{of + ", last " + last, "last " + last, last, of}
}

// endText writes the first text that fits at the end of a region's last row, and returns its
// width.
func endText(g plane.Region, th *theme.Theme, texts ...string) (width int) {
	for _, text := range texts {
		if width = plane.Width(g.Spell(text)); width <= g.W() {
			g.Set(g.W()-width-1, g.H()-1, ' ', plane.Style{})
			g.TextRight(g.W(), g.H()-1, text, th.Dim)
			return width
		}
	}
	return 0
}
