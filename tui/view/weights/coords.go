package weights

import (
	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/wording"
)

// moments are the columns of the table, each with the same of the truth; 0 for none.
var moments = [...]struct{ of, exact quantity.CoordID }{
	{quantity.Mean, quantity.TrueMean}, {quantity.SD, quantity.TrueSD}, {quantity.ACT, 0},
}

// drawTable draws the watched parameters of every lane, for a target with too few
// parameters for a histogram.
func drawTable(g plane.Region, f *pane.Frame) {
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "the watched parameters", Right: "draws since the last change"})
	g.Term(wording.Window)
	in = in.Pad(0, 1, 0, 1)
	in.TextFit(0, 0, in.W(), f.Theme, "Too few parameters for a histogram; view 2 has their marginals.", th.Dim)
	const label = 12
	cell := min((in.W()-label)/len(moments), 24)
	if cell < 6 {
		return
	}
	row := 2
	for k := range 2 {
		if k == 1 && f.Problem().Dim() < 2 || row >= in.H() {
			return
		}
		in.TextFit(0, row, label-1, f.Theme, pane.ShortName(th, f.Lanes()[0].Names[k]), th.Title)
		for i, m := range moments {
			in.TextRight(label+(i+1)*cell, row, quantity.Coordinates[m.of].Symbol, th.Dim)
		}
		row++
		decimals := f.Decimals(func(v *engine.LaneView) metrics.Estimate { return pane.MeanOf(v, k) }, cell-1)
		for _, v := range f.EachLane() {
			look := f.LaneStyle(v)
			in.Set(0, row, look.Glyph, look.Style)
			in.TextFit(2, row, label-2, f.Theme, pane.Letter(v.ID), look.Style)
			for i, m := range moments {
				p := pane.Part{Style: th.Text}
				q, e := &quantity.Coordinates[m.of], v.Coords[k].Values[m.of]
				switch {
				case m.of == quantity.Mean:
					if e = pane.MeanOf(v, k); e.Status == metrics.NotSampled {
						p.Text = "at " + plane.Number(v.Now[k], pane.NumberWidth)
						break
					}
					p.WithError(f, q, e, decimals, cell-1)
				case m.of == quantity.SD && trustOf(v, k) != metrics.OK:
					p.Withheld(f, trustOf(v, k))
				default:
					p.Estimate(f, q, e, cell-1)
				}
				p.Right(in, label+(i+1)*cell, row)
			}
			row++
		}
		if truth := &f.Lanes()[0].Coords[k].Values; truth[quantity.TrueMean].OK() {
			in.TextFit(0, row, label, f.Theme, "true", th.Truth)
			in.Row(row).Term(wording.True)
			for i, m := range moments {
				if m.exact != 0 {
					p := pane.Part{Style: th.Truth}
					p.Estimate(f, &quantity.Coordinates[m.exact], truth[m.exact], cell-1).Right(in, label+(i+1)*cell, row)
				}
			}
			row++
		}
		row++
	}
}

// trustOf is the status of the spread of watched coordinate k. A chain's is that of the
// coordinate's τ.
func trustOf(v *engine.LaneView, k int) metrics.Status {
	if pane.Samples(v) {
		return v.Coords[k].Values[quantity.ACT].Status
	}
	return v.Trust[quantity.Chain]
}
