package pane

import (
	"math"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// LaneName is a lane's letter and title: "A pSGLD", or "A pSGLD, ε 0.1" if another lane
// has the same sampler with another ε.
func (f *Frame) LaneName(v *engine.LaneView) string { return Letter(v.ID) + " " + f.LaneTitle(v) }

// LaneTitle is a lane's title with the parameters that differ from those of other lanes with its sampler.
func (f *Frame) LaneTitle(v *engine.LaneView) string {
	title := v.Title
	if !f.Some(func(o *engine.LaneView) bool { return o.ID != v.ID && o.Setting.Sampler == v.Setting.Sampler }) {
		return title
	}
	for _, p := range f.ParamsOf(v) {
		x, ok := v.Setting.Values[p.Key]
		if !ok || !f.Differs(p.Key, v.Setting.Sampler) {
			continue
		}
		digits := 0
		for i := range f.Lanes() {
			o := &f.Snap.Lanes[i].Setting
			if y, ok := o.Values[p.Key]; ok && o.Sampler == v.Setting.Sampler {
				digits = max(digits, DigitsApart(p, x, y, StripDigits))
			}
		}
		from := ""
		if p.Key == sampler.KeyEps && !v.Setting.Schedule.Constant() {
			from = "from "
		}
		title += ", " + SymbolOf(&f.Theme, &p) + " " + from + ParamText(p, x, digits)
	}
	return title
}

// Differs reports whether lanes have different values of a parameter: lanes of one
// sampler, or of any if its name is empty.
func (f *Frame) Differs(key, of string) bool {
	first, found := 0.0, false
	for _, v := range f.EachLane() {
		set := &v.Setting
		x, ok := set.Values[key]
		switch {
		case !ok || of != "" && set.Sampler != of:
		case !found:
			first, found = x, true
		case x != first:
			return true
		}
	}
	return false
}

// Letter is the letter of the lane with an ID, A to D.
func Letter(id int) string {
	i := Slot(id)
	return "ABCD"[i : i+1]
}

// StripDigits is the room for a value that differs from another in a late digit.
const StripDigits = 10

// SymbolOf is a parameter's symbol, or on an ASCII screen its key if the symbol is not ASCII.
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
		if p.Step && x < 1e15 {
			return plane.Commas(uint64(x))
		}
		if x >= 0 && x < 1e15 {
			return plane.Count(uint64(x))
		}
	}
	return plane.Number(x, 7)
}
