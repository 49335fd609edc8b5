package pane

import (
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
	}{{false, 0, "20s+"}, {true, 0, "14s+"}, {false, 100, "6m40s+"}} { // 4,000 draws are 40,000 steps
		f.Snap.Config.Race, f.Snap.Speed = c.race, c.speed
		if got := f.Wait(v, 5000); got != c.want {
			t.Errorf("race %v, speed %g: %s, want %s", c.race, c.speed, got, c.want)
		}
	}
	f.Snap.Config.Race, f.Snap.Speed = false, 0
	const want = "too short: A needs 4,600+ draws (18s+), B needs 4,600+ draws (18s+)"
	if got := f.TooShort(80); got != want {
		t.Errorf("%q, want %q", got, want)
	}
	for width, want := range map[int]string{
		50: "draws needed: A 4,600+ (18s+), B 4,600+ (18s+)", 40: "4,600+ draws needed (18s+)",
		20: "4,600+ draws needed", 10: "too short",
	} {
		if got := f.TooShort(width); got != want {
			t.Errorf("in %d columns %q, want %q", width, got, want)
		}
	}
	f.Snap.Rate = 0
	if got := f.Wait(v, 123_456); got != "130,000+ draws" {
		t.Errorf("at no speed %q", got)
	}
	v.Diverged, v.Trust[quantity.Chain] = &state.Divergence{}, metrics.Diverged
	if got := f.TooShort(80); got != "too short: B needs 4,600+ draws" {
		t.Errorf("%q", got)
	}
}
