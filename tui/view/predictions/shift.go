package predictions

import (
	"math"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// shift is the snapshot's shift of the images, nil if no image can be shifted.
func shift(f *pane.Frame) *predict.ShiftView {
	if f.Snap == nil || f.Snap.Shift == nil || len(f.Snap.Shift.Kinds) == 0 || pictures(f) == nil {
		return nil
	}
	return f.Snap.Shift
}

// shifting is shift while a shift is on, else nil.
func shifting(f *pane.Frame) *predict.ShiftView {
	if v := shift(f); v != nil && v.Asked.Kind != targets.NoShift {
		return v
	}
	return nil
}

// viewOfImages is where the parts of the view of images go.
type viewOfImages struct{ head, images, bar plane.Rect }

// The widths of the charts beside the cards, and the least height of a view with a row
// for the shift.
const (
	leastShift              = 6
	leastCharts, mostCharts = 30, 64
)

func inView(all plane.Rect, f *pane.Frame) (at viewOfImages) {
	at.head, at.images = all.CutTop(1)
	if shift(f) != nil && all.H >= leastShift {
		at.bar, at.images = at.images.CutBottom(1)
	}
	return at
}

// cardsOf is the part with cards. The rest has charts.
func cardsOf(f *pane.Frame, at plane.Rect) plane.Rect {
	if shifting(f) != nil && at.W >= 2*leastCharts && at.H >= leastChart {
		_, at = at.CutRight(min(max(at.W*3/10, leastCharts), mostCharts))
	}
	return at
}

// shiftedImage is the shifted image of a test row, nil while it is unknown.
func shiftedImage(v *predict.ShiftView, row int) *predict.ShiftedImage {
	if v == nil || v.At.Kind != v.Asked.Kind {
		return nil
	}
	for i := range v.Images {
		if v.Images[i].Row == row {
			return &v.Images[i]
		}
	}
	return nil
}

// The columns of the bar.
const (
	barLabel  = "inputs "
	barName   = 8
	barSlider = 23
	barValue  = 8
)

// sliderOf is the slider's place on the row of the shift, empty without a shift or room.
func sliderOf(w int, v *predict.ShiftView) plane.Rect {
	x := 1 + len(barLabel) + barName + 1
	if v.Asked.Kind == targets.NoShift || !(v.Asked.Kind.Scale().Max > 0) || w < x+barSlider+barValue {
		return plane.Rect{}
	}
	return plane.Rect{X: x, W: barSlider, H: 1}
}

// The bindings of the slider.
const (
	DoSlide = "images.slide" // to the place that was hit
	DoTurn  = "images.turn"  // by a notch
)

// drawShiftBar draws the row that says how the images are shifted: the kind, a slider
// and the amount.
func drawShiftBar(g plane.Region, f *pane.Frame) {
	v := shift(f)
	if v == nil || g.Empty() {
		return
	}
	th := &f.Theme
	x := g.Text(1, 0, barLabel, th.Dim)
	s := v.Asked.Kind.Scale()
	if v.Asked.Kind == targets.NoShift {
		x = g.Text(x, 0, "as they are", th.Text)
		g.TextFit(x+2, 0, g.W()-x-3, f.Theme, f.KeyOf("browse and shift images")+" arrows choose and shift images · "+f.KeyOf("shift the inputs")+" what to shift by", th.Faint)
		return
	}
	g.TextFit(x, 0, barName, f.Theme, s.Name, th.Accent)
	at := sliderOf(g.W(), v)
	if at.Empty() {
		x += barName + 1
	} else {
		chart.Slider(g.Sub(at), f.Theme, v.Asked.Amount/s.Max, th.Accent)
		g.Zone(plane.Zone{Rect: at, ID: "shift", Click: plane.Call(DoSlide), Drag: plane.Call(DoSlide), Wheel: plane.Call(DoTurn)})
		x = at.X + at.W + 1
	}
	unit := s.Unit
	if th.ASCII && !plane.HasASCII(unit) {
		unit = " deg"
	}
	value := plane.Exact(v.Asked.Amount, 4) + unit
	x = g.TextFit(x, 0, g.W()-x-1, f.Theme, value, th.Accent)
	rest := g.Sub(plane.Rect{X: x + 2, W: g.W() - x - 3, H: 1})
	var l pane.Line
	doc := l.Add(2, "", th.Dim, th.Dim)
	doc.Text = s.Doc
	if v.Asked.Kind == targets.ShiftForeign && v.Foreign != "" {
		l.Add(1, "set", th.Dim, th.Text).Text = pane.Cut(v.Foreign, 12)
	}
	draws := 0
	for i := range v.Lanes {
		draws = max(draws, v.Lanes[i].Draws)
	}
	if draws > 0 {
		l.Add(0, "newest", th.Dim, th.Text, pane.DrawsText(uint64(draws)))
	}
	if v.Sample > 0 {
		l.Add(3, "charts of", th.Dim, th.Text, plane.Count(uint64(v.Sample))+" images")
	}
	l.Draw(rest, 2)
}

// shownImage is a prediction as a card draws it.
type shownImage struct {
	predict.Prediction
	pixels  []uint8                     // nil for the test image itself
	unsure  []predict.ShiftedPrediction // the lanes', nil for the test image itself
	waiting bool                        // for the prediction of the shifted image
	chosen  bool
}

// imageOf is a prediction as its card shows it.
func imageOf(p *predict.Prediction, f *pane.Frame) (s shownImage) {
	s.Prediction = *p
	v := shifting(f)
	if v == nil {
		return s
	}
	m := shiftedImage(v, p.Row)
	s.waiting = m == nil || v.At != v.Asked
	if m == nil {
		s.Lanes, s.Disagreement = nil, 0
		return s
	}
	s.pixels, s.unsure, s.Lanes = m.Pixels, m.Lanes, nil
	for i := range m.Lanes {
		s.Lanes = append(s.Lanes, m.Lanes[i].LanePrediction)
	}
	s.Disagreement = disagreement(s.Lanes)
	return s
}

// disagreement is the largest total variation distance between two lanes.
func disagreement(lanes []predict.LanePrediction) float64 {
	most := 0.0
	for i := range lanes {
		for k := range i {
			d := 0.0
			for c := range min(len(lanes[i].Mean), len(lanes[k].Mean)) {
				d += math.Abs(lanes[i].Mean[c]-lanes[k].Mean[c]) / 2
			}
			if d > most {
				most = d
			}
		}
	}
	return most
}

// unsureOf writes a lane's uncertainties of an image, in nats.
func unsureOf(l *pane.Line, f *pane.Frame, q []predict.ShiftedPrediction, i int) {
	if i >= len(q) || len(q[i].Mean) == 0 {
		return
	}
	th := &f.Theme
	l.Add(2, "H", th.Dim, th.Text, decimals(q[i].Entropy))
	l.Add(3, "I", th.Dim, th.Text, decimals(q[i].Mutual))
}

// decimals writes a number with two decimals.
func decimals(x float64) string {
	if !(math.Abs(x) < 1000) {
		return plane.Number(x, 4)
	}
	return plane.Fixed(x, 2)
}
