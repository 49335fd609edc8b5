package stage

import (
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/shared"
)

// drawMarginal draws the marginal of watched coordinate k of up to two lanes on a plot's own axis: the first above the
// plot, the second on its right. It is a histogram of the draws, with the exact density as a line where it is known.
func (p *scene) drawMarginal(g plane.Region, f *pane.Frame, k int, lanes []*engine.LaneView) {
	shown, n := p.at.win.X, g.W()
	if k == 1 {
		shown, n = p.at.win.Y, g.H()
	}
	hist := chart.Histogram{Range: shown, Empty: " ", Canvas: &p.canvas, Side: k == 1} // the plane is drawn already
	if p.plane {
		hist.Truth = p.Density.Marginal(k).Line
	}
	for _, v := range lanes {
		hist.Lanes = append(hist.Lanes,
			chart.LaneHist(f.LaneStyle(v), shared.CountDensity(n, shared.Trail(v, k), shown)))
	}
	hist.Draw(g, f.Theme)
}

// drawTrace draws watched coordinate k of a lane's newest draws along a plot, with the lane's glyph on the newest: the
// second on its rows, a column of dots each, and the first on its columns, a row of dots each, from the oldest
// downwards. It returns how many draws they reach back.
func (p *scene) drawTrace(g plane.Region, f *pane.Frame, v *engine.LaneView, k int) (n int) {
	c, look, down := &p.canvas, f.LaneStyle(v), k == 0
	dots, cell := g.W(), 2
	if down {
		dots, cell = g.H(), 4
	}
	if f.Theme.Glyphs.Braille {
		dots *= cell
	}
	win := chart.Window{X: pane.Range{Hi: float64(dots)}, Y: p.at.win.Y}
	if down {
		win = chart.Window{X: p.at.win.X, Y: pane.Range{Hi: float64(dots)}}
	}
	c.Reset(f.Theme, g.W(), g.H(), win)
	line := func(of []float64, pen chart.Pen) {
		of = of[max(len(of)-dots, 0):]
		n = max(n, len(of))
		if down {
			c.Draws(true, float64(len(of))-0.5, -1, of, pen)
		} else {
			c.Draws(false, float64(dots-len(of))+0.5, 1, of, pen)
		}
	}
	most := dots * max(len(v.Chains), 1)
	chains := pane.Chains(v, most)
	for i := range slices.Backward(chains) {
		line(shared.ChainTrail(&chains[i], k), chart.Pen{Style: f.ChainStyle(v, i), Layer: chart.LayerPoint})
	}
	if of := shared.ChainTrail(&chains[0], k); len(of) > 0 {
		x, y := float64(dots)-0.5, of[len(of)-1]
		if down {
			x, y = y, 0.5
		}
		c.Mark(x, y, look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold)})
	} else {
		line(v.Passage[k], chart.Pen{Style: f.Theme.Faint, Layer: chart.LayerPoint, ASCII: asciiPassage})
	}
	c.Draw(g, f.Theme)
	return n * int(pane.Apart(v, most))
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

// drawBeside draws what stands around a plot: the marginal of the second coordinate of one lane, the traces of some,
// side by side, and above the marginal of the first coordinate of others and the legend. At the end of the horizontal
// axis it writes its name. An optimiser has a trace alone, and none where lanes are over each other.
func (p *scene) drawBeside(f *pane.Frame, side *engine.LaneView) {
	r, traces, above := &p.beside, p.lanes, p.lanes
	if overlaid(f) {
		above = list.Map(pane.DrawingLanes(f), func(i int) *engine.LaneView { return p.lanes[i] })
		traces = slices.DeleteFunc(slices.Clone(p.lanes),
			func(v *engine.LaneView) bool { return v.Kind == sampler.Optimising })
		switch {
		case len(above) == 0:
			return
		case side.Kind == sampler.Optimising:
			side = above[0]
		}
	}
	draws := side.Kind != sampler.Optimising
	th := &f.Theme
	first, name := pane.ShortName(th, side.Names[0]), pane.ShortName(th, side.Names[1])
	if draws {
		p.drawMarginal(r.top, f, 0, above)
	}
	if !r.below.Empty() {
		n := p.drawTrace(r.below, f, side, 0)
		blankText(r.below, th, traceNames(first, n)...)
	}
	if r.side.Empty() {
		return
	}
	if draws {
		p.drawLegend(r.legend, f, side)
		p.drawMarginal(r.side, f, 1, []*engine.LaneView{side})
	}
	if r.trace.W() < len(traces)*(leastTrace+1) {
		traces = []*engine.LaneView{side}
	}
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
			n := p.drawTrace(r.trace.Sub(at), f, traces[i], 1)
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

// endText writes the first text that fits at the end of a region's last row, and returns its width.
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
