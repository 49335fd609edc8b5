//go:build slow

package session

import (
	"context"
	"errors"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
)

// TestDiscrepancyOverSeeds checks how often chains without bias, which mix in different ways, lie above the band of exact
// draws, and that chains with a bias do.
func TestDiscrepancyOverSeeds(t *testing.T) {
	const seeds = 24
	for _, c := range []struct {
		target, method string
		eps            float64 // 0 for the default
		steps          uint64
		least, most    float64 // share above the band
	}{
		// Of 5% with a standard error of 4.4%, and a 95th percentile by 100 replicates is exceeded in 6%.
		{"gaussian", "hmc", 0, 40_000, 0, 0.175}, // its squares mix slower than its draws
		{"gaussian", "mala", 0, 100_000, 0, 0.175},
		{"blr:synthetic", "hmc", 0, 20_000, 0, 0.175},
		{"gaussian", "sgld", 0.3, 100_000, 0.95, 1}, // 1.88 times the variance of the first coordinate
		{"gaussian", "sgld", 0.1, 100_000, 0.25, 1}, // 1.18 times: 0.45 were measured
	} {
		p := open(t, c.target)
		above := 0
		for seed := range uint64(seeds) {
			cfg := discrepant(p, c.method)
			cfg.Seed, cfg.Init = seed+1, "random"
			if c.eps > 0 {
				cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyEps, c.eps)
			}
			d, _ := followed(t, p, cfg, false, c.steps)
			points := settled(d, state.Watch{Y: 1, Discrepancy: true}).Lanes[0].Points
			if len(points) != 1 {
				t.Fatalf("%s on %s, seed %d: %d points", c.method, c.target, seed+1, len(points))
			}
			if points[0].KSD > points[0].To {
				above++
			}
			if err := d.stop(); !errors.Is(err, context.Canceled) {
				t.Fatal(err)
			}
		}
		share := float64(above) / seeds
		t.Logf("%s on %s, ε %g: %.2f above the band", c.method, c.target, c.eps, share)
		if share < c.least || share > c.most {
			t.Errorf("%s on %s, ε %g: %.2f are above the band, want %.2f to %.2f", c.method, c.target, c.eps, share, c.least, c.most)
		}
	}
}

// TestTrustedLanesOverSeeds is TestTrustedLanes over more seeds.
func TestTrustedLanesOverSeeds(t *testing.T) { proveTrust(t, 12) }
