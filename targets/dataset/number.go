package dataset

import (
	"math"
	"strconv"
)

// verdict is the outcome of reading a number.
type verdict int

const (
	number    verdict = iota
	missing           // empty, "?", NA
	notFinite         // NaN, infinity, or beyond the range of float64
	notNumber
)

// pow10 holds the powers of ten that float64 has exactly.
var pow10 = [...]float64{1e0, 1e1, 1e2, 1e3, 1e4, 1e5, 1e6, 1e7, 1e8, 1e9, 1e10, 1e11,
	1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22}

// parseNumber reads a decimal number: an optional sign, digits with an
// optional point, and an optional exponent. Up to 15 digits with a small
// exponent are converted here, which is exact because both factors are
// (Clinger, 1990); the rest is strconv's. Hexadecimal floats and underscores,
// which strconv would take, are no numbers here.
func parseNumber(b []byte) (float64, verdict) {
	if len(b) == 1 {
		if d := b[0] - '0'; d <= 9 {
			return float64(d), number
		}
	}
	i, n := 0, len(b)
	neg := false
	if i < n && (b[i] == '-' || b[i] == '+') {
		neg = b[i] == '-'
		i++
	}
	var mant uint64
	digits, seen, scale := 0, 0, 0
	point := false
	for ; i < n; i++ {
		c := b[i]
		if d := c - '0'; d <= 9 {
			seen++
			if digits > 0 || d != 0 {
				digits++
			}
			if digits <= 15 {
				mant = mant*10 + uint64(d)
			}
			if point {
				scale--
			}
			continue
		}
		if c != '.' || point {
			break
		}
		point = true
	}
	if seen == 0 {
		return 0, wordVerdict(b)
	}
	if i < n && (b[i] == 'e' || b[i] == 'E') {
		i++
		down := false
		if i < n && (b[i] == '-' || b[i] == '+') {
			down = b[i] == '-'
			i++
		}
		if i == n {
			return 0, notNumber
		}
		e := 0
		for ; i < n && b[i]-'0' <= 9; i++ {
			if e < 1e6 {
				e = e*10 + int(b[i]-'0')
			}
		}
		if down {
			e = -e
		}
		scale += e
	}
	if i != n {
		return 0, notNumber
	}
	if digits <= 15 && scale >= -22 && scale <= 22 {
		x := float64(mant)
		if scale < 0 {
			x /= pow10[-scale]
		} else {
			x *= pow10[scale]
		}
		if neg {
			x = -x
		}
		return x, number
	}
	x, _ := strconv.ParseFloat(string(b), 64) // the syntax is checked above
	if math.IsInf(x, 0) {
		return 0, notFinite
	}
	return x, number
}

// wordVerdict tells the words that stand for a missing or an infinite value
// from other text.
func wordVerdict(b []byte) verdict {
	switch string(b) {
	case "", "?", "NA", "N/A", "na", "n/a", "null", "NULL":
		return missing
	}
	if len(b) > 9 {
		return notNumber
	}
	var low [9]byte
	n := 0
	for i, c := range b {
		if i == 0 && (c == '-' || c == '+') {
			continue
		}
		if 'A' <= c && c <= 'Z' {
			c += 'a' - 'A'
		}
		low[n] = c
		n++
	}
	switch string(low[:n]) {
	case "nan", "inf", "infinity":
		return notFinite
	}
	return notNumber
}

// complain words what is wrong with a value, after "feature 3" or the like.
func (v verdict) complain(b []byte) string {
	switch v {
	case missing:
		if len(b) == 0 {
			return "has no value, want a number (missing values are not supported)"
		}
		return "has value " + quote(b) + ", want a number (missing values are not supported)"
	case notFinite:
		return "has value " + quote(b) + ", want a finite number"
	}
	return "has value " + quote(b) + ", want a number"
}
