package weights

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/pane"
)

// What the engine counts is drawn as a density: over the pane's range it sums to
// the share of the counts that are inside.
func TestBinsBecomeADensity(t *testing.T) {
	b := &engine.Bins{Lo: -2, Hi: 3, Counts: make([]uint32, 64)}
	total, inside := 0.0, 0.0
	for i := range b.Counts {
		b.Counts[i] = uint32(i * (63 - i))
		total += float64(b.Counts[i])
	}
	const from, to = -1.03, 2.41
	for i, c := range b.Counts {
		lo, hi := -2+5*float64(i)/64, -2+5*float64(i+1)/64
		inside += float64(c) * max(0, min(hi, to)-max(lo, from)) / (hi - lo)
	}
	for _, n := range []int{8, 33, 128} {
		dst := make([]float64, n)
		fill(dst, b, pane.Range{Lo: from, Hi: to})
		sum := 0.0
		for _, d := range dst {
			sum += d * (to - from) / float64(n)
		}
		// Sums of some hundred terms in float64.
		if math.Abs(sum-inside/total) > 1e-12 {
			t.Errorf("%d bins hold %g, want %g", n, sum, inside/total)
		}
	}
	r := middle(&engine.Bins{Lo: 0, Hi: 10, Counts: []uint32{1, 0, 0, 5000, 7000, 0, 0, 0, 0, 2}})
	if r != (pane.Range{Lo: 3, Hi: 5}) {
		t.Errorf("the middle is %v", r)
	}
	if r := roundOut(pane.Range{Lo: -0.123, Hi: 0.467}); r.Lo > -0.123 || r.Hi < 0.467 || r.Lo < -0.2 || r.Hi > 0.55 {
		t.Errorf("rounded to %v", r)
	}
}
