package predictions

import (
	"math"
	"slices"
	"strings"

	"github.com/charmbracelet/x/ansi"

	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
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

// The widths of the charts beside the cards, and the least height of a view with a row for the shift.
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

// The bindings of the slider.
const (
	DoSlide = "images.slide" // to the place that was hit
	DoTurn  = "images.turn"  // by a notch
)

// drawShiftBar draws the row that says how the images are shifted: the kind, a slider and the amount.
func drawShiftBar(g plane.Region, f *pane.Frame) {
	v := shift(f)
	if v == nil || g.Empty() {
		return
	}
	th := &f.Theme
	x := g.Text(1, 0, barLabel, th.Dim)
	s := v.Asked.Kind.Scale()
	if v.Asked.Kind == targets.NoShift {
		x = g.Text(x, 0, "unshifted", th.Text)
		g.TextFit(x+2, 0, g.W()-x-3, f.Theme,
			f.KeyOf("browse and shift images")+" lets the arrows select images and shift them", th.Faint)
		return
	}
	g.TextFit(x, 0, barName, f.Theme, s.Name, th.Accent)
	x += barName + 1
	if s.Max > 0 && g.W() >= x+barSlider+barValue {
		at := plane.Rect{X: x, W: barSlider, H: 1}
		chart.Slider(g.Sub(at), f.Theme, v.Asked.Amount/s.Max, th.Accent)
		g.Zone(plane.Zone{Rect: at, ID: "shift", Click: plane.Call(DoSlide), Drag: plane.Call(DoSlide),
			Wheel: plane.Call(DoTurn)})
		x += barSlider + 1
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
		l.Add(1, "set", th.Dim, th.Text).Text = ansi.Truncate(v.Foreign, 12, "")
	}
	draws := list.Max(v.Lanes, func(s predict.ShiftLane) int { return s.Draws })
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
	s.pixels, s.unsure = m.Pixels, m.Lanes
	s.Lanes = list.Map(m.Lanes, func(l predict.ShiftedPrediction) predict.LanePrediction { return l.LanePrediction })
	s.Disagreement = predict.Disagreement(s.Lanes)
	return s
}

// unsureOf writes a lane's uncertainties of an image, in nats.
func unsureOf(l *pane.Line, f *pane.Frame, q []predict.ShiftedPrediction, i int) {
	if i >= len(q) || len(q[i].Mean) == 0 {
		return
	}
	th := &f.Theme
	l.Add(2, "H", th.Dim, th.Text, decimals(q[i].Entropy)).Term = wording.Entropy
	l.Add(3, "I", th.Dim, th.Text, decimals(q[i].Mutual)).Term = wording.Mutual
}

func decimals(x float64) string {
	if !(math.Abs(x) < 1000) {
		return plane.Number(x, 4)
	}
	return plane.Fixed(x, 2)
}

// leastChart is the least height of a chart of the shift.
const leastChart = 7

// chartShift is the height of each of several charts.
const chartShift = 9

// A shiftCurve is a chart of the shift. Top is the fixed end of the axis, 0 for none.
type shiftCurve struct {
	title string
	of    func(*predict.ShiftPoint) float64
	top   float64
	term  plane.Term
}

// shiftCurves are those that there are, the most important first.
var shiftCurves = [...]shiftCurve{
	{"entropy H, nats", func(p *predict.ShiftPoint) float64 { return p.Entropy }, 0, wording.Entropy},
	{"mutual information I", func(p *predict.ShiftPoint) float64 { return p.Mutual }, 0, wording.Mutual},
	{"error", func(p *predict.ShiftPoint) float64 { return p.Error }, 1, nil},
	{"confidence", func(p *predict.ShiftPoint) float64 { return p.Confidence }, 1, nil},
}

func (q *shiftCurve) draw(g plane.Region, f *pane.Frame) {
	v := shifting(f)
	if v == nil {
		return
	}
	g.Term(q.term)
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
		YWidth: 4, Empty: "being computed",
	}
	lines.Cross, lines.Crossed = f.Cross.On(pane.ShiftAxis)
	if !predicted(f) {
		lines.Empty = "no draw to predict with"
	}
	var l pane.Line
	top, roomy := 0.0, in.W() >= len(f.Lanes())*(len("x A 0.00")+1)
	for i, lane := range f.EachLane() {
		look := f.LaneStyle(lane)
		value, s := math.NaN(), f.Series(lane, "")
		if i < len(v.Lanes) {
			value = q.of(&v.Lanes[i].Now)
			for _, p := range append(slices.Clone(v.Lanes[i].Curve), v.Lanes[i].Now) {
				if y := q.of(&p); !math.IsNaN(y) && !math.IsNaN(p.Amount) {
					s.X, s.Y = append(s.X, p.Amount), append(s.Y, y)
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
		lines.Series = append(lines.Series, s)
	}
	l.Draw(in.Sub(head), 1)
	if q.top > 0 {
		top = q.top
	}
	lines.Y = chart.Scale{Fix: true, Range: pane.Range{Hi: chart.RoundUp(max(top, 0.1))}}
	if !f.SetAxis(g, lines.Draw(in.Sub(rest), f.Theme), pane.ShiftAxis, all) || !lines.Crossed {
		return
	}
	l = pane.Line{}
	l.Add(0, scale.Name, th.Dim, th.Accent, pane.Exact(lines.Cross))
	for i := range lines.Series {
		s := &lines.Series[i]
		l.Add(1, "", s.Style, s.Style, string(s.Glyph)+" "+pane.Exact(pane.ValueAt(s, lines.Cross)))
	}
	pane.ShowValues(g, f, &l)
}
