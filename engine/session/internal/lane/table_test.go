package lane

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// The quantiles of a lane's rows are those of its distribution, their values those of the
// watched coordinates, and there are rows only where they are watched.
func TestRows(t *testing.T) {
	p := open(t, "gaussian")
	for _, chains := range []int{1, 4} {
		cfg := config(p, 0, map[string]float64{"thin": 100, "eps": 0.02}, "sgld")
		cfg.Chains = chains
		r := oneLane(t, cfg, cfg.Lanes[0], p)
		t.Cleanup(r.Close)
		r.Advance(200_000)
		if v := r.Measures().View(false, nil); v.Rows != nil {
			t.Fatal("rows that nobody watches")
		}
		r.Measures().Watch(state.Watch{Y: 1, Rows: true})
		v := r.Measures().View(false, nil)
		if len(v.Rows) != 2 {
			t.Fatalf("%d rows", len(v.Rows))
		}
		for i, row := range v.Rows {
			if row.At != i || row.Name != v.Names[i] || row.Values[quantity.Mean] != v.Coords[i].Values[quantity.Mean] {
				t.Errorf("row %d is %d, %s with mean %v", i, row.At, row.Name, row.Values[quantity.Mean])
			}
			if n := len(row.Draws); n == 0 || n != len(v.Rows[0].Draws) { // which are of the same states in each row
				t.Errorf("row %d has %d draws", i, n)
			}
			sd := []float64{0.4, 1}[i]
			// Standard normal quantiles. With 2,000 draws, some 1,000 of which count, that of
			// 2.5% has a standard error of 0.08 sd. The step's bias is 3% of the variance at most.
			for k, z := range []float64{-1.960, -0.674, 0.674, 1.960} {
				if got := row.Quantiles[k]; !got.OK() || math.Abs(got.Value-z*sd) > 0.3*sd {
					t.Errorf("%d chains, row %d: quantile %g is %v, want %.3f", chains, i, engine.RowQuantiles[k], got.Value, z*sd)
				}
			}
		}
	}
}

// While a chain is too short it says how many draws it needs at least, and nothing of fewer than 50 draws.
func TestNeeded(t *testing.T) {
	p := open(t, "gaussian")
	cfg := config(p, 0, map[string]float64{"eps": 0.02}, "sgld")
	r := oneLane(t, cfg, cfg.Lanes[0], p)
	defer r.Close()
	r.Advance(20)
	v := r.Measures().View(false, nil)
	if e := v.Coords[1].Rough; v.Needed != 0 || e.Status != metrics.TooShort {
		t.Errorf("of 20 draws it needs %d, with τ %+v", v.Needed, e)
	}
	r.Advance(2980)
	v = r.Measures().View(false, nil)
	// θ₂ has τ = 2/ε = 100 draws, so it takes 150 τ = 15,000. At 30 τ the estimate of τ has a
	// relative standard error of about 1.2, and what it says is for two of those less.
	if v.Trust[quantity.Chain] != metrics.TooShort || v.Needed < 3000 || v.Needed > 15_000 {
		t.Fatalf("%v: it needs %d draws", v.Trust[quantity.Chain], v.Needed)
	}
	for range 60 {
		r.Advance(max(v.Needed, v.Draws+1000) - v.Draws)
		if v = r.Measures().View(false, nil); v.Trust[quantity.Chain] != metrics.TooShort {
			break
		}
	}
	if v.Trust[quantity.Chain] != metrics.OK || v.Draws > 60_000 {
		t.Errorf("after %d draws the chain is %v", v.Draws, v.Trust[quantity.Chain])
	}
}
