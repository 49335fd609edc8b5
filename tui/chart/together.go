package chart

import (
	"math"
	"slices"

	"github.com/psgld/psgld-tui/tui/theme"
)

// drawEnds puts each series' glyph on the last point that it has, and beside those
// that are there already.
func (p *linePlot) drawEnds() {
	type cell struct{ x, y int }
	var taken []cell
	for _, i := range slices.Backward(p.order) { // the topmost first
		s, row := &p.series[i], p.grid[i]
		k := len(row) - 1
		for k >= 0 && math.IsNaN(row[k]) {
			k--
		}
		if s.Glyph == 0 || k < 0 {
			continue
		}
		at := cell{min(k, p.W()-1), p.rowAt(i, k)}
		for at.x > 0 && slices.Contains(taken, at) {
			at.x--
		}
		taken = append(taken, at)
		p.Set(at.x, at.y, s.Glyph, s.Style.With(theme.Bold))
	}
}

// beads is the number of columns from one bead of a hidden series to the next.
const beads = 12

// drawBeads puts the glyphs of series that others cover on the covering line, each
// in its own columns, so that each is seen.
func (p *linePlot) drawBeads() {
	for n, i := range p.order {
		s := &p.series[i]
		if s.Glyph == 0 {
			continue
		}
		for x := beads/2 + n*beads/(len(p.series)+1); x < p.W()-1; x += beads {
			if p.hidden(n, x-1) && p.hidden(n, x) && p.hidden(n, x+1) {
				p.Set(x, p.rowAt(i, x), s.Glyph, s.Style)
			}
		}
	}
}

// hidden reports whether a line that is drawn later than the n-th covers it at a
// column edge.
func (p *linePlot) hidden(n, x int) bool {
	i := p.order[n]
	return !math.IsNaN(p.grid[i][x]) && slices.ContainsFunc(p.order[n+1:], func(j int) bool {
		return !math.IsNaN(p.grid[j][x]) && p.rowAt(j, x) == p.rowAt(i, x)
	})
}
