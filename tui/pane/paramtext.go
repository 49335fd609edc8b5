package pane

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/targets/param"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// StripDigits is the room for a value that differs from another in a late digit.
const StripDigits = 10

// SymbolOf is a parameter's symbol, or on an ASCII screen its key if the symbol is not
// ASCII.
func SymbolOf(th *theme.Theme, p *param.Param) string {
	if !th.ASCII {
		return p.Symbol
	}
	if strings.ContainsFunc(p.Symbol, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return p.Key
	}
	return p.Symbol
}

// DigitsApart is the least number of digits at which two values of a parameter differ.
// It is 0 if they differ on the strip already, or if a width has no room for the digits.
func DigitsApart(p param.Param, x, y float64, width int) int {
	if x == y || ParamText(p, x, 0) != ParamText(p, y, 0) {
		return 0
	}
	for digits := 3; digits <= 12; digits++ {
		s, t := plane.Exact(x, digits), plane.Exact(y, digits)
		switch {
		case max(plane.Width(s), plane.Width(t)) > width:
			return 0
		case s != t:
			return digits
		}
	}
	return 0
}

// ParamText is a value of a parameter: α with the digits of 1-α, a choice by its name, a
// zero with a meaning by that. If digits is positive it has so many significant digits.
func ParamText(p param.Param, x float64, digits int) string {
	if digits > 0 {
		return plane.Exact(x, digits)
	}
	switch p.Scale {
	case param.Choice:
		if i := int(x); i >= 0 && i < len(p.Choices) {
			return p.Choices[i]
		}
	case param.OneMinusLog:
		if x >= 0 && x < 1 {
			digits := min(max(4, 1-int(math.Floor(math.Log10(1-x)))), 15)
			s := strconv.FormatFloat(x, 'f', digits, 64)
			for len(s) > len("0.9900") && strings.HasSuffix(s, "0") {
				s = s[:len(s)-1]
			}
			return s
		}
	case param.Integer:
		if x == 0 && p.Zero != "" {
			return p.Zero
		}
		if x >= 0 && x < 1e15 {
			return plane.Count(uint64(x))
		}
	}
	return plane.Number(x, 7)
}
