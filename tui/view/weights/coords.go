package weights

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// coordTable is what view 4 shows of a target with too few parameters for a
// histogram: those that are watched, in every lane.
type coordTable struct{}

func (coordTable) draw(g plane.Region, f *pane.Frame) {
	g, ok := f.Begin(g, "parameters", -1)
	if !ok {
		return
	}
	th := &f.Theme
	in := g.Box(f.Theme, plane.Box{Title: "the watched parameters", Right: "draws of this window"})
	in = in.Sub(in.Bounds().Pad(0, 1, 0, 1))
	y := in.H()
	in.TextFit(0, 0, in.W(), f.Theme, "Too few parameters for a histogram; view 2 has their marginals.", th.Dim)
	const label = 12
	cell := min((in.W()-label)/3, 24)
	if cell < 6 {
		return
	}
	row := 2
	for k := range 2 {
		if k == 1 && f.Problem().Dim() < 2 || row >= y {
			return
		}
		in.TextFit(0, row, label-1, f.Theme, pane.ShortName(th, f.Lanes()[0].Names[k]), th.Title)
		for i, head := range [...]string{"mean", "sd", "τ"} {
			in.TextRight(label+(i+1)*cell, row, head, th.Dim)
		}
		row++
		for i := range f.Lanes() {
			v := &f.Lanes()[i]
			look := f.LaneStyle(v)
			in.Set(0, row, look.Glyph, look.Style)
			in.TextFit(2, row, label-2, f.Theme, pane.Letter(v.ID), look.Style)
			coordRow(in, f, v, k, label, cell, row)
			row++
		}
		if c := &f.Lanes()[0].Coords[k]; !math.IsNaN(c.TrueMean) {
			in.TextFit(0, row, label, f.Theme, "true", th.Truth)
			var l pane.Line
			l.Add(0, "", th.Truth, th.Truth, plane.Number(c.TrueMean, pane.NumberWidth)).Right(in, label+cell, row)
			l.Add(0, "", th.Truth, th.Truth, plane.Number(c.TrueSD, pane.NumberWidth)).Right(in, label+2*cell, row)
			row++
		}
		row++
	}
}

// coordRow writes a coordinate's mean with its error, its standard deviation
// and its τ.
func coordRow(g plane.Region, f *pane.Frame, v *engine.LaneView, k, label, cell, y int) {
	th, c := &f.Theme, &v.Coords[k]
	var l pane.Line
	mean, sd, tau := l.Add(0, "", th.Text, th.Text), l.Add(0, "", th.Text, th.Text), l.Add(0, "", th.Text, th.Text)
	mean.Place(f, v, k, pane.MeanDecimals(f, k, cell-1), cell-1)
	switch {
	case pane.Samples(v):
		sd.Trusted(f, c.SD, c.ACT)
		tau.Estimate(f, c.ACT)
	case pane.Settled(v):
		sd.Text = plane.Number(c.SD, pane.NumberWidth)
		tau.None(f)
	default:
		sd.None(f)
		tau.None(f)
	}
	mean.Right(g, label+cell, y)
	sd.Right(g, label+2*cell, y)
	tau.Right(g, label+3*cell, y)
}
