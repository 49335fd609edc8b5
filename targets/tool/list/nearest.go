package list

import (
	"fmt"
	"strings"
)

// Nearest returns the name in from that a mistyped name was most likely meant to be. It is the one at the least edit
// distance, and the first of equals. An insertion, a deletion, a substitution and a swap of neighbours each count 1,
// and case is ignored. A name in from that starts with the mistyped one, of two letters or more, is at distance 1.
// Nearest reports false if no name is near: if each is further than one edit for each three letters begun.
func Nearest(name string, from []string) (string, bool) {
	low := strings.ToLower(name)
	best, found := "", false
	least := min((len(low)+2)/3, len(low)-1) + 1
	for _, s := range from {
		other := strings.ToLower(s)
		d := distance(low, other)
		if len(low) >= 2 && strings.HasPrefix(other, low) {
			d = min(d, 1)
		}
		if d < least {
			best, least, found = s, d, true
		}
	}
	return best, found
}

// distance is the restricted Damerau–Levenshtein distance of two strings in bytes. If one has
// more than 64 bytes it is the sum of the lengths.
func distance(a, b string) int {
	const most = 64
	if len(a) > most || len(b) > most {
		return len(a) + len(b)
	}
	var rows [3][most + 1]int
	before, prev, cur := &rows[0], &rows[1], &rows[2]
	for j := range len(b) + 1 {
		prev[j] = j
	}
	for i := 1; i <= len(a); i++ {
		cur[0] = i
		for j := 1; j <= len(b); j++ {
			cost := 1
			if a[i-1] == b[j-1] {
				cost = 0
			}
			cur[j] = min(prev[j]+1, cur[j-1]+1, prev[j-1]+cost)
			if i > 1 && j > 1 && a[i-1] == b[j-2] && a[i-2] == b[j-1] {
				cur[j] = min(cur[j], before[j-2]+1)
			}
		}
		before, prev, cur = prev, cur, before
	}
	return prev[len(b)]
}

// Unknown words an error about a name that is none of from.
func Unknown(what, name string, from []string) error {
	want := map[bool]string{true: "one of "}[len(from) > 1] + strings.Join(from, ", ")
	return fmt.Errorf("unknown %s %q%s; want %s", what, name, Hint("%q", name, from), want)
}

// Hint asks, in brackets, whether what is nearest to a mistyped name was meant, and is
// empty if nothing is near. form is how a name is written, such as %q or --%s.
func Hint(form, name string, from []string) string {
	if near, ok := Nearest(name, from); ok {
		return fmt.Sprintf(" (did you mean "+form+"?)", near)
	}
	return ""
}
