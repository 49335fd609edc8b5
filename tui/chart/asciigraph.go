package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
	"github.com/psgld/psgld-tui/tui/theme"
)

// parts are what asciigraph draws: along, up and the four corners, in the order of the
// theme's characters.
const parts = "ABCDEF"

// axisBytes is asciigraph's axis, the first column of its picture.
const axisBytes = len("┤")

// pieceDots is the width in dots of the pieces in which curves are drawn: on a few columns
// a curve has few rows, and asciigraph's picture is as small.
const pieceDots = 24

// drawCurves draws each series by asciigraph on a grid of dots, piece by piece, and folds
// its pictures into cells. Series come in units of dots, so that asciigraph's own scale is
// exactly one, and with one edge more than the plot has columns of dots, since asciigraph
// draws the steps between points. It reports whether anything could be drawn.
func (p *linePlot) drawCurves() (some bool) {
	p.order = drawingOrder(len(p.series), p.Top)
	w, rows := p.W()*p.sx, p.H()*p.sy
	if w < 1 || rows < 2 {
		return false
	}
	var strokes [MaxSeries][]float64
	for _, i := range p.order {
		strokes[i] = p.stroke(i)
		some = some || slices.ContainsFunc(strokes[i], func(v float64) bool { return !math.IsNaN(v) })
	}
	if p.sy == 1 {
		for _, i := range p.order {
			p.copyPicture(i, strokes[i])
		}
		return some
	}
	weight := p.weights()
	cells := make([]folded, p.W()*p.H())
	for _, i := range p.order {
		for x := 0; x < w; x += pieceDots {
			p.foldPicture(cells, x, i, weight[i], strokes[i][x:min(x+pieceDots, w)+1])
		}
	}
	p.putCells(cells)
	return some
}

// copyPicture draws each character of asciigraph's picture of a series as the theme's.
func (p *linePlot) copyPicture(i int, stroke []float64) {
	glyphs := p.th.Glyphs.Lines[abs(p.series[i].Line)%len(p.th.Glyphs.Lines)]
	picture, y := asciigraphOf(stroke)
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

// A folded is the dots of a cell, those of series that are over others, and the weight of those
// that each series has.
type folded struct {
	bits, over uint8
	of         [MaxSeries]uint8
}

// dotWeight is the weight of a dot of a whole line.
const dotWeight = 8

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

// foldPicture adds a piece of a series to the cells of its columns: each character of
// asciigraph's picture is a dot, and on a projector a block of 2×2 dots.
func (p *linePlot) foldPicture(cells []folded, left, i int, weight uint8, piece []float64) {
	picture, y := asciigraphOf(piece)
	if picture == "" {
		return
	}
	y = p.H()*p.sy - 1 - y
	for line := range strings.SplitSeq(picture, "\n") {
		for k := range len(line) - axisBytes {
			if line[k+axisBytes] == ' ' {
				continue
			}
			x := left + k
			p.light(cells, x, y, i, weight)
			if p.th.Thick {
				p.light(cells, x+1, y, i, weight)
				p.light(cells, x, y+1, i, weight)
				p.light(cells, x+1, y+1, i, weight)
			}
		}
		y++
	}
}

// light lights a dot of a series in cells, column by column.
func (p *linePlot) light(cells []folded, x, y, i int, weight uint8) {
	if x >= 2*p.W() || y >= 4*p.H() {
		return
	}
	c, bit := &cells[x/2*p.H()+y/4], brailleBit[y&3<<1|x&1]
	c.bits |= bit
	if p.series[i].Over {
		c.over |= bit
	}
	c.of[i] += min(weight, 255-c.of[i])
}

// putCells draws the cells of a piece. A cell has the colour of the series with the most
// dots, of those with as many the one drawn last. Series that are over others have it alone.
func (p *linePlot) putCells(cells []folded) {
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
		p.Set(k/p.H(), k%p.H(), braille|rune(bits), p.series[most].Style)
	}
}

// stroke is the line by which a series is drawn.
func (p *linePlot) stroke(i int) []float64 {
	if p.sy > 1 {
		return dashed(p.grid[i], p.dashes(i))
	}
	return p.grid[i]
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
	withoutLabels = asciigraph.YAxisValueFormatter(func(float64) string { return "" })
	withParts     = asciigraph.SeriesChars(charSet)
)

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
