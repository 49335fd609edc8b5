//go:build slow

package study

import "testing"

// The truths that ship are found again with another seed, a fifth of the draws and other starts.
func TestShippedTruths(t *testing.T) {
	for _, spec := range []string{"regress", "classify"} {
		sameFunction(t, truthOn(t, spec, "", 4000))
	}
}
