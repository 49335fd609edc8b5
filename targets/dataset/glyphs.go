package dataset

import (
	_ "embed"
	"encoding/json"
)

// A knot is a point that a pen passes, x to the right and y down in a unit
// square. The pen turns smoothly there unless it is a corner.
type knot struct {
	x, y   float64
	corner bool
}

// UnmarshalJSON reads [x, y], or [x, y, 1] for a corner.
func (k *knot) UnmarshalJSON(b []byte) error {
	var v [3]float64
	err := json.Unmarshal(b, &v)
	*k = knot{v[0], v[1], v[2] != 0}
	return err
}

// A glyph is one way to write a digit: strokes, each a run of knots, and how
// often it is used relative to the digit's other ways.
type glyph struct {
	Weight  float64
	Strokes [][]knot
}

//go:embed glyphs.json
var drawnGlyphs []byte

// glyphs are the ways to write each digit, glyphs.json.
func glyphs() (all [digits][]glyph) {
	if err := json.Unmarshal(drawnGlyphs, &all); err != nil {
		panic(err) // it is part of the program
	}
	return all
}
