package paper

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// Every session without a number is named, once, by its reason.
func TestResultsNameGaps(t *testing.T) {
	x := engine.Num(0.25)
	r := ResultsOf(map[string]study.Outcome{
		"good":    {Lanes: []engine.LaneResult{{Values: quantity.Values{quantity.TestError: metrics.Exact(float64(x))}}}},
		"lost":    {Lanes: []engine.LaneResult{{Values: quantity.Values{quantity.TestError: metrics.Exact(float64(x))}, Diverged: &engine.Divergence{Step: 4}}}},
		"skipped": {Skipped: "no such file"},
	})
	for range 2 {
		s := r.Over([]string{"good", "lost", "skipped", "missing"}, TestError)
		if s.Mean != 0.25 || s.N != 1 || s.Lost != 1 {
			t.Errorf("%+v", s)
		}
	}
	if _, ok := r.Curve("good", 0); ok {
		t.Error("a curve of nothing")
	}
	got := strings.Join(r.Findings(), "\n")
	want := "1 session diverged: lost.\n1 session is skipped (no such file): skipped.\n1 session is not run: missing."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
