package claim

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tally counts the cases in which a claim holds.
type Tally struct {
	Cases              []string
	gaps               []string
	yes, no, undecided int
	leaning            int // of the undecided, those whose difference has the claimed sign
}

// Gap adds a case that could not be tested, for want of a number.
func (t *Tally) Gap(which string) { t.gaps = append(t.gaps, which) }

// Add counts a case. holds is the Sign of what the claim says is above zero. leans reports
// that it is above zero, for a case that is undecided.
func (t *Tally) Add(said string, holds int, leans bool) {
	switch {
	case holds > 0:
		t.yes++
		said += ": holds"
	case holds < 0:
		t.no++
		said += ": the contrary"
	default:
		t.undecided++
		if leans {
			t.leaning++
		}
		said += ": undecided"
	}
	t.Cases = append(t.Cases, said)
}

// Verdict says in a sentence how often a claim holds; "" without a case.
func (t *Tally) Verdict(claim string) string {
	if t.Cases == nil {
		return ""
	}
	s := fmt.Sprintf("That %s holds in %s cases", claim, outOf(t.yes, len(t.Cases)))
	if t.undecided > 0 {
		s += fmt.Sprintf(", is undecided in %d", t.undecided)
	}
	if t.no > 0 {
		s += fmt.Sprintf(", and the contrary in %d", t.no)
	}
	return s + "."
}

// Claim says how often a claim holds, then each case, then the gaps. It is "" without a case
// or a gap.
func (t *Tally) Claim(claim string) string {
	if t.Cases == nil && t.gaps == nil {
		return ""
	}
	said := "Claim: " + claim + "."
	if t.Cases != nil {
		said += fmt.Sprintf(" It holds in %d of %d", t.yes, len(t.Cases))
		if t.undecided > 0 {
			said += fmt.Sprintf(", undecided in %d", t.undecided)
		}
		if t.undecided > 1 {
			said += fmt.Sprintf(" (%d of which lean its way)", t.leaning)
		}
		if t.no > 0 {
			said += fmt.Sprintf(", the contrary in %d", t.no)
		}
		cases := strings.Join(t.Cases, "; ")
		first, n := utf8.DecodeRuneInString(cases)
		said += ". " + string(unicode.ToUpper(first)) + cases[n:] + "."
	}
	return said + List(" Not tested, for want of a number: ", t.gaps, ".")
}

// List is a sentence with a list in it, "" if there is nothing in the list.
func List(before string, each []string, after string) string {
	if each == nil {
		return ""
	}
	return before + strings.Join(each, "; ") + after
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
