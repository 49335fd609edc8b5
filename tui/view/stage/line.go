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

// drawLine draws the newest draws of lanes on a line inside a pane's box, with the glyph of each
// where it stands.
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
			p.mark(row, at, c.Now[0], f.LaneStyle(v).Glyph, f.ChainStyle(v, k))
		}
	}
}

// mark puts a glyph above a place on a line.
func (p *scene) mark(row plane.Region, at chart.Place, x float64, glyph rune, style plane.Style) {
	t := (x - at.Lo) / at.Len() * float64(at.Plot.W)
	if t >= 0 && t < float64(at.Plot.W) {
		row.Set(at.Plot.X-row.Rect().X+int(t), 0, glyph, style.With(theme.Bold))
	}
}
