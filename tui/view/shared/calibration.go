package shared

import (
	"math"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/wording"
)

// Calibration is a reliability diagram: the accuracy of a lane's predictions against
// their confidence. On the diagonal a lane is calibrated; below it is overconfident.
func Calibration() pane.Pane { return pane.Of("calibration", drawCalibration) }

func drawCalibration(g plane.Region, f *pane.Frame) {
	var canvas chart.Braille
	th := &f.Theme
	g.Term(wording.Calibration)
	in := g.Box(f.Theme, plane.Box{Title: "calibration", Right: "accuracy", Foot: "confidence"})
	plot := chart.Plot(in)
	lo := 1.0
	for _, v := range f.EachLane() {
		for _, b := range v.Reliability {
			if b.Count > 0 && b.Confidence >= 0 && b.Accuracy >= 0 {
				lo = min(lo, b.Confidence, b.Accuracy)
			}
		}
	}
	if lo >= 1 {
		in.TextCenter(in.H()/2, plane.FitTitle(f.Reason("no predictions yet"), in.W()), th.Faint)
		return
	}
	lo = float64(int(lo*5)) / 5
	all := chart.Window{X: pane.Range{Lo: lo, Hi: 1}, Y: pane.Range{Lo: lo, Hi: 1}}
	win := f.Window(pane.Confidence, pane.Accuracy, all).Free(plot.W(), plot.H())
	win.Axes(in, f.Theme, "", "")
	canvas.Reset(f.Theme, plot.W(), plot.H(), win.Window)
	canvas.Line(lo, lo, 1, 1, chart.Pen{Style: th.Truth, Layer: chart.LayerGrid, Dash: 2})
	for _, v := range f.EachLane() {
		look := f.LaneStyle(v)
		x, y, joined := 0.0, 0.0, false
		for _, b := range v.Reliability {
			if b.Count == 0 {
				continue
			}
			if joined {
				canvas.Line(x, y, b.Confidence, b.Accuracy,
					chart.Pen{Style: look.Style, Layer: chart.LayerLine, Dash: uint8(2 * look.Line)})
			}
			x, y, joined = b.Confidence, b.Accuracy, true
			canvas.Mark(x, y, look.Glyph, chart.Pen{Style: look.Style.With(theme.Bold), Layer: chart.LayerMark})
		}
	}
	canvas.Draw(plot, f.Theme)
	f.SetPlot(g, pane.PlaneOf(plot, pane.Confidence, pane.Accuracy, win, all))
	showBin(g, plot, f, win.Window)
}

// showBin shows each lane's bin nearest to the cross: its confidence, its accuracy and its number of rows.
func showBin(g, plot plane.Region, f *pane.Frame, win chart.Window) {
	at := f.DrawCross(plot, win, pane.Confidence, pane.Accuracy)
	if !at.OnX {
		return
	}
	var l pane.Line
	for i, v := range f.EachLane() {
		look := f.LaneStyle(v)
		k := pane.Nearest(len(v.Reliability), at.X, func(i int) float64 {
			if b := &v.Reliability[i]; b.Count > 0 {
				return b.Confidence
			}
			return math.NaN()
		})
		if k < 0 {
			continue
		}
		near := &v.Reliability[k]
		p := l.Add(i, "", look.Style, look.Style, string(look.Glyph)+" sure "+plane.Number(near.Confidence, 5))
		p.Text += ", right " + plane.Number(near.Accuracy, 5) + " of " + plane.Count(uint64(near.Count))
	}
	if len(l.Parts) > 0 {
		pane.ShowValues(g, f, &l)
	}
}
