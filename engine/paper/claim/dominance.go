package claim

import (
	"fmt"
	"math"
	"strings"

	"github.com/psgld/psgld-tui/nets/tool/libm"
)

// A Line is a quantity of a method at each ε.
type Line struct {
	Name string
	Y    []OverSeeds
}

// An Order is where, on a grid of ε, a method's quantity is lower than another's, and where it is
// higher, by the Sign of the difference.
type Order struct {
	What          string // the quantity
	Ours, Other   string // the methods
	Lower, Higher []string
	N             int     // ε with numbers of both
	Cross         float64 // the ε at which the lines last cross; NaN if they do not
	// Of the Claimed ε at which the paper has the method lower it Holds at some.
	Claimed, Holds int
}

// OrderOf compares two methods. The paper claims that the first is lower at the ε that claimed
// reports, or at all with a nil claimed.
func OrderOf(what string, claimed func(eps float64) bool, eps []float64, ours, other Line) Order {
	o := Order{What: what, Ours: ours.Name, Other: other.Name, Cross: math.NaN()}
	a, b := ours.Y, other.Y
	j := -1 // the place before i that has numbers
	for i, e := range eps {
		if !a[i].OK() || !b[i].OK() {
			continue
		}
		d := a[i].Mean - b[i].Mean
		sign := o.Add(Shown(e), d, libm.Hypot(a[i].SE, b[i].SE))
		if claimed == nil || claimed(e) {
			o.Claimed++
			if sign < 0 {
				o.Holds++
			}
		}
		if j >= 0 {
			was := a[j].Mean - b[j].Mean
			if (was > 0) != (d > 0) { // a straight line between them, on the logarithm of ε
				o.Cross = eps[j] * libm.Pow(e/eps[j], was/(was-d))
			}
		}
		j = i
	}
	return o
}

// Add sorts a place by its difference d with standard error se, and returns its Sign.
func (o *Order) Add(place string, d, se float64) int {
	o.N++
	sign := Sign(d, se)
	switch {
	case sign < 0:
		o.Lower = append(o.Lower, place)
	case sign > 0:
		o.Higher = append(o.Higher, place)
	}
	return sign
}

// String says where the method is lower and where it is higher; "" without a number.
func (o Order) String() string {
	if o.N == 0 {
		return ""
	}
	switch o.N {
	case len(o.Lower):
		return fmt.Sprintf("%s's %s is lower than %s's at all %d ε.", o.Ours, o.What, o.Other, o.N)
	case len(o.Higher):
		return fmt.Sprintf("%s's %s is higher than %s's at all %d ε.", o.Ours, o.What, o.Other, o.N)
	}
	s := fmt.Sprintf("%s's %s is lower than %s's at %s ε%s and higher at %s%s.", o.Ours, o.What, o.Other,
		outOf(len(o.Lower), o.N), places(o.Lower), Count(len(o.Higher)), places(o.Higher))
	switch n := o.N - len(o.Lower) - len(o.Higher); {
	case n == 1:
		s += " At the other one the difference is within two standard errors."
	case n > 1:
		s += fmt.Sprintf(" At the other %d the difference is within two standard errors.", n)
	}
	if !math.IsNaN(o.Cross) && o.Lower != nil && o.Higher != nil {
		s += fmt.Sprintf(" The two are equal at ε ≈ %s.", Significant(o.Cross, 2))
	}
	return s
}

// outOf writes n of N.
func outOf(n, of int) string {
	if n == of {
		return fmt.Sprintf("all %d", n)
	}
	return fmt.Sprintf("%s of %d", Count(n), of)
}

// Count writes how many there are.
func Count(n int) string {
	if n == 0 {
		return "none"
	}
	return fmt.Sprint(n)
}

// places lists places in brackets, "" for none.
func places(all []string) string {
	if all == nil {
		return ""
	}
	return " (" + strings.Join(all, ", ") + ")"
}

// Answer begins the answer to whether the method is lower everywhere in all orders.
func Answer(all ...Order) string {
	lower, n := 0, 0
	for _, o := range all {
		if len(o.Higher) > 0 {
			return "No"
		}
		lower, n = lower+len(o.Lower), n+o.N
	}
	switch lower {
	case n:
		return "Yes"
	case 0:
		return "Undecided"
	}
	return "Yes, where a difference is seen"
}

// Share says at how many of the claimed ε the paper's claim holds.
func (o Order) Share() string { return outOf(o.Holds, o.Claimed) }
