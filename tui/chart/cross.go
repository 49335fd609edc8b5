package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// Place is where a chart has put its data, in cells of the plane, and the range
// that runs along it; ok is false for a chart that was too small for axes, or
// without data.
type Place struct {
	Plot   plane.Rect
	Lo, Hi float64
	Log    bool
	OK     bool
}

// At is the value under the middle of a column of the plane.
func (p Place) At(column int) float64 {
	return p.AtFrac((float64(column-p.Plot.X) + 0.5) / float64(max(p.Plot.W, 1)))
}

// AtFrac is the value at a fraction of the range.
func (p Place) AtFrac(t float64) float64 {
	if p.Log && p.Lo > 0 {
		return math.Exp(math.Log(p.Lo) + t*(math.Log(p.Hi)-math.Log(p.Lo)))
	}
	return p.Lo + t*(p.Hi-p.Lo)
}

// Place tells where the newest Draw has put the data.
func (c *Lines) Place() Place { return c.place }

// Place tells where the newest Draw has put the data.
func (c *Histogram) Place() Place { return c.place }

// drawCross draws a vertical line at Cross where the plot is blank, and on it
// each series' glyph at the height of its curve.
func (c *Lines) drawCross(plot plane.Region, th theme.Theme, series []Series, xa *axis) {
	f := xa.frac(c.Cross)
	if !c.Crossed || !(f >= 0 && f <= 1) {
		return
	}
	w, h := plot.Size()
	col := min(int(f*float64(w)), w-1)
	for y := range h {
		if r := plot.At(col, y); r == 0 || r == th.Glyphs.Reference || r == th.Glyphs.Mark {
			plot.Set(col, y, th.Glyphs.Vertical, th.Accent)
		}
	}
	edge := min(int(math.Round(f*float64(w))), w)
	for i, s := range series {
		v := c.grid[i][edge]
		if math.IsNaN(v) {
			continue
		}
		glyph := s.Glyph
		if glyph == 0 {
			glyph = th.Glyphs.Mean
		}
		plot.Set(col, h-1-int(math.Round(v)), glyph, s.Style.With(theme.Bold))
	}
}

// drawCross draws a vertical line at Cross above the bars.
func (c *Histogram) drawCross(plot plane.Region, th theme.Theme) {
	f := fracOf(c.Cross, c.Lo, c.Hi)
	if !c.Crossed || !(f >= 0 && f <= 1) {
		return
	}
	w, h := plot.Size()
	col := min(int(f*float64(w)), w-1)
	for y := range h {
		if plot.At(col, y) == 0 {
			plot.Set(col, y, th.Glyphs.Vertical, th.Accent)
		}
	}
}

// An outer is the point of a series that is nearest to the window from outside,
// at the place t in columns and with the value y; t is NaN if there is none.
type outer struct{ t, y float64 }

// toEdges gives a curve that goes on beyond a fixed window its values at the
// window's edges, so that it is not cut where its last point within happens to
// be.
func toEdges(row []float64, count []int32, gap []bool, left, right outer) {
	last := len(row) - 1
	first, final := -1, -1
	for j := range row {
		if count[j] > 0 {
			if first < 0 {
				first = j
			}
			final = j
		}
	}
	between := func(a, b outer, t float64) float64 {
		s := (t - a.t) / (b.t - a.t)
		return (1-s)*a.y + s*b.y
	}
	hasLeft, hasRight := !math.IsNaN(left.t), !math.IsNaN(right.t)
	blocked := func(from, to int) bool {
		for j := from; j <= to; j++ {
			if gap[j] {
				return true
			}
		}
		return false
	}
	if first < 0 {
		if hasLeft && hasRight && !blocked(0, last) {
			row[0], row[last] = between(left, right, 0), between(left, right, float64(last))
			count[0], count[last] = 1, 1
		}
		return
	}
	a, b := outer{float64(first), row[first]}, outer{float64(final), row[final]}
	if hasLeft && first > 0 && !blocked(0, first) {
		row[0], count[0] = between(left, a, 0), 1
	}
	if hasRight && final < last && !blocked(final, last) {
		row[last], count[last] = between(b, right, float64(last)), 1
	}
}
