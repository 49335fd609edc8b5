package wording

import (
	"fmt"
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/stein"
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

// WithError writes a number in a form with its standard error, if that is positive: 0.104 ± 0.031, 3.81 ± 0.40%.
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
	case metrics.Irregular:
		return "no ratio of two"
	case metrics.NotStationary:
		return "not stationary"
	case metrics.NotHalved:
		return "not this method"
	}
	return s.String()
}

// NoStepBias says why the bias of a lane's step cannot be told; it is empty for any other reason than one of its own.
func NoStepBias(s metrics.Status) string {
	switch s {
	case metrics.Irregular:
		return "the differences between ε, ε/2 and ε/4 do not have a ratio of about two"
	case metrics.NotStationary:
		return "there is no stationary distribution at ε, ε/2 and ε/4"
	case metrics.NotHalved:
		return "this method has no companions at smaller steps"
	}
	return ""
}

// NoDiscrepancy says why a lane has no Stein discrepancy, or none yet; it is empty for OK.
func NoDiscrepancy(s metrics.Status) string {
	switch s {
	case metrics.OK:
		return ""
	case metrics.TooDear:
		return "too costly: a gradient over all data for each draw"
	case metrics.Tempered:
		return "T is not 1: the draws are not of the target"
	case metrics.Uneven:
		return "the step size changes: there is no one distribution"
	case metrics.TooShort:
		return fmt.Sprintf("too short: it takes %d draws, %d τ apart", stein.Least, stein.Spacing)
	}
	return Withheld(s)
}

// Duration writes a time in seconds in its two largest units: 1m40s, 2h05m.
func Duration(seconds float64) string {
	if !(seconds >= 0 && seconds < 1e9) {
		return "–"
	}
	switch n := uint64(math.Ceil(seconds)); {
	case n < 60:
		return fmt.Sprintf("%ds", n)
	case n < 3600:
		return fmt.Sprintf("%dm%02ds", n/60, n%60)
	case n < 86400:
		return fmt.Sprintf("%dh%02dm", n/3600, n/60%60)
	default:
		return fmt.Sprintf("%dd%02dh", n/86400, n/3600%24)
	}
}

// Ordinal writes 2 as 2nd. The numbers are powers of two.
func Ordinal(n uint64) string {
	if n%10 == 2 && n%100 != 12 {
		return plane.Commas(n) + "nd"
	}
	return plane.Commas(n) + "th"
}
