package pane

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// What a lane needs takes at least as long as its share of the steps that all lanes make: an equal one
// step by step, its own in a race, and never more than the limit of the speed.
func TestWait(t *testing.T) {
	lane := func(id int, rate float64) engine.LaneView {
		v := engine.LaneView{ID: id,
			Window: engine.Window{Draws: 1000, Setting: state.Setting{Values: map[string]float64{sampler.KeyThin: 10}}}}
		v.Values[quantity.StepsPerSecond] = metrics.Exact(rate)
		v.Trust[quantity.Chain], v.Needed = metrics.TooShort, 4567
		return v
	}
	f := Frame{Snap: &engine.Snapshot{Rate: 4000, Lanes: []engine.LaneView{lane(0, 3000), lane(1, 1000)}}}
	v := &f.Snap.Lanes[0]
	for _, c := range []struct {
		race  bool
		speed float64
		want  string
	}{ // 3,567 draws are 35,670 steps
		{false, 0, "36,000 (18s+)"}, {true, 0, "36,000 (12s+)"}, {false, 100, "36,000 (5m57s+)"},
	} {
		f.Snap.Config.Race, f.Snap.Speed = c.race, c.speed
		if _, count, wait := f.further(v); count+wait != c.want {
			t.Errorf("race %v, speed %g: %s%s, want %s", c.race, c.speed, count, wait, c.want)
		}
	}
	f.Snap.Config.Race, f.Snap.Speed = false, 0
	const want = "too short: A needs 36,000+ more steps (18s+), B needs 36,000+ more steps (18s+)"
	if got := f.TooShort(80); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for width, want := range map[int]string{
		50: "more steps: A 36,000+ (18s+), B 36,000+ (18s+)", 40: "too short: 36,000+ more steps (18s+)",
		26: "36,000+ more steps (18s+)", 20: "36,000+ more steps", 10: "too short",
	} {
		if got := f.TooShort(width); got != want {
			t.Errorf("in %d columns %q, want %q", width, got, want)
		}
	}
	f.Snap.Rate = 0
	if v.Needed = 0; f.TooShort(80) != "too short: A needs 10,000+ more steps, B needs 36,000+ more steps" {
		t.Errorf("at no speed %q", f.TooShort(80))
	}
	v.Diverged, v.Trust[quantity.Chain] = &state.Divergence{}, metrics.Diverged
	if got := f.TooShort(80); got != "too short: B needs 36,000+ more steps" {
		t.Errorf("%q", got)
	}
}

// The label of an error that leaves out a bias of which nothing tells stands beside what a lane that is too short
// needs, and alone where there is no room for more.
func TestFootnote(t *testing.T) {
	lane := func(id int, chain, mixing metrics.Status, unknown bool) engine.LaneView {
		v := engine.LaneView{ID: id, Facts: quantity.Sampling, BiasUnknown: unknown, Needed: 4567,
			Window: engine.Window{Draws: 1000, Setting: state.Setting{Values: map[string]float64{sampler.KeyThin: 10}}}}
		v.Trust[quantity.Chain], v.Trust[quantity.Mixing] = chain, mixing
		return v
	}
	short := lane(0, metrics.TooShort, metrics.TooShort, false)
	known, unknown := lane(1, metrics.OK, metrics.OK, false), lane(1, metrics.OK, metrics.OK, true)
	for _, c := range []struct {
		lanes []engine.LaneView
		width int
		want  string
	}{
		{[]engine.LaneView{short, unknown}, 80, "too short: A needs 36,000+ more steps; bias not known of B"},
		{[]engine.LaneView{short, unknown}, 48, "more steps: A 36,000+; bias not known of B"},
		{[]engine.LaneView{short, unknown}, 20, "bias not known of B"}, {[]engine.LaneView{short, unknown}, 10, ""},
		{[]engine.LaneView{short, known}, 40, "too short: A needs 36,000+ more steps"},
		{[]engine.LaneView{known}, 40, "± is the chain's own"},
		{[]engine.LaneView{unknown}, 40, "± is the chain's own; bias not known"},
		{[]engine.LaneView{unknown}, 30, "bias not known"},
		{[]engine.LaneView{short}, 80, "too short: A needs 36,000+ more steps"},
	} {
		f := Frame{Snap: &engine.Snapshot{Lanes: c.lanes}}
		if got := f.Footnote(c.width, true); got != c.want {
			t.Errorf("%d lanes in %d columns: %q, want %q", len(c.lanes), c.width, got, c.want)
		}
		if got := f.Footnote(c.width, false); strings.Contains(got, "±") {
			t.Errorf("without a ± the foot is %q", got)
		}
	}
}
