package chart

import (
	"math"
	"slices"
	"strings"

	"github.com/guptarohit/asciigraph"
	"github.com/psgld/psgld-tui/tui/theme"
)

// parts are what asciigraph draws: along, up and the four corners, in the order of the theme's characters.
const parts = "ABCDEF"

// plotting is how asciigraph draws all lines: in the characters of parts, without labels, beside an axis of one column.
var plotting = []asciigraph.Option{
	asciigraph.Offset(1),
	asciigraph.YAxisValueFormatter(func(float64) string { return "" }),
	asciigraph.SeriesChars(asciigraph.CharSet{
		Horizontal: parts[0:1], VerticalLine: parts[1:2],
		ArcDownRight: parts[2:3], ArcDownLeft: parts[3:4], ArcUpRight: parts[4:5], ArcUpLeft: parts[5:6],
		StartCap: parts[0:1], EndCap: parts[0:1],
	}),
}

// piece is the number of columns of each of asciigraph's pictures. On few columns a curve has few rows, and its
// picture few blank cells.
const piece = 48

// eachPart draws a line by asciigraph, in pieces, and calls put with each part of their pictures, at its column and
// its row from the bottom. The line's values are whole rows, NaN in a gap, so that asciigraph's own scale is exactly
// one. A column is the step from one value to the next.
func eachPart(line []float64, put func(x, y int, part byte)) {
	for from := 0; from+1 < len(line); from += piece {
		values, rows := line[from:min(from+piece+1, len(line))], NoValues()
		for _, v := range values {
			rows.Add(v)
		}
		if rows.Lo > rows.Hi {
			continue
		}
		for i, row := range strings.Split(asciigraph.Plot(values, plotting...), "\n") {
			for x, c := range []byte(row[len("┤"):]) {
				if c != ' ' {
					put(from+x, int(rows.Hi)-i, c)
				}
			}
		}
	}
}

// drawCurves draws each series by asciigraph on a grid of dots and folds these into cells. Series come in units of
// dots, and with one edge more than the plot has columns of dots. It reports whether anything could be drawn.
func (p *linePlot) drawCurves() (some bool) {
	p.order = drawingOrder(len(p.series), p.Top)
	if p.W() < 1 || p.H()*p.sy < 2 {
		return false
	}
	cells := make([]folded, p.W()*p.H())
	for _, i := range p.order {
		s, weight := &p.series[i], uint8(dotWeight*share(p.dashes(i)))
		glyphs := p.th.Glyphs.Lines[abs(s.Line)%len(p.th.Glyphs.Lines)]
		eachPart(p.stroke(i), func(x, y int, part byte) {
			some = true
			y = p.fromTop(float64(y))
			if p.sy == 1 {
				p.Set(x, y, rune(glyphs[part-parts[0]]), s.Style)
				return
			}
			p.light(cells, x, y, i, weight)
			if p.th.Thick {
				p.light(cells, x+1, y, i, weight)
				p.light(cells, x, y+1, i, weight)
				p.light(cells, x+1, y+1, i, weight)
			}
		})
	}
	p.putCells(cells)
	return some
}

// A folded is the dots of a cell, those of series that are over others, and the weight of those that each series has.
type folded struct {
	bits, over uint8
	of         [MaxSeries]uint8
}

// dotWeight is the weight of a dot of a whole line.
const dotWeight = 8

func (p *linePlot) dashes(i int) []uint8 {
	return p.th.Glyphs.Dashes[abs(p.series[i].Line)%len(p.th.Glyphs.Dashes)]
}

// share is the ratio of all dots of a line to those that its dashes leave: a broken line counts as much as a whole one.
func share(dashes []uint8) float64 {
	on, all := 0, 0
	for k, n := range dashes {
		if all += int(n); k%2 == 0 {
			on += int(n) + 1 // the line goes on to the next edge
		}
	}
	return max(float64(all), 1) / max(float64(on), 1)
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

// putCells draws the cells. A cell has the colour of the series with the most
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

// drawingOrder is the order in which n series are drawn. Series top, counted from 1, comes last.
func drawingOrder(n, top int) (order []int) {
	for i := range n {
		order = append(order, i)
	}
	if top < 1 || top > n {
		return order
	}
	return append(slices.Delete(order, top-1, top), top-1)
}
