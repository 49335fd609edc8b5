package plane_test

import (
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/tui/plane"
)

func TestCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		r := plane.Rect{X: rng.IntN(9), Y: rng.IntN(9), W: rng.IntN(40) - 5, H: rng.IntN(40) - 5}
		n := rng.IntN(60) - 10
		area := max(r.W, 0) * max(r.H, 0)
		for i, cut := range []func(int) (plane.Rect, plane.Rect){r.CutTop, r.CutBottom, r.CutLeft, r.CutRight} {
			a, b := cut(n)
			if a.W*a.H+b.W*b.H != area || !a.Intersect(b).Empty() || a.Intersect(r) != a && !a.Empty() {
				t.Fatalf("cut %d of %v by %d: %v and %v", i, r, n, a, b)
			}
		}
		if in := r.Pad(n, n, n, n); in.W < 0 || in.H < 0 {
			t.Fatalf("inset %v", in)
		}
	}
	if (plane.Rect{W: 3, H: 2}).Contains(3, 0) || !(plane.Rect{W: 3, H: 2}).Contains(2, 1) ||
		(plane.Rect{W: -3, H: 2}).Contains(-1, 0) {
		t.Error("Contains")
	}
}
