package plane

import (
	"math"
	"strconv"
	"unicode/utf8"
)

// NumberCap holds the longest text that AppendNumber builds on the way.
const NumberCap = 48

// Number writes x for a table column of the given width, in the way a person
// reads it: three significant digits below a thousand (0.153, 6.90, 899), whole
// numbers with separators below a million (1,016), then SI steps (1.9 M), and
// powers of ten below a thousandth (3.0e-6). Digits go before width does; what
// cannot be shown in width at all is "#". NaN is "–", infinities are "∞" and
// "-∞". The result is never wider than width, and empty for width < 1.
func Number(x float64, width int) string {
	var buf [NumberCap]byte
	return string(AppendNumber(buf[:0], x, width))
}

// AppendNumber appends Number(x, width) to dst.
func AppendNumber(dst []byte, x float64, width int) []byte {
	return appendNumber(dst, x, width, true)
}

// AppendMeasured is AppendNumber for what is whole by chance alone: 4.00 below 4.25.
func AppendMeasured(dst []byte, x float64, width int) []byte {
	return appendNumber(dst, x, width, false)
}

// appendNumber writes a whole number without decimals if whole is set.
func appendNumber(dst []byte, x float64, width int, whole bool) []byte {
	if width < 1 {
		return dst
	}
	n := len(dst)
	switch {
	case math.IsNaN(x):
		return append(dst, "–"...)
	case math.IsInf(x, 1):
		return append(dst, "∞"...)
	case math.IsInf(x, -1):
		if width < 2 {
			return append(dst, '#')
		}
		return append(dst, "-∞"...)
	case x == 0:
		return append(dst, '0')
	}
	fits := func() bool { return utf8.RuneCount(dst[n:]) <= width }
	a := math.Abs(x)
	if whole && a < 1000 && x == math.Trunc(x) {
		if dst = strconv.AppendInt(dst, int64(x), 10); fits() {
			return dst
		}
		return append(dst[:n], '#')
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
			if dst = strconv.AppendFloat(dst[:n], x, 'f', d, 64); fits() {
				if d < 2 && a < 0.1 || d < 1 && a < 1 {
					break // fewer than one honest digit
				}
				return dst
			}
		}
	case a < 999_999.5:
		if dst = appendGrouped(dst[:n], x); fits() {
			return dst
		}
		fallthrough
	case a < 999.5e12:
		if dst = appendSI(dst[:n], x, width); len(dst) > n {
			return dst
		}
	}
	for d := 1; d >= 0; d-- {
		if dst = appendExp(dst[:n], x, d, false); fits() {
			return dst
		}
	}
	return append(dst[:n], '#')
}

// AppendExact appends x with so many significant digits at most and in the same
// notation as Number: 0.12346, 12.5, 123,460, 1.2346e-5.
func AppendExact(dst []byte, x float64, digits int) []byte {
	a := math.Abs(x)
	n := len(dst)
	switch {
	case !(a > 0) || math.IsInf(a, 0):
		return AppendNumber(dst, x, 8)
	case a < 0.0009995 || a >= 999_999.5:
		return appendExp(dst, x, max(digits-1, 0), true)
	case a >= 999.5 && digits <= 1+int(math.Log10(a)):
		return appendGrouped(dst, roundSig(x, digits))
	}
	decimals := max(digits-1-int(math.Floor(math.Log10(a))), 0)
	dst = strconv.AppendFloat(dst, x, 'f', decimals, 64)
	for decimals > 0 && dst[len(dst)-1] == '0' {
		dst = dst[:len(dst)-1]
		decimals--
	}
	if dst[len(dst)-1] == '.' {
		dst = dst[:len(dst)-1]
	}
	from := n
	if dst[n] == '-' {
		from++
	}
	point := from
	for point < len(dst) && dst[point] != '.' {
		point++
	}
	if point-from > 3 { // a comma before the hundreds: there are at most six digits
		dst = append(dst, 0)
		copy(dst[point-2:], dst[point-3:])
		dst[point-3] = ','
	}
	return dst
}

