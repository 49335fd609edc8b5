package pane

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/engine/tool/beside"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// discrepancyName is the name and title of its pane.
const discrepancyName = "Stein discrepancy"

// Discrepancy is a pane with the kernel Stein discrepancy of every lane, between the edges of the band that exact draws
// as many as the focused lane's would have.
func Discrepancy() Pane {
	p := Of(discrepancyName, drawDiscrepancy)
	p.Needs, p.Title, p.Why = quantity.Sampling, p.Name, "no lane samples: only a chain has a discrepancy"
	return p
}

func drawDiscrepancy(g plane.Region, f *Frame) {
	g.Term(wording.Discrepancy, wording.ExactDraws)
	l := newCurves(f, f.LogY)
	l.Empty = "not worked out yet"
	lanes := make([]stein.LaneCurve, len(f.Lanes()))
	if d := f.Snap.Discrepancy; d != nil {
		copy(lanes, d.Lanes)
	}
	has := func(p stein.LaneCurve) bool { return len(p.Points) > 0 }
	if first := slices.IndexFunc(lanes, has); first >= 0 {
		l.note = fmt.Sprintf("%.0f%% of a core, by ", 100*beside.Share)
		if at := f.FocusAt(); has(lanes[at]) {
			first = at
		}
		band := chart.Series{Style: f.Theme.Dim, Line: 2}
		low := discrepancies(f, lanes[first], band, func(p *stein.Point) float64 { return p.From })
		high := discrepancies(f, lanes[first], band, func(p *stein.Point) float64 { return p.To })
		high.Name = "exact draws"
		l.Series = append(l.Series, low, high)
	}
	var single []string // what is known of lanes with a point, which is no curve
	for i, v := range f.EachLane() {
		of := lanes[i]
		l.Series = append(l.Series,
			discrepancies(f, of, f.Series(v, f.LaneName(v)), func(p *stein.Point) float64 { return p.KSD }))
		if i == f.FocusAt() {
			l.Top = len(l.Series)
			switch {
			case of.Status == metrics.TooShort:
				l.Empty = f.Reason(wording.NoDiscrepancy(of.Status))
			case of.Status > metrics.OK:
				l.Empty = wording.NoDiscrepancy(of.Status)
			}
		}
		if len(of.Points) == 1 {
			p := &of.Points[0]
			single = append(single,
				fmt.Sprintf("%s %s, exact draws %s to %s", Letter(v.ID), plane.Number(p.KSD, 5),
					plane.Number(p.From, 5), plane.Number(p.To, 5)))
		}
	}
	if len(single) > 0 && !slices.ContainsFunc(lanes, func(p stein.LaneCurve) bool { return len(p.Points) > 1 }) {
		in := g.Box(f.Theme, plane.Box{Title: discrepancyName, Foot: l.note + axisName(f)})
		for in = in.Pad(1, 1, 0, 1); len(single) > 0; single = single[1:] {
			in = in.Pad(in.TextWrapped(single[0], f.Theme.Text), 0, 0, 0)
		}
		return
	}
	l.draw(g, f, discrepancyName)
}

// discrepancies adds to a series what y is of a lane's points.
func discrepancies(f *Frame, of stein.LaneCurve, s chart.Series, y func(p *stein.Point) float64) chart.Series {
	for i := range of.Points {
		p := &of.Points[i]
		s.X = append(s.X, f.At(&engine.Point{Step: p.Step, Epoch: p.Epoch, Seconds: p.Seconds}))
		s.Y = append(s.Y, y(p))
	}
	return s
}
