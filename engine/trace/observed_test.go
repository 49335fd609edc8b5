package trace

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
)

// The bound is the mean of the steps so far, and from the first point on that of
// the last whole stretch, with the standard deviation over √n as standard error.
func TestObservedBound(t *testing.T) {
	var o Observed
	o.Reset()
	add := func(n int, objectives ...float64) {
		for i := range n {
			o.Add(&sampler.Info{Objective: objectives[i%len(objectives)]})
		}
	}
	holds := func(when string, mean, se float64) {
		t.Helper()
		// Sums of whole numbers are exact.
		if m, s := o.Bound(); m != mean || s != se {
			t.Errorf("%s: %g ± %g, want %g ± %g", when, m, s, mean, se)
		}
	}
	add(100, 3, 5)
	holds("at the start", 4, 0.1)
	o.CloseStretch()
	if got, _ := o.Bound(); got != 4 {
		t.Errorf("a first point of %g, want 4", got)
	}
	add(900, 3, 5)
	o.CloseStretch()
	if got, _ := o.Bound(); got != 4 {
		t.Errorf("a point of %g, want 4", got)
	}
	holds("after a stretch", 4, math.Sqrt(1.0/1000))
	add(999, 100)
	o.CloseStretch()
	if got, _ := o.Bound(); got != 4 {
		t.Errorf("within a stretch a point of %g, want that of the one before, 4", got)
	}
	holds("within a stretch", 4, math.Sqrt(1.0/1000))
	add(1, 100)
	o.CloseStretch()
	if got, _ := o.Bound(); got != 100 {
		t.Errorf("a point of %g, want 100", got)
	}
	holds("after two stretches", 100, 0)
}
