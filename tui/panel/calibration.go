package panel

import (
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/theme"
)

// calibration is a reliability diagram: of the rows to which a lane gives a top
// probability, the share on which it is right. On the diagonal it knows how sure
// it can be; below it is too sure of itself.
type calibration struct {
	canvas chart.Braille
	axes   chart.Axes
}

func (c *calibration) draw(g chart.Region, f *Frame) {
	g, ok := f.pane(g, "calibration", -1)
	if !ok {
		return
	}
	th := &f.Theme
	in := g.Box(f.Theme, chart.Box{Title: "calibration", Right: "accuracy", Foot: "confidence"})
	plot := c.axes.Plot(in)
	lo := 1.0
	for i := range f.lanes() {
		for _, b := range f.Snap.Lanes[i].Reliability {
			if b.Count > 0 && b.Confidence >= 0 && b.Accuracy >= 0 {
				lo = min(lo, b.Confidence, b.Accuracy)
			}
		}
	}
	if lo >= 1 {
		in.TextCenter(in.H()/2, "no predictions yet", th.Faint)
		return
	}
	lo = float64(int(lo*5)) / 5
	win := chart.Window{X0: lo, X1: 1, Y0: lo, Y1: 1}
	c.axes.Draw(in, f.Theme, win)
	c.canvas.Reset(f.Theme, plot.W(), plot.H(), win)
	c.canvas.Line(lo, lo, 1, 1, chart.Pen{Style: th.Truth, Layer: chart.LayerGrid, Dash: 2})
	for i := range f.lanes() {
		v := &f.Snap.Lanes[i]
		look := f.look(v)
		x, y, joined := 0.0, 0.0, false
		for _, b := range v.Reliability {
			if b.Count == 0 {
				continue
			}
			if joined {
				c.canvas.Line(x, y, b.Confidence, b.Accuracy, chart.Pen{Style: look.Style, Layer: chart.LayerLine, Dash: uint8(2 * look.Line)})
			}
			x, y, joined = b.Confidence, b.Accuracy, true
			c.canvas.Mark(x, y, look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold), Layer: chart.LayerMark})
		}
	}
	c.canvas.Draw(plot, f.Theme)
}
