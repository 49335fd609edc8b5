package claim

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/nets/libm"
)

// Sides are places on a grid of ε by the Sign of a difference there, which is an index less 1.
type Sides [3][]string

// Add sorts a place by its difference d with standard error se.
func (s *Sides) Add(place string, d, se float64) {
	k := Sign(d, se) + 1
	s[k] = append(s[k], place)
}

// String lists the places, "" for none.
func (s *Sides) String() string {
	var all []string
	for k, word := range []string{"lower", "no different", "higher"} {
		if s[k] != nil {
			all = append(all, word+" at ε = "+strings.Join(s[k], ", "))
		}
	}
	return strings.Join(all, "; ")
}

// A Line is a quantity of a method at each ε.
type Line struct {
	Name string
	Y    []OverSeeds
}

// Dominance says at which ε the first of two methods is lower, alike or higher, by the
// Sign of the difference; it is "" without a number. The paper claims that the method is
// lower at the ε that claimed reports, or at all with a nil claimed; within names their range.
func Dominance(what, within string, claimed func(eps float64) bool, eps []float64, ours, other Line) string {
	var sides Sides
	a, b := ours.Y, other.Y
	from := math.NaN() // the ε at which the lines last cross
	j := -1            // the place before i that has numbers
	n, holds := 0, 0   // places where the paper claims it, and where it holds
	for i, e := range eps {
		if !a[i].OK() || !b[i].OK() {
			continue
		}
		d, se := a[i].Mean-b[i].Mean, libm.Hypot(a[i].SE, b[i].SE)
		sides.Add(Exactly(e), d, se)
		if claimed == nil || claimed(e) {
			n++
			if Sign(d, se) < 0 {
				holds++
			}
		}
		if j >= 0 {
			was := a[j].Mean - b[j].Mean
			if (was > 0) != (d > 0) { // a straight line between them, on the logarithm of ε
				from = eps[j] * libm.Pow(e/eps[j], was/(was-d))
			}
		}
		j = i
	}
	list := sides.String()
	if list == "" {
		return ""
	}
	text := fmt.Sprintf("%s's %s against %s's: %s (by twice the standard error of the difference).", ours.Name, what, other.Name, list)
	if !math.IsNaN(from) && sides[0] != nil && sides[2] != nil {
		text += fmt.Sprintf(" The lines cross at ε ≈ %s.", Significant(from, 2))
	}
	if n == 0 {
		return text
	}
	at := fmt.Sprintf("%d of the %d", holds, n)
	switch holds {
	case n:
		at = fmt.Sprintf("all %d", n)
	case 0:
		at = fmt.Sprintf("none of the %d", n)
	}
	return text + fmt.Sprintf(" The paper's claim that %s's is lower holds at %s ε%s.", ours.Name, at, within)
}
