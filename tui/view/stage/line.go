package stage

import (
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// line reports whether the target has one coordinate. Its draws have no plane: a pane has their
// histogram over that coordinate with the density, and their trace is a chart beside the lanes.
func line(f *pane.Frame) bool { return f.Dim() == 1 }

// drawLine draws the newest draws of lanes on a line inside a pane's box, with the glyph of each where it stands.
func (p *scene) drawLine(box, g plane.Region, f *pane.Frame, lanes []int) {
	var keys []chart.Series
	for _, i := range lanes {
		v := &f.Snap.Lanes[i]
		keys = append(keys, f.Series(v, pane.Letter(v.ID)))
	}
	head, rest := g.Bounds().CutTop(1)
	at := p.Histogram(box, g.Sub(rest), f, 0, lanes, keys)
	if !at.OK {
		return
	}
	row := g.Sub(head)
	for _, i := range lanes {
		v := &f.Snap.Lanes[i]
		for k, c := range pane.Chains(v, 1) {
			if t := (c.Now[0] - at.Lo) / at.Len() * float64(at.Plot.W); t >= 0 && t < float64(at.Plot.W) {
				row.Set(at.Plot.X-row.Rect().X+int(t), 0, f.LaneStyle(v).Glyph, f.ChainStyle(v, k).With(theme.Bold))
			}
		}
	}
}
