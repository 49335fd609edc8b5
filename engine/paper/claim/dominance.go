package claim

import (
	"fmt"
	"math"
	"strings"
)

// A line is a quantity of a method at each ε.
type Line struct {
	Name string
	Y    []OverSeeds
}

// dominance says at which ε the first of two methods is lower, alike and higher.
// Two numbers differ where they are more than twice the standard error of their
// difference apart. The paper claims that it is lower at the ε that claimed reports, whose
// range within names.
func Dominance(what, within string, claimed func(eps float64) bool, eps []float64, ours, other Line) []string {
	var lower, alike, higher []string
	a, b := ours.Y, other.Y
	from := math.NaN() // the ε at which the lines cross for the last time
	j := -1            // the place before
	n, holds := 0, 0   // where the paper claims it, and where it is so
	for i, e := range eps {
		if !a[i].OK() || !b[i].OK() {
			continue
		}
		d := a[i].Mean - b[i].Mean
		if claimed(e) {
			n++
		}
		switch {
		case math.Abs(d) <= 2*math.Hypot(a[i].SE, b[i].SE):
			alike = append(alike, Exactly(e))
		case d < 0:
			lower = append(lower, Exactly(e))
			if claimed(e) {
				holds++
			}
		default:
			higher = append(higher, Exactly(e))
		}
		if j >= 0 {
			was := a[j].Mean - b[j].Mean
			if (was > 0) != (d > 0) { // a straight line between them, on the logarithm of ε
				from = eps[j] * math.Pow(e/eps[j], was/(was-d))
			}
		}
		j = i
	}
	list := Parts([]string{"lower", "no different", "higher"}, lower, alike, higher)
	if list == "" {
		return nil
	}
	text := fmt.Sprintf("%s's %s against %s's: %s (by twice the standard error of the difference).", ours.Name, what, other.Name, list)
	if !math.IsNaN(from) && lower != nil && higher != nil {
		text += fmt.Sprintf(" The lines cross at ε ≈ %s.", Significant(from, 2))
	}
	switch {
	case n == 0:
	case holds == n:
		text += fmt.Sprintf(" The paper's claim that %s's is lower holds at all %d ε%s.", ours.Name, n, within)
	case holds == 0:
		text += fmt.Sprintf(" The paper's claim that %s's is lower holds at none of the %d ε%s.", ours.Name, n, within)
	default:
		text += fmt.Sprintf(" The paper's claim that %s's is lower holds at %d of the %d ε%s.", ours.Name, holds, n, within)
	}
	return []string{text}
}

// parts joins lists of ε under their words.
func Parts(words []string, lists ...[]string) string {
	var all []string
	for i, l := range lists {
		if l != nil {
			all = append(all, words[i]+" at ε = "+strings.Join(l, ", "))
		}
	}
	return strings.Join(all, "; ")
}
