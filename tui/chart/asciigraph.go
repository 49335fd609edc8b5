package chart

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"
)

// asciigraph draws each part of each series as a character of its own, from firstPart on:
// partsOf of them a series. They stand for the theme's characters in the series' style.
const (
	firstPart = '\ue000'
	partsOf   = 6
)

// drawCurves draws the series by asciigraph and copies its picture cell by cell. They
// come in units of rows, so that asciigraph's own scale is exactly one and its picture
// exactly as high as the plot, and with one column edge more than the plot has
// columns, since asciigraph draws the steps between points. It reports whether
// anything could be drawn.
func (p *linePlot) drawCurves() bool {
	p.order = drawingOrder(len(p.series), p.Top)
	known := func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return !math.IsNaN(v) })
	}
	if p.W() < 1 || p.H() < 2 || !slices.ContainsFunc(p.grid, known) {
		return false
	}
	y := 0
	for line := range strings.SplitSeq(p.asciigraph(), "\n") {
		x := -1 // the first column is asciigraph's axis
		for _, r := range line {
			if part := int(r - firstPart); part >= 0 {
				s := &p.series[part/partsOf]
				l := p.th.Glyphs.Lines[abs(s.Line)%len(p.th.Glyphs.Lines)]
				glyph, _ := utf8.DecodeRuneInString([partsOf]string{l.H, l.V, l.DR, l.DL, l.UR, l.UL}[part%partsOf])
				p.Set(x, y, glyph, s.Style)
			}
			x++
		}
		y++
	}
	return true
}

// asciigraph is asciigraph's picture of the series.
func (p *linePlot) asciigraph() string {
	top := p.H() - 1
	var rows [][]float64
	var sets []asciigraph.CharSet
	for _, i := range p.order {
		part := func(k int) string { return string(rune(firstPart + partsOf*i + k)) }
		rows = append(rows, p.grid[i])
		sets = append(sets, asciigraph.CharSet{
			Horizontal: part(0), VerticalLine: part(1),
			ArcDownRight: part(2), ArcDownLeft: part(3), ArcUpRight: part(4), ArcUpLeft: part(5),
			StartCap: part(0), EndCap: part(0),
		})
	}
	return asciigraph.PlotMany(rows,
		asciigraph.Height(top),
		asciigraph.LowerBound(0), asciigraph.UpperBound(float64(top)),
		asciigraph.Offset(1), // one column of its axis, which is dropped
		asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
		asciigraph.SeriesChars(sets...),
	)
}

// drawingOrder is the order in which n series are drawn. Series top, counted from 1,
// comes last.
func drawingOrder(n, top int) (order []int) {
	for i := range n {
		order = append(order, i)
	}
	if top < 1 || top > n {
		return order
	}
	return append(slices.Delete(order, top-1, top), top-1)
}
