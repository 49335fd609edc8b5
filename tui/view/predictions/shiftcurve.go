package predictions

import (
	"math"
	"slices"
	"strings"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// leastChart is the least height of a chart of the shift.
const leastChart = 7

// chartShift is the height of each of several charts.
const chartShift = 9

// shiftCurves are the charts of the shift, the most important first. top is the fixed end
// of the axis, 0 for none.
var shiftCurves = [...]struct {
	title string
	of    func(*predict.ShiftPoint) float64
	top   float64
}{
	{"entropy H, nats", func(p *predict.ShiftPoint) float64 { return p.Entropy }, 0},
	{"mutual information I", func(p *predict.ShiftPoint) float64 { return p.Mutual }, 0},
	{"error", func(p *predict.ShiftPoint) float64 { return p.Error }, 1},
	{"confidence", func(p *predict.ShiftPoint) float64 { return p.Confidence }, 1},
}

// shiftPane is the pane of a chart of the shift.
func shiftPane(which int) pane.Pane {
	return pane.Of(shiftCurves[which].title, func(g plane.Region, f *pane.Frame) { drawShiftCurve(g, f, which) })
}

func drawShiftCurve(g plane.Region, f *pane.Frame, which int) {
	v, q := shifting(f), &shiftCurves[which]
	if v == nil {
		return
	}
	th := &f.Theme
	scale := v.Asked.Kind.Scale()
	foot := scale.Name
	if scale.Unit != "" && (!th.ASCII || plane.HasASCII(scale.Unit)) {
		foot += ", " + strings.TrimSpace(scale.Unit)
	}
	in := g.Box(f.Theme, plane.Box{Title: q.title, Foot: foot})
	if in.H() < 3 || in.W() < 12 {
		return
	}
	head, rest := in.Bounds().CutTop(1)
	all := pane.Range{Lo: 0, Hi: scale.Max}
	shown := f.Shown(pane.ShiftAxis, all)
	if shown.Lo < 0 || shown.Hi > scale.Max { // a zoom of another kind
		shown = all
	}
	lines := chart.Lines{
		X:      chart.Scale{Fix: true, Range: shown},
		Marks:  []chart.VMark{{X: min(v.Asked.Amount, scale.Max)}},
		YWidth: 4, Empty: "being worked out",
	}
	lines.Cross, lines.Crossed = f.Cross.On(pane.ShiftAxis)
	if !predicted(f) {
		lines.Empty = "no draw to predict by"
	}
	var l pane.Line
	top, roomy := 0.0, in.W() >= len(f.Lanes())*(len("x A 0.00")+1)
	for i, lane := range f.EachLane() {
		look := f.LaneStyle(lane)
		value := math.NaN()
		var xs, ys []float64
		if i < len(v.Lanes) {
			value = q.of(&v.Lanes[i].Now)
			for _, p := range append(slices.Clone(v.Lanes[i].Curve), v.Lanes[i].Now) {
				if y := q.of(&p); !math.IsNaN(y) && !math.IsNaN(p.Amount) {
					xs, ys = append(xs, p.Amount), append(ys, y)
					if y > top && !math.IsInf(y, 1) {
						top = y
					}
				}
			}
		}
		text := string(look.Glyph) + " "
		if roomy {
			text += pane.Letter(lane.ID) + " "
		}
		l.Add(0, "", look.Style, look.Style, text+decimals(value))
		lines.Series = append(lines.Series, chart.LaneSeries(f.Theme, pane.Slot(lane.ID), "", xs, ys))
	}
	l.Draw(in.Sub(head), 1)
	if q.top > 0 {
		top = q.top
	}
	lines.Y = chart.Scale{Fix: true, Range: pane.Range{Hi: max(roundUp(top), 0.1)}}
	if !f.SetAxis(g, lines.Draw(in.Sub(rest), f.Theme), pane.ShiftAxis, all) || !lines.Crossed {
		return
	}
	l = pane.Line{}
	l.Add(0, scale.Name, th.Dim, th.Accent, pane.Exact(lines.Cross))
	for i := range lines.Series {
		s := &lines.Series[i]
		l.Add(1, "", s.Style, s.Style, string(s.Glyph)+" "+pane.Exact(pane.ValueAt(s, lines.Cross)))
	}
	pane.ShowValues(g, in, f, &l)
}

// roundUp is the least of 1, 2, 2.5 and 5 times a power of ten that is not below
// x, so that the axis stands still.
func roundUp(x float64) float64 {
	if !(x > 0) || math.IsInf(x, 1) {
		return 0
	}
	p := math.Pow(10, math.Floor(math.Log10(x)))
	for _, m := range [...]float64{1, 2, 2.5, 5} {
		if m*p >= x {
			return m * p
		}
	}
	return 10 * p
}
