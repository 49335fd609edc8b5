package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
	"github.com/psgld/psgld-tui/tui/theme"
)

// drawCurves draws each series: on the dots of cells, or where cells have no dots as asciigraph's
// characters. Series come in units of dots, with one edge more than the plot has columns of
// dots: a column has the step from one edge to the next. It reports whether anything could be
// drawn.
func (p *linePlot) drawCurves() (some bool) {
	p.order = drawingOrder(len(p.series), p.Top)
	if p.W() < 1 || p.H()*p.sy < 2 {
		return false
	}
	for _, i := range p.order {
		some = some || slices.ContainsFunc(p.grid[i], func(v float64) bool { return !math.IsNaN(v) })
		if p.sy == 1 {
			p.drawText(i)
		}
	}
	if p.sy > 1 {
		p.drawDots()
	}
	return some
}

// parts are what asciigraph draws: along, up and the four corners, in the order of the
// theme's characters.
const parts = "ABCDEF"

// axisBytes is asciigraph's axis, the first column of its picture.
const axisBytes = len("┤")

// drawText draws each character of asciigraph's picture of a series as the theme's. Series come
// in units of rows, so that asciigraph's own scale is exactly one.
func (p *linePlot) drawText(i int) {
	glyphs := p.th.Glyphs.Lines[abs(p.series[i].Line)%len(p.th.Glyphs.Lines)]
	picture, y := asciigraphOf(p.grid[i])
	y = p.H() - 1 - y
	for line := range strings.SplitSeq(picture, "\n") {
		for x := axisBytes; x < len(line); x++ {
			if part := strings.IndexByte(parts, line[x]); part >= 0 {
				p.Set(x-axisBytes, y, rune(glyphs[part]), p.series[i].Style)
			}
		}
		y++
	}
}

// A dotted is the dots of a cell, those of series that are over others, and the weight of those
// that each series has.
type dotted struct {
	bits, over uint8
	of         [MaxSeries]uint8
}

// dotWeight is the weight of a dot of a whole line.
const dotWeight = 8

// drawDots draws the series column by column of cells. In a column of dots a line has all dots
// from where it enters to where it leaves. On a projector a dot is a block of 2×2.
func (p *linePlot) drawDots() {
	weight := p.weights()
	var lines [MaxSeries][]float64
	for i := range p.series {
		lines[i] = dashed(p.grid[i], p.dashes(i))
	}
	cells := make([]dotted, p.H())
	for left := range p.W() {
		clear(cells)
		for _, i := range p.order {
			for x := 2 * left; x < 2*left+2; x++ {
				p.light(cells, x, i, lines[i][x:], weight[i])
				if p.th.Thick && x > 0 {
					p.light(cells, x, i, lines[i][x-1:], weight[i])
				}
			}
		}
		p.putCells(cells, left)
	}
}

// weights are those of a dot of each series.
func (p *linePlot) weights() (w [MaxSeries]uint8) {
	for i := range p.series {
		w[i] = uint8(dotWeight * share(p.dashes(i)))
	}
	return w
}

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

// light lights the dots of a line's step from its first edge to its next in a column of dots, all
// from the one to the other. At an end of the line it is a single dot.
func (p *linePlot) light(cells []dotted, x, i int, line []float64, weight uint8) {
	a, b := line[0], line[1]
	if math.IsNaN(a) {
		a = b
	}
	if math.IsNaN(b) {
		b = a
	}
	if math.IsNaN(a) {
		return
	}
	from, to := p.fromTop(max(a, b)), p.fromTop(min(a, b))
	if p.th.Thick {
		to = min(to+1, 4*len(cells)-1)
	}
	for y := from; y <= to; y++ {
		c, bit := &cells[y/4], brailleBit[y&3<<1|x&1]
		c.bits |= bit
		if p.series[i].Over {
			c.over |= bit
		}
		c.of[i] += min(weight, 255-c.of[i])
	}
}

// putCells draws a column of cells. A cell has the colour of the series with the most
// dots, of those with as many the one drawn last. Series that are over others have it alone.
func (p *linePlot) putCells(cells []dotted, left int) {
	for k := range cells {
		c := &cells[k]
		if c.bits == 0 {
			continue
		}
		most, bits := -1, c.bits
		if c.over != 0 {
			bits = c.over
		}
		for _, i := range p.order {
			if (c.over == 0 || p.series[i].Over) && (most < 0 || c.of[i] >= c.of[most]) {
				most = i
			}
		}
		p.Set(left, k, braille|rune(bits), p.series[most].Style)
	}
}

var charSet = asciigraph.CharSet{
	Horizontal: parts[0:1], VerticalLine: parts[1:2],
	ArcDownRight: parts[2:3], ArcDownLeft: parts[3:4], ArcUpRight: parts[4:5], ArcUpLeft: parts[5:6],
	StartCap: parts[0:1], EndCap: parts[0:1],
}

// asciigraphOf is asciigraph's picture of a line in units of rows, as high as the line
// needs, and the row of its first line, counted from the bottom. Without a value it is
// empty.
func asciigraphOf(line []float64) (picture string, top int) {
	low, high := math.Inf(1), math.Inf(-1)
	for _, v := range line {
		if v == v {
			low, high = min(low, v), max(high, v)
		}
	}
	if low > high {
		return "", 0
	}
	if low, high = math.Floor(low), math.Ceil(high); low == high { // asciigraph wants two rows
		low = max(low-1, 0)
		high = max(high, 1)
	}
	return asciigraph.Plot(line, asciigraph.Height(int(high-low)), asciigraph.LowerBound(low), asciigraph.UpperBound(high), oneColumn, withoutLabels, withParts), int(high)
}

// What all pictures have: one column of asciigraph's axis, which is dropped, no labels, and the
// characters of parts.
var (
	oneColumn     = asciigraph.Offset(1)
	withoutLabels = asciigraph.YAxisValueFormatter(noLabel)
	withParts     = asciigraph.SeriesChars(charSet)
)

func noLabel(float64) string { return "" }

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

// LineRune is character x of a piece of so many of one of the theme's lines, for a legend.
func LineRune(th theme.Theme, line, x, cells int) rune {
	if !th.Glyphs.Braille {
		return rune(th.Glyphs.Lines[line][0])
	}
	const middle = 3 // of the longest dash, so that its gap is seen
	piece, dots := dashed(make([]float64, 2*cells+middle+1), th.Glyphs.Dashes[line]), rune(braille)
	for k := range 2 {
		if !math.IsNaN(piece[2*x+k+middle]) {
			dots |= rune(brailleBit[2+k])
		}
	}
	return dots
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
