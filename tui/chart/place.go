package chart

import (
	"math"

	"github.com/psgld/psgld-tui/tui/plane"
)

// Place is where a chart has put its data, in cells of the plane, and the range
// that runs along it. OK is false for a chart that was too small for axes, or
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
