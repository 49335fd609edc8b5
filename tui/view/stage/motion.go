package stage

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// motion draws the two parts of the newest step, if they are known: the gradient's drift
// as a thick arrow, and from its end the noise as a thin arrow to the present state.
func (p *scene) motion(f *pane.Frame, v *engine.LaneView) {
	m := v.Motion
	if m == nil {
		return
	}
	arrows(&p.canvas, f, v)
}

// arrows draws the two parts of the newest step, which is known.
func arrows(c *chart.Braille, f *pane.Frame, v *engine.LaneView) {
	th, m := &f.Theme, v.Motion
	x, y := m.From[0]+m.Drift[0], m.From[1]+m.Drift[1]
	c.Arrow(x, y, v.Now[0], v.Now[1], chart.Pen{Style: th.Good.With(theme.Bold), Layer: chart.LayerArrow, ASCII: '-'})
	c.Arrow(m.From[0], m.From[1], x, y, chart.Pen{Style: th.Title, Layer: chart.LayerArrow, Thick: true, ASCII: '='})
}

// The least plot with a lens in its lower left, the lens's part of the plot, and its least
// magnification.
const (
	lensPlotW, lensPlotH = 40, 13
	lensPart             = 0.38
	lensLeast            = 3
)

// drawLens draws the newest step magnified, if its arrows are too short in the plot.
func (p *scene) drawLens(plot plane.Region, f *pane.Frame, v *engine.LaneView) {
	m := v.Motion
	if m == nil || plot.W() < lensPlotW || plot.H() < lensPlotH {
		return
	}
	win := p.canvas.Window()
	part := func(k int) pane.Range {
		all := []float64{m.From[k], m.From[k] + m.Drift[k], v.Now[k]}
		return pane.Range{Lo: slices.Min(all), Hi: slices.Max(all)}
	}
	x, y := part(0), part(1)
	lensW, lensH := int(lensPart*float64(plot.W())), max(int(lensPart*float64(plot.H())), 7)
	w, h := float64(lensW-2), float64(lensH-2)
	dx, dy := win.X.Len()/float64(plot.W()), win.Y.Len()/float64(plot.H())
	// The magnification at which the step fits the lens with a margin.
	times := math.Floor(min(0.75*w*dx/x.Len(), 0.75*h*dy/y.Len()))
	if !(times >= lensLeast && times < 1e6) {
		return
	}
	around := func(r pane.Range, half float64) pane.Range { return pane.Range{Lo: r.Mid() - half, Hi: r.Mid() + half} }
	at := plot.Sub(plane.Rect{Y: plot.H() - lensH, W: lensW, H: lensH})
	at.Fill(' ', plane.Style{})
	in := at.Box(f.Theme, plane.Box{Title: "this step"})
	var l pane.Line
	l.Add(0, "×", f.Theme.Dim, f.Theme.Dim, plane.Count(uint64(times)))
	lowerEdge(at, &l)
	c := new(chart.Braille)
	c.Reset(f.Theme, in.W(), in.H(), chart.Window{X: around(x, dx*w/times/2), Y: around(y, dy*h/times/2)})
	arrows(c, f, v)
	look := f.LaneStyle(v)
	c.Point(m.From[0], m.From[1], chart.Pen{Style: look.Style, Layer: chart.LayerArrow, Thick: true})
	c.Draw(in, f.Theme)
}

// motionKey adds the two arrows and their lengths in the plane.
func motionKey(l *pane.Line, f *pane.Frame, v *engine.LaneView) {
	m := v.Motion
	if m == nil {
		return
	}
	th := &f.Theme
	drift := math.Hypot(m.Drift[0], m.Drift[1])
	noise := math.Hypot(v.Now[0]-m.From[0]-m.Drift[0], v.Now[1]-m.From[1]-m.Drift[1])
	thick, thin := "━→ drift", "─→ noise"
	if th.ASCII {
		thick, thin = "=> drift", "-> noise"
	}
	l.Add(0, thick, th.Title, th.Title, plane.Number(drift, pane.NumberWidth))
	l.Add(0, thin, th.Good, th.Good, plane.Number(noise, pane.NumberWidth))
}
