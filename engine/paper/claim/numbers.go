package claim

import (
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/targets/tool/param"
)

// NoNumber stands in a table where there is no number, or none that can be trusted.
const NoNumber = "–"

// Decimal writes x with so many decimals.
func Decimal(x float64, decimals int) string {
	if math.IsNaN(x) || math.IsInf(x, 0) {
		return NoNumber
	}
	return strconv.FormatFloat(x, 'f', decimals, 64)
}

// Significant writes x with so many significant digits, but never fewer than stand before the point.
func Significant(x float64, digits int) string {
	a := math.Abs(x)
	switch {
	case math.IsNaN(x) || math.IsInf(x, 0):
		return NoNumber
	case a == 0:
		return "0"
	case a < 1e-4 || a >= 1e7:
		return short(strconv.FormatFloat(x, 'g', digits, 64))
	}
	// Rounding may carry into another digit, as 9.99 does to 10.
	e := strconv.FormatFloat(x, 'e', digits-1, 64)
	exp, err := strconv.Atoi(e[strings.IndexByte(e, 'e')+1:])
	if err != nil {
		panic(err) // FormatFloat writes one
	}
	return strconv.FormatFloat(x, 'f', max(0, digits-1-exp), 64)
}

// Exactly writes x in the fewest digits that read back as x.
func Exactly(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }

// Shown writes x as Exactly does, for people: 1e-7 and not 1e-07.
func Shown(x float64) string { return short(Exactly(x)) }

// short is a number without zeros before its exponent.
func short(number string) string {
	return strings.Replace(strings.Replace(number, "e-0", "e-", 1), "e+0", "e+", 1)
}

// Whole writes a whole number with commas between its thousands.
func Whole[N int | uint64 | float64](n N) string {
	return param.Commas(strconv.FormatFloat(float64(n), 'f', 0, 64))
}

// Least is the first place of the least number, -1 if all are NaN.
func Least[T any](all []T, of func(T) float64) int {
	at := -1
	for i, x := range all {
		if v := of(x); !math.IsNaN(v) && (at < 0 || v < of(all[at])) {
			at = i
		}
	}
	return at
}
