package chart

import "github.com/psgld/psgld-tui/tui/plane"

// Place is where a chart has put its data, in cells of the plane, and the range
// that runs along it. OK is false for a chart that was too small for axes, or
// without data.
type Place struct {
	Plot plane.Rect
	Range
	Log bool
	OK  bool
}
