package claim

import (
	"fmt"
	"slices"
	"strings"
	"unicode"
	"unicode/utf8"
)

// A Tally counts how often a claim holds.
type Tally struct {
	Cases              []string
	yes, no, undecided int
	leaning            int // of the undecided, those whose difference has the claimed sign
}

// Add counts a case, by the Sign of what the claim has above zero. Leans says of an undecided one that its difference has the
// claimed sign.
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

// Claim says of a claim how often it holds, each case and what could not be
// tested; "" of nothing.
func (t *Tally) Claim(claim string, gaps []string) string {
	said := "Claim: " + claim + "."
	if t.Cases != nil {
		said += fmt.Sprintf(" It holds in %d of %d", t.yes, len(t.Cases))
		if t.undecided > 0 {
			said += fmt.Sprintf(", undecided in %d", t.undecided)
			if t.undecided > 1 {
				said += fmt.Sprintf(" (%d of which lean its way)", t.leaning)
			}
		}
		if t.no > 0 {
			said += fmt.Sprintf(", the contrary in %d", t.no)
		}
		said += ". " + capital(strings.Join(t.Cases, "; ")) + "."
	}
	if gaps != nil {
		said += " Not tested, for want of a number: " + strings.Join(gaps, "; ") + "."
	}
	if t.Cases == nil && gaps == nil {
		return ""
	}
	return said
}

// capital begins a sentence.
func capital(s string) string {
	r, n := utf8.DecodeRuneInString(s)
	return string(unicode.ToUpper(r)) + s[n:]
}

// Agreed says what several ways of looking, each a Sign, say together of a claim.
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
