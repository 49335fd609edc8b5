package dataset

import (
	"bytes"
	"math"
	"strconv"
	"strings"
)

// verdict is the outcome of reading a number.
type verdict int

const (
	number    verdict = iota
	missing           // empty, "?", NA
	notFinite         // NaN, infinity, or beyond the range of float64
	notNumber
)

// parseNumber reads a decimal number: an optional sign, digits with an optional point, and an optional exponent.
// Hexadecimal floats and underscores, which strconv would take, are no numbers here.
func parseNumber(b []byte) (float64, verdict) {
	if len(b) == 1 && b[0]-'0' <= 9 { // most values of an indicator
		return float64(b[0] - '0'), number
	}
	for _, c := range b {
		if (c < '0' || c > '9') && c != '.' && c != '-' && c != '+' && c != 'e' && c != 'E' {
			return 0, wordVerdict(b)
		}
	}
	x, err := strconv.ParseFloat(string(b), 64)
	switch {
	case math.IsInf(x, 0):
		return 0, notFinite
	case err != nil:
		return 0, wordVerdict(b)
	}
	return x, number
}

// wordVerdict tells the words that stand for a missing or an infinite value from other text.
func wordVerdict(b []byte) verdict {
	switch string(b) {
	case "", "?", "NA", "N/A", "na", "n/a", "null", "NULL":
		return missing
	}
	if len(b) <= len("-infinity") {
		switch strings.ToLower(string(bytes.TrimLeft(b[:1], "+-")) + string(b[1:])) {
		case "nan", "inf", "infinity":
			return notFinite
		}
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
		return "has value " + Quote(b) + ", want a number (missing values are not supported)"
	case notFinite:
		return "has value " + Quote(b) + ", want a finite number"
	}
	return "has value " + Quote(b) + ", want a number"
}
