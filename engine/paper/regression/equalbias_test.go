package regression

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// SGLD takes 10/ε iterations and is 1 + 1000ε times too wide, pSGLD takes 1/ε and is 1 + 5000ε
// times too wide, and their means are off in the same proportion: 10 times fewer at equal ε, and
// 2 times at equal bias, on lines that the interpolation follows exactly.
func TestEqualBias(t *testing.T) {
	o := paper.Options{Reading: paper.Text, Scale: paper.Full, Seed: 1}
	f := fig2Of(o, australian)
	outcomes := map[string]study.Outcome{}
	put := func(runs paper.Runs, ess, mean, sd float64) {
		for _, id := range runs.IDs() {
			outcomes[id] = study.Outcome{ID: id, Lanes: []engine.LaneResult{{
				Draws: 1000, Values: quantity.Values{quantity.MinESS: metrics.Exact(ess)}, Names: []string{"w"},
				Coords: []quantity.CoordValues{{quantity.Mean: metrics.Exact(mean), quantity.SD: metrics.Exact(sd)}},
			}}}
		}
	}
	put(f.truth(), 1000, 0, 2)
	for _, eps := range fig2LongEps {
		put(f.long(paper.SGLD, eps), 1000*eps/10, 100*eps, 2*(1+1000*eps))
		put(f.long(paper.PSGLD, eps), 1000*eps, 500*eps, 2*(1+5000*eps))
	}
	r := paper.NewResults(nil, outcomes)
	all := f.equalBiases(r)
	if len(all) == 0 || all[len(all)-1].eps != 1e-3 {
		t.Fatalf("%+v", all)
	}
	for _, e := range all {
		if !near(e.times.Mean, 2) || !near(e.same.Mean, 10) || !near(e.of.Mean, e.eps/5) || e.of.Mean < fig2LongEps[0] {
			t.Errorf("at ε = %g: %+v", e.eps, e)
		}
	}
	rep := reportFig2a(o, r)
	said := papertest.Said(rep)
	for _, want := range []string{"2.0 times fewer iterations per effective sample at equal bias, and 10 times " +
		"fewer at equal ε.", "equally too wide, pSGLD takes 2.0 times fewer",
		"error of the weights, pSGLD takes 2.0 times fewer", "10 ± 0 times fewer seed by seed"} {
		if !strings.Contains(said, want) {
			t.Errorf("no %q in:\n%s", want, said)
		}
	}
	if n := len(rep.Figures[0].Panels[2].Series); n != 2 {
		t.Errorf("%d lines of cost against bias", n)
	}
	// A seed that diverged or is too short leaves no equal bias at its ε.
	id := f.long(paper.SGLD, 1e-3).IDs()[0]
	x := outcomes[id]
	x.Lanes[0].Diverged = &state.Divergence{Step: 3}
	if left := f.equalBiases(paper.NewResults(nil, outcomes)); len(left) != len(all)-2 {
		t.Errorf("%+v", left)
	}
	if _, ok := atBias([]price{{1e-5, 10, [2]float64{0.1}}, {1e-4, 5, [2]float64{0.5}}}, biasOfWidth, 0.6); ok {
		t.Error("found beyond the grid")
	}
}

func near(x, want float64) bool { return math.Abs(x/want-1) < 1e-9 }
