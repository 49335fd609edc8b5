package text

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// A lane with an error, and with nothing that tells of its bias, has a note that says so and what would tell.
func TestBiasUnknown(t *testing.T) {
	p, err := targets.Open("blr:synthetic", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	const note = "the bias of its step is not known"
	for _, c := range []struct {
		sampler string
		draw    noise.Draw
		bias    bool
		trusted bool
		truth   bool
		want    string
	}{
		{"sgld", noise.Shuffle, false, true, false, note + " (--bias --batching subset estimates it)"},
		{"psgld", noise.Subset, false, true, false, note + " (--bias estimates it)"},
		{"sghmc", noise.Subset, false, true, false, note + " (--bias compares the chain with itself at ε/4)"},
		{"sgrld", noise.Subset, false, true, false, note},
		{"hmc", noise.Shuffle, false, true, false, ""},
		{"sgld", noise.Shuffle, true, true, false, note},
		{"sgld", noise.Shuffle, false, false, false, ""},
		{"sgld", noise.Shuffle, false, true, true, ""},
	} {
		l := engine.LaneResult{Sampler: c.sampler, Coords: make([]quantity.CoordValues, 1)}
		if c.trusted {
			l.Coords[0][quantity.MCSE] = metrics.Exact(0.1)
		}
		if c.truth {
			l.Values[quantity.MeanError] = metrics.Exact(0.1)
		}
		l.BiasUnknown = quantity.BiasUnknown(map[bool]quantity.Facts{true: quantity.Metropolis}[c.sampler == "hmc"]|
			quantity.Sampling, &l.Values, l.Coords)
		got := strings.Join(SettingNotes(&state.Config{Draw: c.draw, Bias: c.bias}, l,
			state.DefaultSetting(p, c.sampler), p), "\n")
		if !strings.HasSuffix(got, c.want) || (c.want == "") != !strings.Contains(got, note) {
			t.Errorf("%+v: %q", c, got)
		}
	}
}
