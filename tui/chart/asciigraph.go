package chart

import (
	"math"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/guptarohit/asciigraph"

	"github.com/psgld/psgld-tui/tui/plane"
)

// firstSeriesColor is the 256-colour index that stands for series 0 in
// asciigraph's output; the following ones stand for the others. They are names,
// not colours: parse turns them back into styles.
const firstSeriesColor = 17

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
	parse(p.Region, p.asciigraph(), p.series)
	return true
}

// asciigraph is asciigraph's picture of the series.
func (p *linePlot) asciigraph() string {
	h := p.H()
	var rows [][]float64
	var sets []asciigraph.CharSet
	var colors []asciigraph.AnsiColor
	for _, i := range p.order {
		l := p.th.Glyphs.Lines[abs(p.series[i].Line)%len(p.th.Glyphs.Lines)]
		rows = append(rows, p.grid[i])
		sets = append(sets, asciigraph.CharSet{
			Horizontal: l.H, VerticalLine: l.V,
			ArcDownRight: l.DR, ArcDownLeft: l.DL, ArcUpRight: l.UR, ArcUpLeft: l.UL,
			StartCap: l.H, EndCap: l.H,
		})
		colors = append(colors, asciigraph.AnsiColor(firstSeriesColor+i))
	}
	return asciigraph.PlotMany(rows,
		asciigraph.Height(h-1),
		asciigraph.LowerBound(0), asciigraph.UpperBound(float64(h-1)),
		asciigraph.Offset(1), // one column of its axis, which is dropped
		asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
		asciigraph.SeriesColors(colors...),
		asciigraph.SeriesChars(sets...),
	)
}

// drawingOrder is the order in which n series are drawn. Series top, counted from 1,
// comes last.
func drawingOrder(n, top int) (order []int) {
	if top < 1 || top > n {
		top = n
	}
	for i := range n {
		if i != top-1 {
			order = append(order, i)
		}
	}
	return append(order, top-1)
}

// parse copies asciigraph's lines into g without their first column. What lies
// outside g is dropped.
func parse(g plane.Region, picture string, series []Series) {
	x, y := -1, 0
	var style plane.Style
	for len(picture) > 0 {
		switch picture[0] {
		case '\n':
			x, y, style = -1, y+1, plane.Style{}
			picture = picture[1:]
			continue
		case '\x1b':
			end := strings.IndexByte(picture, 'm')
			if end < 0 {
				return
			}
			style = seriesStyle(picture[:end], series)
			picture = picture[end+1:]
			continue
		}
		r, n := utf8.DecodeRuneInString(picture)
		picture = picture[n:]
		if r != ' ' && x >= 0 {
			g.Set(x, y, r, style)
		}
		x++
	}
}

// seriesStyle reads the colour index at the end of an SGR sequence.
func seriesStyle(sgr string, series []Series) plane.Style {
	n := 0
	for _, c := range sgr[strings.LastIndexAny(sgr, ";[")+1:] {
		if c < '0' || c > '9' || n > 255 {
			return plane.Style{}
		}
		n = n*10 + int(c-'0')
	}
	if i := n - firstSeriesColor; i >= 0 && i < len(series) {
		return series[i].Style
	}
	return plane.Style{}
}
