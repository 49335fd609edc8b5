package chart

import (
	"cmp"
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
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
