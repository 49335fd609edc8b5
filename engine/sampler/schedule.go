package sampler

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Schedule makes the step size ε_t = ε·f(t) of a base ε. The zero value is the constant one.
type Schedule struct {
	Kind string `json:"kind,omitempty"` // "", "halve" or "poly"
	// Every is the block of "halve", in epochs if Epochs and else in steps.
	Every  float64 `json:"every,omitempty"`
	Epochs bool    `json:"epochs,omitempty"`
	// B and Gamma are those of a(b+t)^-γ (the paper's assumption 1); a is in ε, which is its value at t = 0, a b^-γ.
	B     float64 `json:"b,omitempty"`
	Gamma float64 `json:"gamma,omitempty"`
}

// ParseSchedule reads "const", "halve:20ep", "halve:1000" (steps) or
// "poly:a,b,gamma". For "poly" it also returns the first step size a b^-γ.
func ParseSchedule(s string) (sch Schedule, first float64, err error) {
	bad := func(why string) (Schedule, float64, error) {
		return Schedule{}, 0, fmt.Errorf("must be const, halve:20ep, halve:STEPS or poly:a,b,gamma%s, got %q", why, s)
	}
	kind, arg, _ := strings.Cut(s, ":")
	switch kind {
	case "const":
		if arg != "" {
			return bad("")
		}
		return Schedule{}, 0, nil
	case "halve":
		num, ep := strings.CutSuffix(arg, "ep")
		every, err := strconv.ParseFloat(num, 64)
		if err != nil || !(every > 0) || math.IsInf(every, 0) {
			return bad(" with a positive block")
		}
		return Schedule{Kind: kind, Every: every, Epochs: ep}, 0, nil
	case "poly":
		var v [3]float64
		f := strings.Split(arg, ",")
		if len(f) != 3 {
			return bad("")
		}
		for i, x := range f {
			if v[i], err = strconv.ParseFloat(strings.TrimSpace(x), 64); err != nil || !(v[i] > 0) ||
				math.IsInf(v[i], 0) {
				return bad(" with positive a, b and gamma")
			}
		}
		first = v[0] * libm.Pow(v[1], -v[2])
		if !(first > 0) || math.IsInf(first, 0) {
			return bad(" with a finite first step")
		}
		return Schedule{Kind: kind, B: v[1], Gamma: v[2]}, first, nil
	}
	return bad("")
}

// String writes s so that ParseSchedule reads it back, given the ε at t = 0. The a of "poly" is the shortest that gives
// this very ε, where one does.
func (s Schedule) String(eps float64) string {
	num := func(x float64) string { return strconv.FormatFloat(x, 'g', -1, 64) }
	switch s.Kind {
	case "halve":
		if s.Epochs {
			return "halve:" + num(s.Every) + "ep"
		}
		return "halve:" + num(s.Every)
	case "poly":
		a, unit := eps*libm.Pow(s.B, s.Gamma), libm.Pow(s.B, -s.Gamma)
		for digits := range 17 {
			short, err := strconv.ParseFloat(strconv.FormatFloat(a, 'e', digits, 64), 64)
			if err == nil && float64(short*unit) == eps {
				a = short
				break
			}
		}
		return fmt.Sprintf("poly:%s,%s,%s", num(a), num(s.B), num(s.Gamma))
	}
	return "const"
}

// MostHalvings is how often "halve" halves the step size. After that many a step's noise is a
// millionth of the first one's, and further ones would end in steps that round to nothing.
const MostHalvings = 40

// Factor is f(t) at step t, given the steps in an epoch: 1, 2^-min(⌊t/L⌋, MostHalvings), or ((b+t)/b)^-γ.
func (s Schedule) Factor(t uint64, stepsPerEpoch float64) float64 {
	switch s.Kind {
	case "halve":
		block := s.Every
		if s.Epochs {
			block *= stepsPerEpoch
		}
		return math.Ldexp(1, -int(min(math.Floor(float64(t)/block), MostHalvings)))
	case "poly":
		return libm.Pow((s.B+float64(t))/s.B, -s.Gamma)
	}
	return 1
}

// Constant reports whether f is 1 everywhere.
func (s Schedule) Constant() bool { return s.Kind == "" }
