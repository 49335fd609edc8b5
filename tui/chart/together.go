package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// drawEnds puts each series' glyph on the last point that it has, and beside those
// that are there already.
func (c *Lines) drawEnds(plot plane.Region, series []Series) {
	var taken [MaxSeries]struct{ x, y int }
	for n := range series {
		i := c.order[len(series)-1-n] // the topmost first
		s := &series[i]
		taken[n].x = -1
		if s.Glyph == 0 {
			continue
		}
		row := c.grid[i]
		k := len(row) - 1
		for k >= 0 && math.IsNaN(row[k]) {
			k--
		}
		if k < 0 {
			continue
		}
		x, y := min(k, plot.W()-1), c.rowAt(plot, i, k)
		for free := false; !free; {
			free = true
			for _, t := range taken[:n] {
				if t.x == x && t.y == y && x > 0 {
					x, free = x-1, false
				}
			}
		}
		taken[n].x, taken[n].y = x, y
		plot.Set(x, y, s.Glyph, s.Style.With(theme.Bold))
	}
}

// beads is the number of columns from one bead of a hidden series to the next.
const beads = 12

// drawBeads puts the glyphs of series that others cover on the covering line, each
// in its own columns, so that each is seen.
func (c *Lines) drawBeads(plot plane.Region, series []Series) {
	for n := range series {
		i := c.order[n]
		s := &series[i]
		if s.Glyph == 0 {
			continue
		}
		for x := beads/2 + n*beads/(len(series)+1); x < plot.W()-1; x += beads {
			if c.hidden(plot, series, n, x-1) && c.hidden(plot, series, n, x) && c.hidden(plot, series, n, x+1) {
				plot.Set(x, c.rowAt(plot, i, x), s.Glyph, s.Style)
			}
		}
	}
}

// hidden reports whether a line that is drawn later than the n-th covers it at a
// column edge.
func (c *Lines) hidden(plot plane.Region, series []Series, n, x int) bool {
	i := c.order[n]
	if math.IsNaN(c.grid[i][x]) {
		return false
	}
	for _, j := range c.order[n+1 : len(series)] {
		if !math.IsNaN(c.grid[j][x]) && c.rowAt(plot, j, x) == c.rowAt(plot, i, x) {
			return true
		}
	}
	return false
}

// rowAt is the row of the plot on which series i is at a column edge.
func (c *Lines) rowAt(plot plane.Region, i, x int) int {
	return plot.H() - 1 - int(math.Round(c.grid[i][x]))
}
