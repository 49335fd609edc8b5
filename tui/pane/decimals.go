package pane

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/tui/plane"
)

// DecimalsFor are the decimals at which an error has two digits, or one where there
// is no more room in a width.
func DecimalsFor(x, se float64, width int) int {
	if !plain(x, se) {
		return 0
	}
	first := -int(math.Floor(math.Log10(se * 1.005))) // of the error once rounded
	decimals := max(first+1, 0)
	for decimals > max(first, 0) && plusMinusWidth(x, se, decimals) > width {
		decimals--
	}
	return decimals
}

// plain reports whether a value and its error are written with the same decimals.
func plain(x, se float64) bool { return se > 1e-6 && se < 1e3 && math.Abs(x) < 1e6 }

// Fixed writes a number with so many decimals.
func Fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// plusMinusWidth is how wide plusMinus is.
func plusMinusWidth(x, se float64, decimals int) int {
	return len(Fixed(x, decimals)) + len(" ~ ") + len(Fixed(se, decimals))
}

// PlusMinus writes a value and its standard error with so many decimals, without
// blanks between them if need be, or with the decimals that a width has room for.
func PlusMinus(x, se float64, decimals, width int) string {
	if !plain(x, se) {
		return plane.Number(x, NumberWidth) + " ± " + plane.Number(se, 6)
	}
	if plusMinusWidth(x, se, decimals)-len("  ") > width {
		decimals = DecimalsFor(x, se, width)
	}
	sign := " ± "
	if plusMinusWidth(x, se, decimals) > width {
		sign = "±"
	}
	return Fixed(x, decimals) + sign + Fixed(se, decimals)
}

// MostDigits is a width in which every value and its error have room.
const MostDigits = 48

// PlusMinusAlone is plusMinus for a value that stands alone.
func PlusMinusAlone(x, se float64, width int) string {
	return PlusMinus(x, se, DecimalsFor(x, se, width), width)
}

// MeanDecimals are the decimals of the means of watched coordinate k, the same for all
// lanes.
func MeanDecimals(f *Frame, k, width int) (decimals int) {
	for i := range f.Lanes() {
		v := &f.Snap.Lanes[i]
		if c := &v.Coords[k]; Samples(v) && c.MCSE.OK() {
			decimals = max(decimals, DecimalsFor(c.Mean, c.MCSE.Value, width))
		}
	}
	return decimals
}
