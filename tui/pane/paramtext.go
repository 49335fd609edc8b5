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

// StripDigits is the width that a value can take to show that it was turned.
const StripDigits = 10

// SymbolOf is a parameter's symbol, or its key where ASCII has no letters for it.
func SymbolOf(th *theme.Theme, p *param.Param) string {
	if !th.ASCII {
		return p.Symbol
	}
	if strings.ContainsFunc(p.Symbol, func(r rune) bool { return r >= utf8.RuneSelf }) {
		return p.Key
	}
	return p.Symbol
}

// DigitsApart is how many digits tell two values of a parameter apart that read
// alike on the strip: 0 if they do not, or if a width has no room for so many.
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

// ParamText is a value on its natural scale: α with the digits of 1-α, choices by
// name, and zeros that mean something by what they mean. With digits it has so many
// significant ones.
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
