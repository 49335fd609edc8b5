package plane

import (
	"math"
	"regexp"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/tool/param"
)

// Number writes x for a table column of the given width, in the way a person reads it: three significant digits below a
// thousand (0.153, 6.90, 899), whole numbers with separators below a million (1,016), then SI steps (1.9 M), and powers
// of ten below a thousandth (3.0e-6). Digits go before width does. A value that does not fit at all is "#". NaN is "–",
// infinities are "∞" and "-∞". The result is never wider than width, and empty for width < 1.
func Number(x float64, width int) string { return number(x, width, true) }

// Measured is Number for an estimate, which is whole only by chance: 4.00 below 4.25.
func Measured(x float64, width int) string { return number(x, width, false) }

// number writes a whole number without decimals if whole is set.
func number(x float64, width int, whole bool) string {
	switch {
	case width < 1:
		return ""
	case math.IsNaN(x):
		return "–"
	case math.IsInf(x, 1):
		return "∞"
	case math.IsInf(x, -1) && width < 2:
		return "#"
	case math.IsInf(x, -1):
		return "-∞"
	case x == 0:
		return "0"
	}
	fits := func(s string) bool { return utf8.RuneCountInString(s) <= width }
	a := math.Abs(x)
	if whole && a < 1000 && x == math.Trunc(x) {
		if s := strconv.Itoa(int(x)); fits(s) {
			return s
		}
		return "#"
	}
	switch {
	case a < 0.0009995:
	case a < 999.5:
		// Decimals for three significant digits, of the value once rounded.
		digits := 2 - int(math.Floor(math.Log10(a*1.0005)))
		for d := min(max(digits, 0), 5); d >= 0; d-- {
			if a < 1 && math.Round(a*math.Pow10(d)) == 0 {
				break // would read as zero
			}
			if s := strconv.FormatFloat(x, 'f', d, 64); fits(s) {
				if d < 2 && a < 0.1 || d < 1 && a < 1 {
					break // fewer than one honest digit
				}
				return s
			}
		}
	case a < 999_999.5:
		if s := Fixed(x, 0); fits(s) {
			return s
		}
		fallthrough
	case a < 999.5e12:
		if s := si(x, width); s != "" {
			return s
		}
	}
	for d := 1; d >= 0; d-- {
		if s := exponential(x, d, false); fits(s) {
			return s
		}
	}
	return "#"
}

// Exact writes x with so many significant digits at most and in the same notation
// as Number: 0.12346, 12.5, 123,460, 1.2346e-5.
func Exact(x float64, digits int) string {
	a := math.Abs(x)
	switch {
	case !(a > 0) || math.IsInf(a, 0):
		return Number(x, 8)
	case a < 0.0009995 || a >= 999_999.5:
		return exponential(x, max(digits-1, 0), true)
	case a >= 999.5 && digits <= 1+int(math.Log10(a)):
		return Fixed(roundSig(x, digits), 0)
	}
	decimals := max(digits-1-int(math.Floor(math.Log10(a))), 0)
	s := Fixed(x, decimals)
	if decimals > 0 {
		s = strings.TrimRight(strings.TrimRight(s, "0"), ".")
	}
	return s
}

// power is a number with an exponent of two digits or more, and what stands before it.
var power = regexp.MustCompile(`(^|[^0-9A-Za-z.])([0-9.]*[0-9])e([-+])0*([0-9])`)

// Exponents writes the powers of ten in a text as Number does: 1.0e-8 for 1e-08.
func Exponents(text string) string {
	return power.ReplaceAllStringFunc(text, func(s string) string {
		m := power.FindStringSubmatch(s)
		if len(m[2]) == 1 {
			m[2] += ".0"
		}
		return m[1] + m[2] + "e" + strings.TrimPrefix(m[3], "+") + m[4]
	})
}

// Commas writes every digit of n, with a comma at each thousand.
func Commas(n uint64) string { return param.Commas(strconv.FormatUint(n, 10)) }

// si writes x in thousands, millions, billions or trillions with one decimal, none,
// and then without the space. It returns nothing if none of these fit.
func si(x float64, width int) string {
	const units = "kMGT"
	i, scaled := 0, x/1e3
	for math.Abs(scaled) >= 999.5 && i < len(units)-1 {
		i, scaled = i+1, scaled/1e3
	}
	for d := 1; d >= 0; d-- {
		if d == 1 && math.Abs(scaled) >= 99.95 {
			continue
		}
		for _, space := range [...]string{" ", ""} {
			if s := strconv.FormatFloat(scaled, 'f', d, 64) + space + units[i:i+1]; len(s) <= width {
				return s
			}
		}
	}
	return ""
}

// exponential writes x as a power of ten with d decimals and a bare exponent:
// 3.0e-6, not 3.0e-06. Trimmed, it keeps no trailing zero beyond the first decimal.
func exponential(x float64, d int, trimmed bool) string {
	mantissa, exponent, _ := strings.Cut(strconv.FormatFloat(x, 'e', d, 64), "e")
	if trimmed {
		for strings.HasSuffix(mantissa, "0") && !strings.HasSuffix(mantissa, ".0") && len(mantissa) > 2 {
			mantissa = mantissa[:len(mantissa)-1]
		}
	}
	n, _ := strconv.Atoi(exponent)
	return mantissa + "e" + strconv.Itoa(n)
}

