package predictions

import (
	"math"
	"strings"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/predict"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// shiftCharts draw the lanes' uncertainty against the amount of a shift.
type shiftCharts [len(shiftCurves)]shiftCurve

// leastChart is the least height of one of them.
const leastChart = 7

// chartShift is from which height on there is another one.
const chartShift = 9

// shiftCurves are what is drawn, what matters most first. The top of an axis is
// fixed where a quantity has one, and 0 elsewhere.
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

type shiftCurve struct {
	lines chart.Lines
	x, y  [engine.MaxLanes][]float64
}

func (s *shiftCharts) draw(g plane.Region, f *pane.Frame) {
	n := min(max(g.H()/chartShift, 1), len(s))
	var at [len(shiftCurves)]plane.Rect
	pane.Stack(at[:n], g.Bounds())
	for i := range n {
		s[i].draw(g.Sub(at[i]), f, i)
	}
}

func (c *shiftCurve) draw(g plane.Region, f *pane.Frame, which int) {
	v, q := shifting(f), &shiftCurves[which]
	if v == nil {
		return
	}
	g, ok := f.Begin(g, q.title, -1)
	if !ok {
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
	var l pane.Line
	c.lines.Series = c.lines.Series[:0]
	top, roomy := 0.0, in.W() >= len(f.Lanes())*(len("x A 0.00")+1)
	for i := range f.Lanes() {
		lane := &f.Snap.Lanes[i]
		look := f.LaneStyle(lane)
		value := math.NaN()
		c.x[i], c.y[i] = c.x[i][:0], c.y[i][:0]
		if i < len(v.Lanes) {
			for k := range v.Lanes[i].Curve {
				c.add(i, &v.Lanes[i].Curve[k], q.of)
			}
			value = q.of(&v.Lanes[i].Now)
			c.add(i, &v.Lanes[i].Now, q.of)
		}
		for _, y := range c.y[i] {
			if y > top && !math.IsInf(y, 1) {
				top = y
			}
		}
		p := l.Add(0, "", look.Style, look.Style)
		p.Text += string(look.Glyph) + " "
		if roomy {
			p.Text += pane.Letter(lane.ID) + " "
		}
		p.Text += decimals(value)
		c.lines.Series = append(c.lines.Series, chart.LaneSeries(f.Theme, pane.Slot(lane.ID), "", c.x[i], c.y[i]))
	}
	l.Draw(in.Sub(head), 1)
	if q.top > 0 {
		top = q.top
	}
	all := pane.Range{Lo: 0, Hi: scale.Max}
	shown := f.Shown(pane.ShiftAxis, all)
	if shown.Lo < 0 || shown.Hi > scale.Max { // a zoom of another kind
		shown = all
	}
	c.lines.X = chart.Scale{Fix: true, Lo: shown.Lo, Hi: shown.Hi}
	c.lines.Cross, c.lines.Crossed = f.Cross.On(pane.ShiftAxis)
	c.lines.Y = chart.Scale{Fix: true, Lo: 0, Hi: max(roundUp(top), 0.1)}
	c.lines.Marks = append(c.lines.Marks[:0], chart.VMark{X: min(v.Asked.Amount, scale.Max)})
	if c.lines.YWidth, c.lines.Empty = 4, "being worked out"; !predicted(f) {
		c.lines.Empty = "no draw to predict by"
	}
	c.lines.Draw(in.Sub(rest), f.Theme)
	c.values(g, in, f, which, all)
}

// values tells the values at the cross.
func (c *shiftCurve) values(g, in plane.Region, f *pane.Frame, which int, all pane.Range) {
	at := c.lines.Place()
	if !at.OK {
		return
	}
	f.SetPlot(shiftCurves[which].title, pane.Plot{Rect: at.Plot, AxisX: pane.ShiftAxis, X: pane.Range{Lo: at.Lo, Hi: at.Hi}, AllX: all})
	if !c.lines.Crossed {
		return
	}
	scale := shifting(f).Asked.Kind.Scale()
	var l pane.Line
	l.Add(0, scale.Name, f.Theme.Dim, f.Theme.Accent, pane.Exact(c.lines.Cross))
	for i := range c.lines.Series {
		s := &c.lines.Series[i]
		l.Add(1, "", s.Style, s.Style, string(s.Glyph)+" "+pane.Exact(pane.ValueAt(s, c.lines.Cross)))
	}
	pane.TellValues(g, in, f, &l, pane.CrossColumn(at, c.lines.Cross))
}

// add adds a point that is known and on the chart.
func (c *shiftCurve) add(i int, p *predict.ShiftPoint, of func(*predict.ShiftPoint) float64) {
	if y := of(p); !math.IsNaN(y) && !math.IsNaN(p.Amount) {
		c.x[i], c.y[i] = append(c.x[i], p.Amount), append(c.y[i], y)
	}
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
