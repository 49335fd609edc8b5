package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
)

// asciigraph draws a series in its own letter, or in ASCII each part of a series: partsOf
// of them a series.
const (
	letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz"
	partsOf = 6
)

// The end of asciigraph's axis, which is the first column of its picture, in bytes.
const axisBytes = len("┤")

// drawCurves draws the series by asciigraph on a grid of dots and folds its picture into
// cells. They come in units of dots, so that asciigraph's own scale is exactly one and
// its picture exactly as high as the plot, and with one edge more than the plot has
// columns of dots, since asciigraph draws the steps between points. It reports whether
// anything could be drawn.
func (p *linePlot) drawCurves() bool {
	p.order = drawingOrder(len(p.series), p.Top)
	known := func(row []float64) bool {
		return slices.ContainsFunc(row, func(v float64) bool { return !math.IsNaN(v) })
	}
	if p.W() < 1 || p.H()*p.sy < 2 || !slices.ContainsFunc(p.grid, known) {
		return false
	}
	if p.sy == 1 {
		p.copyPicture()
	} else {
		p.foldPicture()
	}
	return true
}

// copyPicture draws each character of asciigraph's picture as the theme's.
func (p *linePlot) copyPicture() {
	y := 0
	for line := range strings.SplitSeq(p.asciigraph(), "\n") {
		for x := axisBytes; x < len(line); x++ {
			if part := strings.IndexByte(letters, line[x]); part >= 0 {
				s := &p.series[part/partsOf]
				l := p.th.Glyphs.Lines[abs(s.Line)%len(p.th.Glyphs.Lines)]
				p.Set(x-axisBytes, y, rune(l[part%partsOf]), s.Style)
			}
		}
		y++
	}
}

// A folded is the dots of a cell, and how many each series has.
type folded struct {
	bits uint8
	of   [MaxSeries]uint16
}

// The weight of a dot of a curve against one of an envelope.
const curveWeight = 9

// dashes are the dashes of a series.
func (p *linePlot) dashes(i int) []uint8 {
	return p.th.Glyphs.Dashes[abs(p.series[i].Line)%len(p.th.Glyphs.Dashes)]
}

// share is the ratio of all dots of a line to those that its dashes leave: a broken line
// counts as much as a whole one.
func share(dashes []uint8) float64 {
	on, all := 0, 0
	for k, n := range dashes {
		if all += int(n); k%2 == 0 {
			on += int(n) + 1 // the line goes on to the next edge
		}
	}
	return max(float64(all), 1) / max(float64(on), 1)
}

// foldPicture draws each character of asciigraph's picture as a dot. A cell has the
// colour of the series with the most dots, of those with as many the one drawn last, and
// of a curve rather than an envelope.
func (p *linePlot) foldPicture() {
	row := make([]folded, p.W())
	var weight [MaxSeries]uint16
	for i := range p.series {
		weight[i] = uint16(curveWeight * share(p.dashes(i)))
		if p.series[i].envelope() {
			weight[i] = 1
		}
	}
	y, before := 0, ""
	for line := range strings.SplitSeq(p.asciigraph(), "\n") {
		line = line[axisBytes:]
		p.light(row, line, y%p.sy, 0, &weight)
		if p.th.Thick {
			p.light(row, line, y%p.sy, 1, &weight)
			p.light(row, before, y%p.sy, 0, &weight)
			p.light(row, before, y%p.sy, 1, &weight)
		}
		before = line
		if y++; y%p.sy == 0 {
			p.putRow(row, y/p.sy-1)
			clear(row)
		}
	}
}

// light lights the dots of a line of the picture in a row of cells, moved to the right.
func (p *linePlot) light(row []folded, line string, y, right int, weight *[MaxSeries]uint16) {
	for x := range min(len(line), p.W()*p.sx-right) {
		c := line[x]
		if c == ' ' {
			continue
		}
		if i := int(c - letters[0]); i < len(p.series) {
			cell := &row[(x+right)/p.sx]
			cell.bits |= brailleBit[y<<1|(x+right)%p.sx]
			cell.of[i] += weight[i]
		}
	}
}

// putRow draws a row of cells.
func (p *linePlot) putRow(row []folded, y int) {
	for x := range row {
		c := &row[x]
		if c.bits == 0 {
			continue
		}
		most := p.order[0]
		for _, i := range p.order[1:] {
			if c.of[i] >= c.of[most] {
				most = i
			}
		}
		p.Set(x, y, braille|rune(c.bits), p.series[most].Style)
	}
}

// asciigraph is asciigraph's picture of the series.
func (p *linePlot) asciigraph() string {
	top := p.H()*p.sy - 1
	rows, sets := make([][]float64, 0, len(p.order)), make([]asciigraph.CharSet, 0, len(p.order))
	for _, i := range p.order {
		row, part := p.grid[i], func(int) string { return letters[i : i+1] }
		if p.sy == 1 {
			part = func(k int) string { return letters[partsOf*i+k:][:1] }
		}
		switch {
		case p.upper[i] != nil:
			row = zigzag(row, p.upper[i])
		case p.sy > 1:
			row = dashed(row, p.dashes(i))
		}
		rows = append(rows, row)
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

// zigzag goes from one curve to the other and back, so that asciigraph's steep parts fill
// what lies between.
func zigzag(low, high []float64) []float64 {
	row := slices.Clone(low)
	for j := 1; j < len(row); j += 2 {
		row[j] = high[j]
	}
	return row
}

// dashed is a curve with gaps at so many edges in turn: drawn, left out, drawn again.
func dashed(row []float64, dashes []uint8) []float64 {
	if len(dashes) == 0 {
		return row
	}
	row = slices.Clone(row)
	for j, k := 0, 0; j < len(row); k++ {
		n := int(dashes[k%len(dashes)])
		if k%2 == 1 {
			for i := j; i < min(j+n, len(row)); i++ {
				row[i] = math.NaN()
			}
		}
		j += n
	}
	return row
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
