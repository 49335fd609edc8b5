package sweep

import (
	"math"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// The least rows of a chart above its cells.
const leastChart = 4

// chart is the quantity against the parameter, a line a lane over the means of the seeds
// with bars of ± 2 standard errors, in the columns of the cells. The bias of the lanes that
// have an exact one is dotted in the chart of the error. A cell that diverged, and one that
// cannot be trusted, breaks the line.
func (p *heatPane) chart() *chart.Lines {
	th, s, share := &p.f.Theme, &p.scale, p.share()
	n := len(p.d.Values)
	c := &chart.Lines{
		X:      chart.Scale{Fix: true, Own: true, Range: pane.Range{Lo: -0.5, Hi: float64(n) - 0.5}},
		Y:      chart.Scale{Log: s.log, Fix: s.less || s.more, Range: pane.Range{Lo: share * s.Lo, Hi: share * s.Hi}},
		YWidth: p.x - 1, Cross: float64(p.cursor), Crossed: true, Empty: "no value yet",
	}
	if known, short := p.d.has(p.of); short && !known {
		c.Empty = "cannot be trusted"
	}
	lanes := p.d.lanes()
	for i := range lanes {
		look := &th.Lane[pane.Slot(lanes[i].ID)]
		l := lanes[i].series(p.of, n, share)
		l.Name, l.Style, l.Glyph, l.Line = pane.Letter(lanes[i].ID)+" "+lanes[i].Title, look.Style,
			look.Glyph, look.Line
		c.Series = append(c.Series, l)
	}
	if p.of == quantity.CovError {
		for i := range lanes {
			if l := lanes[i].series(quantity.CovBias, n, 1); len(l.X) > 1 {
				for k, bias := range l.Y { // what is far below the errors says nothing of them
					if !(bias >= s.Lo/2) {
						l.Y[k] = math.NaN()
					}
				}
				l.Style, l.Line, l.Low, l.High = th.Truth, 2, nil, nil
				c.Series = append(c.Series, l)
			}
		}
	}
	for _, v := range p.f.EachLane() {
		if x, ok := v.Setting.Values[p.d.Param.Key]; ok {
			c.Marks = append(c.Marks, chart.VMark{X: p.d.place(x)})
		}
	}
	return c
}

// share is the factor by which a chart of the quantity is drawn: a share is in %.
func (p *heatPane) share() float64 {
	if quantity.All[p.of].Form == quantity.Share {
		return 100
	}
	return 1
}

// series are a lane's means by cell, by a factor, with the ends of their bars. A cell that
// has not run is left out.
func (l *LaneCells) series(q quantity.ID, n int, share float64) (s chart.Series) {
	n = min(len(l.Cells), n)
	for _, of := range [...]*[]float64{&s.X, &s.Y, &s.Low, &s.High} {
		*of = make([]float64, 0, n)
	}
	for i := range n {
		c := &l.Cells[i]
		if c.Runs == 0 {
			continue
		}
		v := &c.Of[q]
		mean, bar := math.NaN(), math.NaN()
		if v.N > 0 && v.Untrusted == 0 && c.Diverged == 0 {
			mean, bar = share*v.Mean, 2*share*v.SE
		}
		s.X, s.Y = append(s.X, float64(i)), append(s.Y, mean)
		s.Low, s.High = append(s.Low, mean-bar), append(s.High, mean+bar)
	}
	return s
}

// drawNumbers writes the numbers of the cell under the cursor on the lower edge, and which
// cell that is where there is room.
func (p *heatPane) drawNumbers(g plane.Region) {
	th := &p.f.Theme
	const between = 2 // columns between numbers, and those of a lane's glyph
	var l pane.Line
	lanes := p.d.lanes()
	l.Add(len(lanes), "at", th.Dim, th.Accent, ValueText(p.d, p.cursor))
	for i, lane := range lanes {
		if !lane.Has {
			continue
		}
		look := &th.Lane[pane.Slot(lane.ID)]
		part := p.number(lane.cell(p.cursor), min((g.W()-4)/len(lanes)-2*between, wideValue))
		part.Label, part.LabelStyle, part.Rank = string(look.Glyph), look.Style, i
		l.Parts = append(l.Parts, &part)
	}
	pane.OnFoot(g, p.f, &l)
}
