package measure

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/targets"
)

// A tail that is cut off is no mode, on either side; what lies behind a valley is one, and so is all that a narrow
// peak leaves out.
func TestMissed(t *testing.T) {
	// shares parts a mixture of normal laws with the sd 1 at 0 and, of the mass w, at the place to.
	shares := func(w, to, sd float64) (at []float64) {
		x := -20.0
		for k := 1; k < targets.Shares; k++ {
			phi := func(z float64) float64 { return math.Erfc(-z/math.Sqrt2) / 2 }
			for phi(x)*(1-w)+phi((x-to)/sd)*w < float64(k)/targets.Shares {
				x += 1e-4
			}
			at = append(at, x)
		}
		return at
	}
	but := func(empty ...int) (draws [slabs]int) {
		for k := range draws {
			if draws[k] = 9; slices.Contains(empty, k) {
				draws[k] = 0
			}
		}
		return draws
	}
	normal := shares(0, 0, 1)
	for _, c := range []struct {
		name  string
		at    []float64
		empty []int
		want  bool
	}{
		{"nothing", normal, nil, false},
		{"the upper tail", normal, []int{19}, false},
		{"both tails", normal, []int{0, 18, 19}, false},
		{"an inner slab", normal, []int{7}, true},
		{"a tail and an inner slab", normal, []int{0, 2}, true},
		{"three", normal, []int{0, 1, 2}, true},
		{"all", normal, []int{0, 1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 14, 15, 16, 17, 18, 19}, true},
		{"a mode of a tenth", shares(0.1, 9, 1), []int{18, 19}, true},
		{"a mode of a twentieth", shares(0.06, 9, 1), []int{19}, true},
		{"a mode of a twentieth below", shares(0.06, -9, 1), []int{0}, true},
		{"a tenth, whose valley is in a slab of draws", shares(0.1, 8, 1), []int{19}, true},
		{"a near one", shares(0.07, 6, 1), []int{19}, true},
		{"all around a peak", shares(0.5, 0, 0.001), []int{0, 1, 2, 3, 16, 17, 18, 19}, true},
	} {
		if got := missed(but(c.empty...), c.at); got != c.want {
			t.Errorf("%s: missed is %v, want %v", c.name, got, c.want)
		}
	}
}
