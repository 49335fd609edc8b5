package trace

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
)

func TestHistory(t *testing.T) {
	h := NewHistory()
	for kept := uint64(1); kept <= 300000; kept++ {
		if h.Due(kept, 1) {
			p := h.Plan(kept, engine.Point{Step: kept})
			h.Add(&p)
		}
	}
	if n := len(h.points); n < HistoryCap/2 || n > HistoryCap {
		t.Fatalf("%d points", n)
	}
	for i := 2; i < len(h.points); i++ {
		if d := h.points[i].Step - h.points[i-1].Step; d != h.stride {
			t.Fatalf("point %d is %d after the one before, the stride is %d", i, d, h.stride)
		}
	}
	if last := h.points[len(h.points)-1].Step; last < 300000-h.stride {
		t.Errorf("the last point is at %d", last)
	}
}
