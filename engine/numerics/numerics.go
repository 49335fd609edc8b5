// Package numerics names the digits that this program makes. Its test holds them: a table
// of digests for each target and method, the same on every processor and SIMD path.
package numerics

import (
	"slices"
	"strings"
)

// changes has the families of targets whose digests changed with each version after the first. Whoever changes a digest
// in testdata's table adds a line. A lane that is added to the table changes none.
var changes = [...][]string{
	{"cnn"}, // 2: convolutions of 5×5 squares by Winograd's algorithm
}

// Version is the number of the digests. A recording names the version that made it.
const Version = 1 + len(changes)

// Comparable reports whether a target's digests are the same in that version and in this.
func Comparable(version int, target string) bool {
	if version < 1 || version > Version {
		return false
	}
	family, _, _ := strings.Cut(target, ":")
	return !slices.ContainsFunc(changes[version-1:], func(changed []string) bool {
		return slices.Contains(changed, family)
	})
}
