package diagnostics

import (
	"math"
	"math/rand/v2"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/chart"
)

// Of a normal distribution the regions that are drawn have the mass that they are said to have: half of it and 95%
// whatever the smoothing.
func TestPairsHaveTheirMass(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	var xs, ys []float64
	for range 4096 {
		x := rng.NormFloat64()
		xs, ys = append(xs, x), append(ys, 0.8*x+0.6*rng.NormFloat64())
	}
	win := chart.Window{X: chart.Range{Lo: -3.5, Hi: 3.5}, Y: chart.Range{Lo: -3.5, Hi: 3.5}}
	d := newDensity(xs, ys, win)
	for k, part := range []float64{0.95, 0.5} {
		level, in := d.levels(0.95, 0.5)[k], 0
		for i := range xs {
			if d.at(xs[i], ys[i]) >= level {
				in++
			}
		}
		if got := float64(in) / float64(len(xs)); math.Abs(got-part) > 0.04 {
			t.Errorf("the region of %g has %g of the draws", part, got)
		}
	}
	if l := newDensity(xs[:leastPaired-1], ys[:leastPaired-1], win).levels(0.5); !math.IsInf(l[0], 1) {
		t.Errorf("too few draws have a density: %v", l)
	}
	if l := newDensity(xs, ys, chart.Window{}).levels(0.5); !math.IsInf(l[0], 1) {
		t.Errorf("no window has a density: %v", l)
	}
}

// The rows with draws are one after the other, wherever they begin.
func TestPairedRows(t *testing.T) {
	some := []float64{1}
	for want, rows := range map[int][]engine.CoordRow{
		0: {{}, {}}, 2: {{}, {Draws: some}, {Draws: some}, {}}, 1: {{Draws: some}},
	} {
		if got := len(paired(&engine.LaneView{Rows: rows})); got != want {
			t.Errorf("%d rows with draws, want %d", got, want)
		}
	}
}
