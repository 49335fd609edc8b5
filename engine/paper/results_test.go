package paper

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// Every session without a number is named, once, by its reason.
func TestResultsNameGaps(t *testing.T) {
	of := quantity.Values{quantity.TestError: metrics.Exact(0.25)}
	r := NewResults(nil, map[string]study.Outcome{
		"x seed=1": {Lanes: []engine.LaneResult{{Values: of}}},
		"x seed=2": {Lanes: []engine.LaneResult{{Values: of, Diverged: &state.Divergence{Step: 4}}}},
		"x seed=3": {Skipped: "no such file"},
	})
	for range 2 {
		s := r.Over(Runs{Name: "x", Seed: 1, N: 4}, TestError)
		if s.Mean != 0.25 || s.N != 1 || s.Lost != 1 {
			t.Errorf("%+v", s)
		}
	}
	if _, ok := r.Curve("x seed=1"); ok {
		t.Error("a curve of nothing")
	}
	got := strings.Join(r.Remarks(), "\n")
	want := "1 session diverged: x seed=2.\n1 session is skipped (no such file): x seed=3.\n1 session is not run: " +
		"x seed=4."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}