// Exponents writes the powers of ten in a text as Number does: 1.0e-8 for 1e-08.
func Exponents(text string) string {
	out, kept := "", 0
	for i := 1; i+2 < len(text); i++ {
		if text[i] != 'e' || !isDigit(text[i-1]) || text[i+1] != '-' && text[i+1] != '+' || !isDigit(text[i+2]) {
			continue
		}
		from := i
		for from > 0 && (isDigit(text[from-1]) || text[from-1] == '.') {
			from--
		}
		if from > 0 && isWordByte(text[from-1]) {
			continue // part of a name
		}
		end := i + 2
		for end+1 < len(text) && text[end] == '0' && isDigit(text[end+1]) {
			end++
		}
		out += text[kept:i]
		if i-from == 1 {
			out += ".0"
		}
		if out += "e"; text[i+1] == '-' {
			out += "-"
		}
		kept = end
	}
	if kept == 0 {
		return text
	}
	return out + text[kept:]
}

func isDigit(c byte) bool { return c >= '0' && c <= '9' }

// appendGrouped writes x rounded to a whole number, with commas.
func appendGrouped(dst []byte, x float64) []byte {
	x = math.RoundToEven(x)
	if x < 0 {
		dst = append(dst, '-')
	}
	return appendCommas(dst, uint64(math.Abs(x)))
}

// Commas writes every digit of n, with a comma at each thousand.
func Commas(n uint64) string { return string(appendCommas(nil, n)) }

// appendCommas writes n with a comma every three digits.
func appendCommas(dst []byte, n uint64) []byte {
	var buf [20]byte
	digits := strconv.AppendUint(buf[:0], n, 10)
	for i, c := range digits {
		if i > 0 && (len(digits)-i)%3 == 0 {
			dst = append(dst, ',')
		}
		dst = append(dst, c)
	}
	return dst
}

// appendSI writes x in thousands, millions, billions or trillions with one
// decimal, none, and then without the space; nothing if none of these fit.
func appendSI(dst []byte, x float64, width int) []byte {
	n := len(dst)
	const units = "kMGT"
	i, scaled := 0, x/1e3
	for math.Abs(scaled) >= 999.5 && i < len(units)-1 {
		i, scaled = i+1, scaled/1e3
	}
	for d := 1; d >= 0; d-- {
		if d == 1 && math.Abs(scaled) >= 99.95 {
			continue
		}
		for _, space := range [...]bool{true, false} {
			dst = strconv.AppendFloat(dst[:n], scaled, 'f', d, 64)
			if space {
				dst = append(dst, ' ')
			}
			dst = append(dst, units[i])
			if len(dst)-n <= width {
				return dst
			}
		}
	}
	return dst[:n]
}

// appendExp writes x as a power of ten with d decimals and a bare exponent:
// 3.0e-6, not 3.0e-06. Trimmed it has no more zeros at its end than that.
func appendExp(dst []byte, x float64, d int, trimmed bool) []byte {
	dst = strconv.AppendFloat(dst, x, 'e', d, 64)
	e := len(dst) - 1
	for dst[e] != 'e' {
		e--
	}
	if trimmed {
		end := e
		for end > 2 && dst[end-1] == '0' && dst[end-2] != '.' {
			end--
		}
		dst = append(dst[:end], dst[e:]...)
		e = end
	}
	out := e + 1
	if dst[out] == '-' {
		out++
	}
	digits := e + 2
	for digits < len(dst)-1 && dst[digits] == '0' {
		digits++
	}
	return append(dst[:out], dst[digits:]...)
}

// Count writes a number of steps or draws: exact with separators below ten
// million (12,400), then two decimals of a SI unit (12.40 M, 1.20 G).
func Count(n uint64) string {
	var buf [NumberCap]byte
	return string(AppendCount(buf[:0], n))
}

// AppendCount appends Count(n) to dst.
func AppendCount(dst []byte, n uint64) []byte {
	if n < 10_000_000 {
		return appendCommas(dst, n)
	}
	const units = "MGTPE"
	// Cut, not rounded: a counter never shows a step it has not reached.
	i, scale := 0, uint64(1_000_000)
	for n/scale >= 1000 && i < len(units)-1 {
		i, scale = i+1, scale*1000
	}
	whole, frac := n/scale, n%scale/(scale/100)
	dst = strconv.AppendUint(dst, whole, 10)
	dst = append(dst, '.', byte('0'+frac/10), byte('0'+frac%10), ' ')
	return append(dst, units[i])
}
