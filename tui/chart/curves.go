package chart

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/theme"
)

// The parts of a line: along, up and the four corners, in the order of the theme's characters.
const (
	along = iota
	up
	downRight
	downLeft
	upRight
	upLeft
)

// eachPart calls put with each part of a line, at its column and its row from the bottom. The line's values are whole
// rows, NaN in a gap. A column is the step from one value to the next, and beside a gap the one value that is there.
func eachPart(line []float64, put func(x, y, part int)) {
	for x, to := range line[1:] {
		from := line[x]
		switch {
		case math.IsNaN(from) && math.IsNaN(to):
		case math.IsNaN(from):
			put(x, int(to), along)
		case math.IsNaN(to) || from == to:
			put(x, int(from), along)
		default:
			begin, end := downLeft, upRight
			if from < to {
				begin, end = upLeft, downRight
			}
			put(x, int(from), begin)
			put(x, int(to), end)
			for y := int(min(from, to)) + 1; y < int(max(from, to)); y++ {
				put(x, y, up)
			}
		}
	}
}

// drawCurves draws each series on a grid of dots and folds these into cells. Series come in units of
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
		eachPart(p.stroke(i), func(x, y, part int) {
			some = true
			y = p.fromTop(float64(y))
			if p.sy == 1 {
				p.Set(x, y, rune(glyphs[part]), s.Style)
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
func drawingOrder(n, top int) []int {
	order := list.Upto(n)
	if top < 1 || top > n {
		return order
	}
	return append(slices.Delete(order, top-1, top), top-1)
}
