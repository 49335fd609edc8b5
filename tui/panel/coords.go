package panel

import (
	"math"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/plane"
)

// coordTable is what view 4 shows of a target with too few parameters for a
// histogram: those that are watched, in every lane.
type coordTable struct{}

func (coordTable) draw(g plane.Region, f *Frame) {
	g, ok := f.pane(g, "parameters", -1)
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
		if k == 1 && f.problem().Dim() < 2 || row >= y {
			return
		}
		in.TextFit(0, row, label-1, f.Theme, shortName(th, f.lanes()[0].Names[k]), th.Title)
		for i, head := range [...]string{"mean", "sd", "τ"} {
			in.TextRight(label+(i+1)*cell, row, head, th.Dim)
		}
		row++
		for i := range f.lanes() {
			v := &f.lanes()[i]
			look := f.look(v)
			in.Set(0, row, look.Glyph, look.Style)
			in.TextFit(2, row, label-2, f.Theme, letter(v.ID), look.Style)
			coordRow(in, f, v, k, label, cell, row)
			row++
		}
		if c := &f.lanes()[0].Coords[k]; !math.IsNaN(c.TrueMean) {
			in.TextFit(0, row, label, f.Theme, "true", th.Truth)
			var l line
			l.add(0, "", th.Truth, th.Truth, plane.Number(c.TrueMean, numberWidth)).right(in, label+cell, row)
			l.add(0, "", th.Truth, th.Truth, plane.Number(c.TrueSD, numberWidth)).right(in, label+2*cell, row)
			row++
		}
		row++
	}
}

// coordRow writes a coordinate's mean with its error, its standard deviation
// and its τ.
func coordRow(g plane.Region, f *Frame, v *engine.LaneView, k, label, cell, y int) {
	th, c := &f.Theme, &v.Coords[k]
	var l line
	mean, sd, tau := l.add(0, "", th.Text, th.Text), l.add(0, "", th.Text, th.Text), l.add(0, "", th.Text, th.Text)
	mean.place(f, v, k, rowDecimals(f, meanXRow+estimateRow(k), cell-1), cell-1)
	switch {
	case samples(v):
		sd.trusted(f, c.SD, c.ACT)
		tau.estimate(f, c.ACT)
	case settled(v):
		sd.text = plane.Number(c.SD, numberWidth)
		tau.none(f)
	default:
		sd.none(f)
		tau.none(f)
	}
	mean.right(g, label+cell, y)
	sd.right(g, label+2*cell, y)
	tau.right(g, label+3*cell, y)
}
