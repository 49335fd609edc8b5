package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// An Interval is a distribution in a row of a forest: the ends of its 95% and 50% intervals
// and its mean. What is NaN is left out.
type Interval struct {
	Lo, LoMid, Mean, HiMid, Hi float64
	Glyph                      rune
	Style                      plane.Style
}

// A Forest is the scale that intervals in rows of one width share.
type Forest struct{ axis Axis }

// NewForest makes the scale of a range in so many columns.
func NewForest(r Range, cols int) Forest {
	return Forest{fitAxis(r.Open(), false, fitting{cells: cols, per: 7, width: forestLabel})}
}

// forestLabel is the columns of a tick's label.
const forestLabel = 7

// Axis writes the ticks in the first row of g and draws the line of zero below.
func (s *Forest) Axis(g plane.Region, th theme.Theme) {
	if zero := s.axis.frac(0); zero > 0 && zero < 1 {
		g.VLine(s.column(g, 0), 1, g.H()-1, th.Glyphs.Mark, th.Faint)
	}
	free := 0
	for _, v := range s.axis.ticks {
		label, at := s.axis.label(v, s.axis.step, forestLabel), s.column(g, v)
		left, right := labelSpan(at, label, g.W())
		if moved := left != at-plane.Width(label)/2; moved && len(s.axis.ticks) > 2 {
			continue // without marks a label is where its tick is
		}
		if left >= free {
			g.Text(left, 0, label, th.Dim)
			free = right + 1
		}
	}
}

// column is the column of a value, at an end of the scale for what lies beyond it.
func (s *Forest) column(g plane.Region, v float64) int {
	f := min(max(s.axis.frac(v), 0), 1)
	return min(max(int(math.Floor(f*float64(g.W()))), 0), g.W()-1)
}

// Band shades the rows of g between two values.
func (s *Forest) Band(g plane.Region, th theme.Theme, lo, hi float64) {
	if !(lo <= hi) || s.axis.frac(hi) < 0 || s.axis.frac(lo) > 1 {
		return
	}
	from := s.column(g, lo)
	at := g.Sub(plane.Rect{X: from, W: s.column(g, hi) - from + 1, H: g.H()})
	if th.NoColor || th.ASCII {
		at.Fill(th.Glyphs.Shade[1], th.Faint)
		return
	}
	at.Fill(' ', plane.Style{BG: truthShade(th)})
	if zero := s.axis.frac(0); zero > 0 && zero < 1 && lo <= 0 && hi >= 0 {
		g.VLine(s.column(g, 0), 0, g.H(), th.Glyphs.Mark, plane.Style{FG: th.Faint.FG, BG: truthShade(th)})
	}
}

// truthShade is the ground of what is exact.
func truthShade(th theme.Theme) plane.Color { return th.Ground.Blend(th.Truth.FG, 0.16) }

// Draw draws an interval in row 0 of g: 95% thin, 50% thick, the mean as a glyph.
func (s *Forest) Draw(g plane.Region, th theme.Theme, v Interval) {
	line := func(lo, hi float64, r rune) {
		if !(lo <= hi) || s.axis.frac(hi) < 0 || s.axis.frac(lo) > 1 {
			return
		}
		for x := s.column(g, lo); x <= s.column(g, hi); x++ {
			g.Set(x, 0, r, on(g, x, v.Style))
		}
	}
	line(v.Lo, v.Hi, th.Rune('─', '-'))
	line(v.LoMid, v.HiMid, th.Rune('━', '='))
	if f := s.axis.frac(v.Mean); f >= 0 && f <= 1 {
		x := s.column(g, v.Mean)
		g.Set(x, 0, v.Glyph, on(g, x, v.Style.With(theme.Bold)))
	}
}

// on is a style on the ground that is there.
func on(g plane.Region, x int, s plane.Style) plane.Style {
	s.BG = g.StyleAt(x, 0).BG
	return s
}
