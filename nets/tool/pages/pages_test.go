package pages_test

import (
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/pages"
)

// Vectors of any length around that of a large page are zeros, and hold what is written.
func TestVectorsOfPages(t *testing.T) {
	const page = 2 << 20
	for _, n := range []int{0, 1, page / 8, page/8 + 1, page / 4, page, page + 1} {
		x := pages.Vector[float64](n, 0)
		if len(x) != n || slices.ContainsFunc(x, func(v float64) bool { return v != 0 }) {
			t.Fatalf("%d numbers: %d, want that many zeros", n, len(x))
		}
		for i := range x {
			x[i] = float64(i)
		}
		for i, v := range x {
			if v != float64(i) {
				t.Fatalf("%d numbers: number %d is %g", n, i, v)
			}
		}
	}
}
