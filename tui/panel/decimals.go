package panel

import (
	"math"
	"strconv"

	"github.com/psgld/psgld-tui/tui/plane"
)

// decimalsFor are the decimals at which an error has two digits, or one where there
// is no more room in a width.
func decimalsFor(x, se float64, width int) int {
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

// fixed writes a number with so many decimals.
func fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// plusMinusWidth is how wide plusMinus is.
func plusMinusWidth(x, se float64, decimals int) int {
	return len(fixed(x, decimals)) + len(" ~ ") + len(fixed(se, decimals))
}

// plusMinus writes a value and its standard error with so many decimals, without
// blanks between them if need be, or with the decimals that a width has room for.
func plusMinus(x, se float64, decimals, width int) string {
	if !plain(x, se) {
		return plane.Number(x, numberWidth) + " ± " + plane.Number(se, 6)
	}
	if plusMinusWidth(x, se, decimals)-len("  ") > width {
		decimals = decimalsFor(x, se, width)
	}
	sign := " ± "
	if plusMinusWidth(x, se, decimals) > width {
		sign = "±"
	}
	return fixed(x, decimals) + sign + fixed(se, decimals)
}

// mostDigits is a width in which every value and its error have room.
const mostDigits = 48

// plusMinusAlone is plusMinus for a value that stands alone.
func plusMinusAlone(x, se float64, width int) string {
	return plusMinus(x, se, decimalsFor(x, se, width), width)
}
