// Package param declares the values that a person may turn, of samplers and of targets alike.
package param

import (
	"errors"
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Scale is the measure on which a parameter is naturally turned.
type Scale uint8

// The scales.
const (
	Linear      Scale = iota
	Log               // by factors
	OneMinusLog       // by factors of 1-x
	Integer           // whole numbers, turned by factors
	Choice            // one of Choices, by index
)

// MaxInteger is the largest whole number that a float64 tells from its neighbours.
const MaxInteger = 1 << 53

// A Param declares a value that a user may turn. It drives the command line,
// the parameter strip, the sweep's grid and the help.
type Param struct {
	Key    string // as on the command line
	Symbol string // as on the screen
	Doc    string
	Scale  Scale
	// Min and Max bound the legal values; OpenMin and OpenMax leave the bound itself out.
	Min, Max         float64
	OpenMin, OpenMax bool
	Lo, Hi           float64  // the slider's range
	Choices          []string // names of 0, 1, … on the scale Choice
	Zero             string   // what 0 is called and typed as, where it is no number of its own: "full", "never"
	Default          float64
	NeedsHessian     bool // only for a targets.HessianDiag
	NeedsData        bool // only for a target with data
	NeedsLayers      bool // only for a targets.Layered
	ByTarget         bool // another default on some targets
	Step             bool // it is a step of the chain
	AtStart          bool // read at step 0 alone, so turning it means a restart
	Aside            bool // not among those that are turned most
}

// Find finds the parameter with a key, and its place. Without one the place is -1.
func Find(all []Param, key string) (p Param, at int, ok bool) {
	if at = slices.IndexFunc(all, func(p Param) bool { return p.Key == key }); at < 0 {
		return p, at, false
	}
	return all[at], at, true
}

// Check returns an error that says what is allowed, such as "must be positive,
// got -1"; the caller puts the parameter's name before it.
func (p Param) Check(x float64) error {
	return p.check(x, strconv.FormatFloat(x, 'g', -1, 64), p.Allowed())
}

// check is Check of what was typed as text.
func (p Param) check(x float64, text, allowed string) error {
	ok := x >= p.Min && x <= p.Max && !(p.OpenMin && x == p.Min) && !(p.OpenMax && x == p.Max)
	switch p.Scale {
	case Choice:
		ok = x >= 0 && x < float64(len(p.Choices)) && x == math.Trunc(x)
	case Integer:
		ok = ok && x == math.Trunc(x)
	}
	if ok && math.IsInf(x, 0) {
		ok, allowed = false, "finite"
	}
	if !ok {
		return fmt.Errorf("must be %s, got %s", allowed, text)
	}
	return nil
}

// Allowed says which values are legal.
func (p Param) Allowed() string {
	switch {
	case p.Scale == Choice:
		return strings.Join(p.Choices, " or ")
	case p.Zero != "" && p.Max < MaxInteger:
		return fmt.Sprintf("a whole number from 1 to %.0f, or %s", p.Max, p.Zero)
	case p.Zero != "":
		return "a whole number, 1 or more, or " + p.Zero
	case p.Scale == Integer && p.Max < MaxInteger:
		return fmt.Sprintf("a whole number from %g to %.0f", p.Min, p.Max)
	case p.Scale == Integer && p.Min == 0:
		return "a whole number, 0 or more"
	case p.Scale == Integer:
		return fmt.Sprintf("a whole number, %g or more", p.Min)
	case p.Min == 0 && p.OpenMin && math.IsInf(p.Max, 1):
		return "positive"
	case p.Min == 0 && math.IsInf(p.Max, 1):
		return "0 or more"
	}
	open, shut := "[", "]"
	if p.OpenMin {
		open = "("
	}
	if p.OpenMax {
		shut = ")"
	}
	return fmt.Sprintf("in %s%g, %g%s", open, p.Min, p.Max, shut)
}

// Parse reads a value as the command line writes it and checks it.
func (p Param) Parse(s string) (float64, error) { return p.parse(s, p.Allowed()) }

// ParseBeside is Parse where another word is allowed too, which the error names.
func (p Param) ParseBeside(word, s string) (float64, error) {
	return p.parse(s, p.Allowed()+", or "+word)
}

func (p Param) parse(s, allowed string) (float64, error) {
	s = strings.TrimSpace(s)
	if p.Scale == Choice {
		for i, c := range p.Choices {
			if strings.EqualFold(s, c) {
				return float64(i), nil
			}
		}
		return 0, fmt.Errorf("must be %s, got %q", allowed, s)
	}
	if p.Zero != "" && strings.EqualFold(s, p.Zero) {
		return 0, nil
	}
	x, err := strconv.ParseFloat(s, 64)
	if err != nil && !errors.Is(err, strconv.ErrRange) || math.IsNaN(x) {
		return 0, fmt.Errorf("must be %s, got %q", allowed, s)
	}
	if x == 0 && p.Zero != "" {
		return 0, fmt.Errorf("must be %s, got %s", allowed, s)
	}
	return x, p.check(x, s, allowed)
}

// Format writes a value so that Parse reads the same one back.
func (p Param) Format(x float64) string {
	if p.Scale == Choice {
		if i := int(x); i >= 0 && i < len(p.Choices) {
			return p.Choices[i]
		}
	}
	if x == 0 && p.Zero != "" {
		return p.Zero
	}
	return strconv.FormatFloat(x, 'g', -1, 64)
}

// Frac is where x lies on the slider, from 0 at Lo to 1 at Hi.
func (p Param) Frac(x float64) float64 {
	lo, hi := p.measure(p.Lo), p.measure(p.Hi)
	if p.Scale == Choice {
		lo, hi = 0, float64(max(1, len(p.Choices)-1))
	}
	f := (p.measure(x) - lo) / (hi - lo)
	if math.IsNaN(f) {
		return 0
	}
	return min(1, max(0, f))
}

// At is the value at a place on the slider; the inverse of Frac up to rounding to a round number.
func (p Param) At(frac float64) float64 {
	frac = min(1, max(0, frac))
	lo, hi := p.measure(p.Lo), p.measure(p.Hi)
	if p.Scale == Choice {
		return math.Round(frac * float64(len(p.Choices)-1))
	}
	return p.unmeasure(lo + float64(frac*(hi-lo)))
}

// Turn moves x by steps notches, ten to a decade (or to the slider, on a linear
// scale), and keeps it legal and within the slider's range or where it was.
func (p Param) Turn(x, steps float64) float64 {
	if p.Scale == Choice {
		n := float64(len(p.Choices))
		return math.Mod(math.Mod(x+math.Copysign(1, steps), n)+n, n)
	}
	if p.Scale == Log && x == 0 { // off the scale, below its end
		if steps > 0 {
			return p.Lo
		}
		return x
	}
	m := p.measure(x)
	notch := 0.1
	if p.Scale == Linear {
		notch = (p.Hi - p.Lo) / 20
	}
	if p.Scale == OneMinusLog {
		notch = -0.1
		steps = -steps
	}
	to := m + float64(steps*notch)
	if on := float64(math.Round(to/notch) * notch); p.Scale != Linear && math.Abs(to-on) < 0.02 {
		to = on // rounded values must not drift off the notches
	}
	y := p.unmeasure(to)
	if p.Scale == Integer && y == x {
		y = x + math.Copysign(1, steps)
	}
	if y > max(p.Hi, x) || y < min(p.Lo, x) || p.Check(y) != nil {
		if (y > x) == (p.Hi > x) && p.Hi != x && p.Check(p.Hi) == nil && y > x {
			return p.Hi
		}
		if y < x && p.Lo < x && p.Check(p.Lo) == nil {
			return p.Lo
		}
		return x
	}
	return y
}

// measure maps a value to the scale on which equal turns are equal distances.
func (p Param) measure(x float64) float64 {
	switch p.Scale {
	case Log:
		return libm.Log10(x)
	case OneMinusLog:
		return -libm.Log10(1 - x)
	case Integer:
		return libm.Log10(x + 1)
	}
	return x
}

func (p Param) unmeasure(m float64) float64 {
	switch p.Scale {
	case Log:
		return Round(libm.Pow(10, m), 3)
	case OneMinusLog:
		return 1 - Round(libm.Pow(10, -m), 2)
	case Integer:
		return math.Max(0, math.Round(Round(libm.Pow(10, m)-1, 2)))
	case Linear:
		return Round(m, 6)
	}
	return m
}

// Round keeps the given number of significant digits, so that a turned value is one that a person would type.
func Round(x float64, digits int) float64 {
	if x == 0 || math.IsInf(x, 0) || math.IsNaN(x) {
		return x
	}
	y, err := strconv.ParseFloat(strconv.FormatFloat(x, 'e', digits-1, 64), 64)
	if err != nil {
		return x
	}
	return y
}

// Commas puts a comma before every three digits of a whole number but the first.
func Commas(digits string) string {
	if rest, negative := strings.CutPrefix(digits, "-"); negative {
		return "-" + Commas(rest)
	}
	for i := len(digits) - 3; i > 0; i -= 3 {
		digits = digits[:i] + "," + digits[i:]
	}
	return digits
}
