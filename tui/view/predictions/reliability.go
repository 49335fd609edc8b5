package predictions

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/shared"
	"github.com/psgld/psgld-tui/tui/wording"
)

// reliability are the panes of a target with data but without pictures: the reliability diagram, the number of rows in
// each of its bins, and the rows with the largest disagreement.
func reliability(f *pane.Frame, all plane.Rect) []pane.Pane {
	if all.W < 40 {
		return []pane.Pane{shared.Calibration().In(all)}
	}
	diagram, counts := all.CutLeft(all.W / 2)
	rows := plane.Rect{}
	if n := pane.Most(f, usedBins) + 3; len(f.Snap.Predictions) > 0 && all.H-n >= leastRows {
		counts, rows = counts.CutTop(n)
	}
	shown := []pane.Pane{shared.Calibration().In(diagram), pane.Of("rows at each confidence", drawCounts).In(counts)}
	if !rows.Empty() {
		shown = append(shown, pane.Of(rowsPane, drawRows).In(rows))
	}
	return shown
}

// rowsPane is the name of the pane with the list of rows.
const rowsPane = "rows"

// The least height of the list of rows with its border, the most bins of the table of counts, and
// the least width of a lane's bars: the numbers on both sides are cut in fewer columns.
const leastRows, maxBins, leastCounts = 5, 20, 12

// usedBins is how many bins of a lane's predictions have rows.
func usedBins(v *engine.LaneView) (n int) {
	for i := range v.Reliability {
		if v.Reliability[i].Count > 0 {
			n++
		}
	}
	return n
}

// drawCounts draws each lane's number of rows in each bin of confidence.
func drawCounts(g plane.Region, f *pane.Frame) {
	title := "test rows at each confidence"
	if f.Any(quantity.NoTestSet) {
		title = "training rows at each confidence"
	}
	in := g.Box(f.Theme, plane.Box{Title: title})
	th := &f.Theme
	places := pane.Beside(in.Bounds(), len(f.Lanes()))
	for i, v := range f.EachLane() {
		gap := min(max(places[i].W/6, 1), 3)
		at := in.Sub(places[i].Pad(0, gap, 0, 0))
		look := f.LaneStyle(v)
		at.Set(0, 0, look.Glyph, look.Style)
		at.TextFit(2, 0, at.W()-2, f.Theme, pane.Letter(v.ID), look.Style)
		var bars []chart.Bar
		for k := range v.Reliability {
			b := &v.Reliability[k]
			if b.Count == 0 || len(bars) == maxBins {
				continue
			}
			label := plane.Number(math.Round(b.Confidence*100)/100, 4)
			bars = append(bars, chart.Bar{Label: label, Value: float64(b.Count), Style: look.Style})
		}
		if len(bars) == 0 {
			why := plane.FitTitle(f.Reason("no predictions yet"), at.W())
			at.TextFit(0, 1, at.W(), f.Theme, why, th.Faint)
		}
		if at.W() >= leastCounts {
			chart.Bars(at.Pad(1, 0, 0, 0), f.Theme, bars)
			continue
		}
		for k, b := range bars {
			at.Text(0, 1+k, b.Label, th.Text)
			at.TextRight(at.W(), 1+k, plane.Number(b.Value, at.W()-len(b.Label)-1), look.Style)
		}
	}
}

// drawRows lists the rows with the largest disagreement: the label, and each lane's
// probability of it with its standard deviation over the draws.
func drawRows(g plane.Region, f *pane.Frame) {
	th := &f.Theme
	title := "★ rows where the lanes are furthest apart"
	g.Term(wording.PlusMinus, wording.Apart)
	if len(f.Lanes()) < 2 {
		title = "the least certain rows"
	}
	in := g.Box(f.Theme, plane.Box{Title: title, Foot: "probability of the label ± sd"})
	const label = 18
	column := min((in.W()-label)/max(len(f.Lanes()), 1), 30)
	if column < 6 {
		return
	}
	in.TextRight(8, 0, "row", th.Dim)
	in.TextRight(label-2, 0, "label", th.Dim)
	for i, v := range f.EachLane() {
		look := f.LaneStyle(v)
		in.Set(label+i*column, 0, look.Glyph, look.Style)
		in.Text(label+i*column+2, 0, pane.Letter(v.ID), look.Style)
	}
	all := f.Snap.Predictions
	first := pane.FirstOf(f.Image, 0, in.H()-1, len(all))
	for k := range min(len(all)-first, in.H()-1) {
		p, y := &all[first+k], 1+k
		in.TextRight(8, y, plane.Count(uint64(max(p.Row, 0))+1), th.Dim)
		in.TextRight(label-2, y, strconv.Itoa(max(p.Label, 0)), th.Text)
		for i := range f.Lanes() {
			at := in.Sub(plane.Rect{X: label + i*column, Y: y, W: column - 1, H: 1})
			if i >= len(p.Lanes) || p.Label < 0 || p.Label >= len(p.Lanes[i].Mean) || p.Label >= len(p.Lanes[i].SD) {
				at.Text(0, 0, "no draw", th.Faint)
				continue
			}
			style := th.Bad
			if c, ok := topClass(p, i); ok && c == p.Label {
				style = th.Good
			}
			mean, sd := p.Lanes[i].Mean[p.Label], p.Lanes[i].SD[p.Label]
			text := plane.Number(mean, at.W()) // an optimiser's one prediction has no spread
			if sd > 0 {
				text = plane.PlusMinusIn(mean, sd, 2, at.W())
			}
			at.Text(0, 0, text, style)
		}
	}
}
