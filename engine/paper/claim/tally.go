package claim

import (
	"fmt"
	"slices"
)

// A Tally counts the cases in which a claim holds.
type Tally struct {
	yes, no, undecided, gaps int
	leaning                  int // of the undecided, those whose difference has the claimed sign
}

// Gap counts a case that could not be tested, for want of a number, and says so.
func (t *Tally) Gap() string {
	t.gaps++
	return "not tested"
}

// Add counts a case, and says what comes of it. holds is the Sign of what the claim says is above
// zero. leans reports that it is above zero, for a case that is undecided.
func (t *Tally) Add(holds int, leans bool) string {
	switch {
	case holds > 0:
		t.yes++
		return "holds"
	case holds < 0:
		t.no++
		return "the contrary"
	}
	t.undecided++
	if leans {
		t.leaning++
	}
	return "undecided"
}

// Cases is the number of cases that were tested.
func (t *Tally) Cases() int { return t.yes + t.no + t.undecided }

// Claim says what becomes of a claim; "" without a case or a gap.
func (t *Tally) Claim(claim string) string {
	n := t.Cases()
	switch {
	case n+t.gaps == 0:
		return ""
	case n == 0:
		return fmt.Sprintf("That %s was not tested, for want of a number.", claim)
	}
	s := fmt.Sprintf("That %s holds in %s.", claim, cases(t.yes, n))
	switch {
	case t.undecided == 1 && n == 1:
		s = fmt.Sprintf("That %s is undecided in the one case, which %s its way.", claim, []string{"does not lean", "leans"}[t.leaning])
	case t.undecided == n:
		s = fmt.Sprintf("That %s is undecided in %s, of which %s its way.", claim, cases(n, n), lean(t.leaning))
	case t.undecided > 0:
		s += fmt.Sprintf(" It is undecided in %d, of which %s its way.", t.undecided, lean(t.leaning))
	}
	if t.no > 0 {
		s += fmt.Sprintf(" The contrary holds in %d.", t.no)
	}
	if t.gaps > 0 {
		s += fmt.Sprintf(" Of %d more there is no number.", t.gaps)
	}
	return s
}

// cases writes n of N cases.
func cases(n, of int) string {
	switch {
	case of == 1 && n == 1:
		return "the one case"
	case of == 1:
		return "none of one case"
	}
	return outOf(n, of) + " cases"
}

// lean says how many lean.
func lean(n int) string {
	if n == 1 {
		return "1 leans"
	}
	return Count(n) + " lean"
}

// Agreed says what several tests of a claim, each a Sign, come to together.
func Agreed(holds []int) string {
	yes, no, undecided := slices.Contains(holds, 1), slices.Contains(holds, -1), slices.Contains(holds, 0)
	switch {
	case !no && !undecided:
		return "holds"
	case !yes && !undecided:
		return "does not hold"
	case !yes && !no:
		return "is undecided"
	}
	return "depends on what is called converged"
}
