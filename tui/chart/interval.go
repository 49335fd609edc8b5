package chart

import (
	"cmp"
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A Range is a part of an axis. The zero Range stands for none, or for all of the axis.
type Range struct{ Lo, Hi float64 }

// NoValues is the range of no values, for Add to widen.
func NoValues() Range { return Range{math.Inf(1), math.Inf(-1)} }

// Add widens the range to a value, if that is finite.
func (r *Range) Add(v float64) {
	if !r.Contains(v) && finite(v) {
		r.Lo, r.Hi = min(r.Lo, v), max(r.Hi, v)
	}
}

// Set reports whether r has two finite ends and a length.
func (r Range) Set() bool { return r.Hi > r.Lo && !math.IsInf(r.Len(), 0) }

// Len is the length.
func (r Range) Len() float64 { return r.Hi - r.Lo }

// Mid is the middle.
func (r Range) Mid() float64 { return r.Lo/2 + r.Hi/2 }

// Contains reports whether v is in r or at an end of it.
func (r Range) Contains(v float64) bool { return v >= r.Lo && v <= r.Hi }

// Union covers both ranges.
func (r Range) Union(s Range) Range { return Range{min(r.Lo, s.Lo), max(r.Hi, s.Hi)} }

// Grow adds a fraction of the length at both ends.
func (r Range) Grow(frac float64) Range { return Range{r.Lo - frac*r.Len(), r.Hi + frac*r.Len()} }

// Open gives the range of one value some length: a tenth of the value's size either way.
func (r Range) Open() Range {
	if r.Lo != r.Hi || !finite(r.Lo) {
		return r
	}
	d := cmp.Or(math.Abs(r.Lo)/10, 1)
	if !finite(r.Lo-d) || !finite(r.Hi+d) {
		return r
	}
	return Range{r.Lo - d, r.Hi + d}
}

// Frac is where v lies in r: 0 and 1 at the ends, NaN where a log axis does not have v.
func (r Range) Frac(v float64, log bool) float64 {
	switch d := r.Len(); {
	case log && !(v > 0):
		return math.NaN()
	case log:
		// A ratio's logarithm keeps ends apart that differ in their last digits.
		if ends := r.Hi / r.Lo; !math.IsInf(ends, 0) {
			return math.Log(v/r.Lo) / math.Log(ends)
		}
		l := math.Log(r.Lo)
		return (math.Log(v) - l) / (math.Log(r.Hi) - l)
	case math.IsInf(d, 0):
		return (v/2 - r.Lo/2) / (r.Hi/2 - r.Lo/2)
	default:
		return (v - r.Lo) / d
	}
}

// At is the value at a fraction of r.
func (r Range) At(frac float64, log bool) float64 {
	if log && r.Lo > 0 {
		return math.Exp(math.Log(r.Lo) + frac*(math.Log(r.Hi)-math.Log(r.Lo)))
	}
	return r.Lo + frac*r.Len()
}

// Window is the rectangle of data that a plot shows.
type Window struct{ X, Y Range }

// Valid reports whether both sides are finite and of positive length.
func (w Window) Valid() bool { return w.X.Set() && w.Y.Set() }

// Grow adds a fraction of each side's length at both ends.
func (w Window) Grow(frac float64) Window { return Window{w.X.Grow(frac), w.Y.Grow(frac)} }

// Union covers both windows; an invalid one is ignored.
func (w Window) Union(v Window) Window {
	if !w.Valid() {
		return v
	}
	if !v.Valid() {
		return w
	}
	return Window{w.X.Union(v.X), w.Y.Union(v.Y)}
}

// Place is where a chart has put its data, in cells of the plane, and the range that runs along it. OK is false for a
// chart that was too small for axes, or without data.
type Place struct {
	Plot plane.Rect
	Range
	Log bool
	// Parts are those of a plot whose columns have several scales; nil for one.
	Parts []Part
	// Fine is over how many steps a trace draws the newest draws fine beside an envelope; 0 if all are on one axis.
	Fine uint64
	OK   bool
}

// A Part is some columns of a plot with a scale of their own.
type Part struct {
	From, Cols int
	Range
}

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