// Count writes a number of steps or draws: exact with separators below ten million (12,400), then two decimals of a SI
// unit (12.40 M, 1.20 G). It is cut, not rounded, so that a counter never shows a step it has not reached.
func Count(n uint64) string {
	if n < 10_000_000 {
		return Commas(n)
	}
	const units = "MGTPE"
	i, scale := 0, uint64(1_000_000)
	for n/scale >= 1000 && i < len(units)-1 {
		i, scale = i+1, scale*1000
	}
	frac := strconv.FormatUint(100+n%scale/(scale/100), 10)[1:]
	return strconv.FormatUint(n/scale, 10) + "." + frac + " " + units[i:i+1]
}

// Tick is the label of a tick: as many decimals as step needs, SI units from ten thousand, powers of ten for very small
// values. It drops the zero before the point if the label fits only without it.
func Tick(v, step float64, width int) string {
	switch a := math.Abs(v); {
	case math.IsInf(v, 0) || math.IsNaN(v):
	case step <= 0:
		return logTick(v, width)
	case a < step/1e6:
		return "0"
	case (a < 10_000 && step < 1000 || a < 1000) && step >= 0.9e-4:
		s := strconv.FormatFloat(v, 'f', decimalsOf(step), 64)
		if len(s) == width+1 {
			s = dropZero(s)
		}
		if len(s) <= width {
			return s
		}
	case a >= 1000 && a < 1e15:
		if s := tickSI(v, step); len(s) <= width {
			return s
		}
	}
	return Number(v, width)
}

// logTick is the label of a value that is a small multiple of a power of ten, as on a log axis.
func logTick(v float64, width int) string {
	switch a := math.Abs(v); {
	case a >= 0.0009995 && a < 9999.5:
		if s := strconv.FormatFloat(roundSig(v, 3), 'f', -1, 64); len(s) <= width {
			return s
		}
	case a >= 9999.5 && a < 999.5e12:
		unit := math.Pow(1000, math.Floor(math.Log10(a)/3+1e-12))
		if s := tickSI(roundSig(v, 3), unit); len(s) <= width {
			return s
		}
	}
	if s := exponential(v, 0, false); len(s) <= width && v != 0 && math.Abs(v/roundSig(v, 1)-1) < 1e-9 {
		return s
	}
	return Number(v, width)
}

// decimalsOf is the number of decimals that multiples of a step need.
func decimalsOf(step float64) int {
	first := math.Floor(math.Log10(step) + 1e-9)
	if lead := step / math.Pow(10, first); math.Abs(lead-2.5) < 1e-6 {
		first--
	}
	return max(0, -int(first))
}

// dropZero writes .5 for 0.5.
func dropZero(s string) string {
	if strings.HasPrefix(strings.TrimPrefix(s, "-"), "0.") {
		return strings.Replace(s, "0.", ".", 1)
	}
	return s
}

// tickSI writes 10k, 12.5k, 1.25M with the decimals that step needs.
func tickSI(v, step float64) string {
	const units = "kMGT"
	i, scale := 0, 1e3
	for math.Abs(v)/scale >= 1000 && i < len(units)-1 {
		i, scale = i+1, scale*1e3
	}
	return strconv.FormatFloat(v/scale, 'f', min(decimalsOf(step/scale), 6), 64) + units[i:i+1]
}

func roundSig(v float64, digits int) float64 {
	p := math.Pow(10, float64(digits-1)-math.Floor(math.Log10(math.Abs(v))))
	if math.IsInf(p, 0) || p == 0 {
		return v
	}
	return math.Round(v*p) / p
}

// Fixed writes a number with so many decimals, and commas.
func Fixed(x float64, decimals int) string {
	whole, frac, some := strings.Cut(strconv.FormatFloat(x, 'f', decimals, 64), ".")
	if some {
		frac = "." + frac
	}
	return param.Commas(whole) + frac
}

// PlusMinus writes a value and its standard error in the same notation. The error has two
// digits, or one where a width has no room for more: 0.104 ± 0.031, 1,780 ± 11, 1.37 ± 0.27 M.
func PlusMinus(x, se float64, width int) string {
	return PlusMinusIn(x, se, ErrorDecimals(x, se, width), width)
}

// PlusMinusIn is PlusMinus with so many decimals. It leaves out the blanks where need
// be, and then decimals that the width has no room for.
func PlusMinusIn(x, se float64, decimals, width int) string {
	for _, unit := range [...]struct {
		name  string
		scale float64
	}{{" T", 1e12}, {" G", 1e9}, {" M", 1e6}} {
		if x, se := x/unit.scale, se/unit.scale; max(math.Abs(x), se) >= 1 && se >= 0.001 && alike(x, se) {
			return PlusMinus(x, se, width-len(unit.name)) + unit.name
		}
	}
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
func alike(x, se float64) bool { return se > 1e-6 && se < 1e6 && math.Abs(x) < 1e9 }

// Plural is one if n is 1, else more.
func Plural(n int, one, more string) string {
	if n == 1 {
		return one
	}
	return more
}
