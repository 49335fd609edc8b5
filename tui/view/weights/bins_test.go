package weights

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
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
		fill(dst, b, from, to)
		sum := 0.0
		for _, d := range dst {
			sum += d * (to - from) / float64(n)
		}
		// Sums of some hundred terms in float64.
		if math.Abs(sum-inside/total) > 1e-12 {
			t.Errorf("%d bins hold %g, want %g", n, sum, inside/total)
		}
	}
	lo, hi, ok := middle(&engine.Bins{Lo: 0, Hi: 10, Counts: []uint32{1, 0, 0, 5000, 7000, 0, 0, 0, 0, 2}})
	if !ok || lo != 3 || hi != 5 {
		t.Errorf("the middle is %g to %g", lo, hi)
	}
	if lo, hi := roundOut(-0.123, 0.467); lo > -0.123 || hi < 0.467 || lo < -0.2 || hi > 0.55 {
		t.Errorf("rounded to %g to %g", lo, hi)
	}
}
