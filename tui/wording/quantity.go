package wording

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/plane"
)

// None stands where a lane has no such quantity.
const None = "–"

// Estimate writes an estimate in a form, no wider than width, or says why there is none.
func Estimate(form quantity.Form, e metrics.Estimate, width int) string {
	if !e.OK() {
		return Withheld(e.Status)
	}
	return Number(form, e.Value, width)
}

// Number writes a number in a form, no wider than width. A share is a percentage with
// two decimals at most, a ratio has three.
func Number(form quantity.Form, x float64, width int) string {
	switch {
	case math.IsNaN(x):
	case form == quantity.Share:
		return plane.Measured(100*x, min(width-1, 5)) + "%"
	case form == quantity.Ratio && x < 100:
		return strconv.FormatFloat(x, 'f', 3, 64)
	case form == quantity.Count && x >= 0 && x < 1<<63 && x == math.Trunc(x):
		if s := plane.Count(uint64(x)); plane.Width(s) <= width {
			return s
		}
	}
	return plane.Number(x, width)
}

// WithError writes a number in a form with its standard error, if that is positive:
// 0.104 ± 0.031, 3.81 ± 0.40%.
func WithError(form quantity.Form, x, se float64, width int) string {
	switch {
	case !(se > 0):
		return Number(form, x, width)
	case form == quantity.Share:
		return plane.PlusMinus(100*x, 100*se, width-1) + "%"
	}
	return plane.PlusMinus(x, se, width)
}

// Withheld says why there is no number, short enough for a table.
func Withheld(s metrics.Status) string {
	switch s {
	case metrics.Absent, metrics.NotSampled:
		return None
	case metrics.OtherTruth:
		return "other truth"
	}
	return s.String()
}
