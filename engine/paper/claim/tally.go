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

// Outcome says after a colon what becomes of the claim; "" without a case or a gap.
func (t *Tally) Outcome() string {
	n, s := t.Cases(), ""
	switch {
	case n+t.gaps == 0:
		return ""
	case n == 0:
		return "not tested, for want of numbers"
	case n == 1:
		s = [...]string{"the contrary holds", "undecided, with the claimed sign", "undecided, without the claimed sign",
			"holds"}[t.yes*3+t.undecided*(2-t.leaning)]
	case t.yes == n:
		s = fmt.Sprintf("holds in %d of %d cases", n, n)
	case t.undecided == n:
		s = fmt.Sprintf("undecided in %d of %d cases, %d of them with the claimed sign", n, n, t.leaning)
	default:
		s = fmt.Sprintf("holds in %d of %d cases, the contrary in %d, undecided in %d, %d of them with the claimed sign",
			t.yes, n, t.no, t.undecided, t.leaning)
	}
	if t.gaps > 0 {
		s += fmt.Sprintf(" (%d more without numbers)", t.gaps)
	}
	return s
}

// Cells are the numbers of cases in which the claim holds, the contrary does, neither is decided,
// the difference of these has the claimed sign, and a number is missing.
func (t *Tally) Cells() []string {
	return []string{fmt.Sprint(t.yes), fmt.Sprint(t.no), fmt.Sprint(t.undecided), fmt.Sprint(t.leaning),
		fmt.Sprint(t.gaps)}
}

// Holds is the Sign of the claim in all its cases: 1 where it holds in each, -1 where the contrary
// holds in one, and else 0.
func (t *Tally) Holds() int {
	switch {
	case t.no > 0:
		return -1
	case t.yes > 0 && t.yes == t.Cases():
		return 1
	}
	return 0
}

// Depends is the answer of tests that do not agree.
const Depends = "It depends"

// Agreed answers what several tests, each a Sign, come to together.
func Agreed(holds []int) string {
	yes, no, undecided := slices.Contains(holds, 1), slices.Contains(holds, -1), slices.Contains(holds, 0)
	switch {
	case !no && !undecided:
		return "Yes"
	case !yes && !no:
		return "Undecided"
	case !yes:
		return "No"
	}
	return Depends
}
