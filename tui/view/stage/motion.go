package stage

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// motion draws the two parts of the newest step, if they are known: the gradient's drift
// as a thick arrow, and from its end the noise as a thin arrow to the present state.
func (p *scene) motion(f *pane.Frame, v *engine.LaneView) {
	c, th, m := &p.canvas, &f.Theme, v.Motion
	if m == nil {
		return
	}
	x, y := m.From[0]+m.Drift[0], m.From[1]+m.Drift[1]
	c.Arrow(x, y, v.Now[0], v.Now[1], chart.Pen{Style: th.Good.With(theme.Bold), Layer: chart.LayerArrow, ASCII: '-'})
	c.Arrow(m.From[0], m.From[1], x, y, chart.Pen{Style: th.Title, Layer: chart.LayerArrow, Thick: true, ASCII: '='})
}

// motionKey adds the two arrows of the newest step, which is known, and, in a pane with room for them, their lengths in
// the plane.
func motionKey(l *pane.Line, f *pane.Frame, v *engine.LaneView, long bool) {
	th, m := &f.Theme, v.Motion
	drift := math.Hypot(m.Drift[0], m.Drift[1])
	noise := math.Hypot(v.Now[0]-m.From[0]-m.Drift[0], v.Now[1]-m.From[1]-m.Drift[1])
	thick, thin := "━→ drift", "─→ noise"
	if th.ASCII {
		thick, thin = "=> drift", "-> noise"
	}
	if overlaid(f) {
		style := f.LaneStyle(v).Style
		l.Add(0, "", style, style, pane.Letter(v.ID))
	}
	first, second := l.Add(0, thick, th.Title, th.Title), l.Add(0, thin, th.Good, th.Good)
	if long {
		first.Text, second.Text = plane.Number(drift, pane.NumberWidth), plane.Number(noise, pane.NumberWidth)
	}
}
