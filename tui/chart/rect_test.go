package chart

import (
	"math/rand/v2"
	"slices"
	"testing"
)

func TestSplit(t *testing.T) {
	r := Rect{1, 2, 100, 10}
	if got, want := r.Rows(Fix(1), Flex(3), Flex(2), Fix(2)), []Rect{{1, 2, 100, 1}, {1, 3, 100, 4}, {1, 7, 100, 3}, {1, 10, 100, 2}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := r.Cols(Flex(1), Flex(1), Flex(1)), []Rect{{1, 2, 33, 10}, {34, 2, 33, 10}, {67, 2, 34, 10}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if got, want := r.Rows(Fix(8), Fix(8), Flex(1)), []Rect{{1, 2, 100, 8}, {1, 10, 100, 2}, {1, 12, 100, 0}}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
	if len(r.Rows()) != 0 {
		t.Error("no sizes, no parts")
	}
}

// TestSplitTiles checks on random splits that parts follow each other without
// gap or overlap, stay inside, and fill the whole when a weight is among them.
func TestSplitTiles(t *testing.T) {
	rng := rand.New(rand.NewPCG(7, 8))
	for range 2000 {
		r := Rect{rng.IntN(9) - 4, rng.IntN(9) - 4, rng.IntN(310) - 10, rng.IntN(310) - 10}
		sizes := make([]Size, rng.IntN(6))
		flex := false
		for i := range sizes {
			if rng.IntN(2) == 0 {
				sizes[i] = Fix(rng.IntN(60) - 5)
			} else {
				sizes[i], flex = Flex(1+rng.IntN(9)), true
			}
		}
		at, x := r.Y, r.X
		for i, p := range r.Rows(sizes...) {
			if p.Y != at || p.X != r.X || p.H < 0 || p.W != max(r.W, 0) {
				t.Fatalf("%v %v: row %d is %v", r, sizes, i, p)
			}
			at += p.H
		}
		for i, p := range r.Cols(sizes...) {
			if p.X != x || p.Y != r.Y || p.W < 0 || p.H != max(r.H, 0) {
				t.Fatalf("%v %v: column %d is %v", r, sizes, i, p)
			}
			x += p.W
		}
		if at > r.Y+max(r.H, 0) || x > r.X+max(r.W, 0) || flex && (at != r.Y+max(r.H, 0) || x != r.X+max(r.W, 0)) {
			t.Fatalf("%v %v: ends at %d, %d", r, sizes, x, at)
		}
	}
}

func TestCuts(t *testing.T) {
	rng := rand.New(rand.NewPCG(9, 10))
	for range 2000 {
		r := Rect{rng.IntN(9), rng.IntN(9), rng.IntN(40) - 5, rng.IntN(40) - 5}
		n := rng.IntN(60) - 10
		area := max(r.W, 0) * max(r.H, 0)
		for i, cut := range []func(int) (Rect, Rect){r.CutTop, r.CutBottom, r.CutLeft, r.CutRight} {
			a, b := cut(n)
			if a.W*a.H+b.W*b.H != area || !a.Intersect(b).Empty() || a.Intersect(r) != a && !a.Empty() {
				t.Fatalf("cut %d of %v by %d: %v and %v", i, r, n, a, b)
			}
		}
		if in := r.Inset(n); in.W < 0 || in.H < 0 {
			t.Fatalf("inset %v", in)
		}
	}
	if (Rect{0, 0, 3, 2}).Contains(3, 0) || !(Rect{0, 0, 3, 2}).Contains(2, 1) || (Rect{0, 0, -3, 2}).Contains(-1, 0) {
		t.Error("Contains")
	}
}
