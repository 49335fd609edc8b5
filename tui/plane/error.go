package plane

import (
	"math"
	"strconv"
)

// Fixed writes a number with so many decimals.
func Fixed(x float64, decimals int) string { return strconv.FormatFloat(x, 'f', decimals, 64) }

// PlusMinus writes a value and its standard error, which has two digits, or one where
// a width has no room for more: 0.104 ± 0.031.
func PlusMinus(x, se float64, width int) string {
	return PlusMinusIn(x, se, ErrorDecimals(x, se, width), width)
}

// PlusMinusIn is PlusMinus with so many decimals. It leaves out the blanks where need
// be, and then decimals that the width has no room for.
func PlusMinusIn(x, se float64, decimals, width int) string {
	if !alike(x, se) {
		return Number(x, 7) + " ± " + Number(se, 6)
	}
	wide := func(sign string) int {
		return len(Fixed(x, decimals)) + Width(sign) + len(Fixed(se, decimals))
	}
	if wide("±") > width {
		decimals = ErrorDecimals(x, se, width)
	}
	sign := " ± "
	if wide(sign) > width {
		sign = "±"
	}
	return Fixed(x, decimals) + sign + Fixed(se, decimals)
}

// ErrorDecimals are the decimals at which a standard error has two digits, or one where
// there is no more room in a width.
func ErrorDecimals(x, se float64, width int) int {
	if !alike(x, se) {
		return 0
	}
	first := -int(math.Floor(math.Log10(se * 1.005))) // of the error once rounded
	decimals := max(first+1, 0)
	for decimals > max(first, 0) && len(Fixed(x, decimals))+len(" ~ ")+len(Fixed(se, decimals)) > width {
		decimals--
	}
	return decimals
}

// alike reports whether a value and its error are written with the same decimals.
func alike(x, se float64) bool { return se > 1e-6 && se < 1e3 && math.Abs(x) < 1e6 }
