package session

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// Sessions of hmc and mala that are changed, rewound and undone in the warm-up
// and after it play again bit for bit, from checkpoints too.
func TestMetropolisReplays(t *testing.T) {
	for _, spec := range []string{"gaussian", "blr:synthetic"} {
		p := open(t, spec)
		for _, warmup := range []float64{200, 5000} {
			if (warmup > 200) == (spec == "gaussian") {
				continue // of the four two that differ in both
			}
			c := config(p, 0, map[string]float64{"warmup": warmup, "burn-in": 0}, "hmc", "mala", "sgld")
			live := script(t, c, p, 150, []state.Command{
				state.Rewind{Lane: 0, Steps: 100, EpsFactor: 1}, state.SetParam{Lane: state.AllLanes, Key: "temp", Value: 0.5}, state.SetParam{Lane: 1, Key: "eps", Value: 0.01}, state.Rewind{Lane: state.AllLanes, Steps: 300, EpsFactor: 0.5},
				state.SetSampler{Lane: 2, Name: "hmc"}, state.SetParam{Lane: 0, Key: "leapfrog", Value: 3}, state.Rewind{Lane: 2, Steps: 60, EpsFactor: 1}, state.Undo{}, state.SetParam{Lane: state.AllLanes, Key: "mass", Value: 0},
			})
			if err := Verify(context.Background(), live.Recording("test"), Runtime{}); err != nil {
				t.Errorf("%s, warm-up %g: %v", spec, warmup, err)
			}
		}
	}
}

// A rewind brings back the very draws.
func TestMetropolisRewinds(t *testing.T) {
	p := open(t, "banana")
	for _, steps := range []uint64{90, 700, 1500} { // in the warm-up, at the step size alone, after it
		set := state.DefaultSetting(p, "hmc")
		r := oneLane(t, config(p, 0, nil, "hmc"), set, p)
		r.Advance(steps)
		there := r.Measures().Digest().Digest
		r.Advance(400)
		r.Rewind(steps)
		if got := r.Measures().Digest().Digest; got != there || r.Standing().Step != steps {
			t.Errorf("back at step %d of %d: %s, was %s", r.Standing().Step, steps, got, there)
		}
		r.Close()
	}
}

// The default settings give the exact moments on every density, within 4 of the
// draws' own standard errors; acceptance and divergences are reported, the latter
// in narrow ends. On the banana a lane of which more than 0.1% of the trajectories diverge
// has no trust, and smaller steps, which do not diverge, have the moments.
func TestMetropolisOnDensities(t *testing.T) {
	innerlooptest.Later(t, "long chains")
	for _, c := range []struct {
		spec    string
		accept  float64
		diverge bool
	}{
		{"gaussian", 0.8, false}, {"gaussian:cov=1,0.9,0.9,1", 0.8, false}, {"mixture", 0.8, false}, {"funnel", 0.8, true},
		{"banana", 0.8, true}, {"banana", 0.95, false},
	} {
		spec, p := c.spec, open(t, c.spec)
		draws := uint64(60_000)
		if spec == "banana" { // skewed draws are trusted later
			draws = 200_000
		}
		_, r := run(t, config(p, 1000+draws, map[string]float64{"target-accept": c.accept}, "hmc", "mala"), p, Runtime{})
		for _, l := range r.Lanes {
			if l.Draws != draws || !(l.Values[quantity.Acceptance].Trusted() > 0.3 && l.Values[quantity.Acceptance].Value < 0.99) {
				t.Errorf("%s %s: %d draws, acceptance %v", spec, l.Sampler, l.Draws, l.Values[quantity.Acceptance].Value)
			}
			n := l.Values[quantity.Divergences].Trusted()
			if c.diverge && n == 0 || !c.diverge && n > float64(draws)/10_000 {
				t.Errorf("%s %s: %v divergent trajectories after the warm-up", spec, l.Sampler, n)
			}
			if n > float64(draws)/1000 {
				if s := l.Values[quantity.MinESS].Status; s != metrics.Divergent {
					t.Errorf("%s %s: %v divergent trajectories, and its ESS is %v", spec, l.Sampler, n, s)
				}
				continue
			}
			truth := p.Impl().(targets.Truth).Truth()
			for i, m := range truth.Mean {
				if d := math.Abs(l.Coords[i][quantity.Mean].Trusted() - m); !(d < 4*l.Coords[i][quantity.MCSE].Trusted()) {
					t.Errorf("%s %s: mean of %s is %.4f ± %.4f, want %g", spec, l.Sampler, l.Names[i], l.Coords[i][quantity.Mean].Value, l.Coords[i][quantity.MCSE].Value, m)
				}
			}
		}
	}
}

// jagsFixture is what .ci/jags writes.
type jagsFixture struct {
	PriorVar float64 `json:"prior_var"`
	Mean, SD []float64
}

// HMC on Australian against JAGS: means within 0.02, 0.05 for the widest weight,
// and sds within 5%. Its own errors here are below 0.003 (0.013 for the widest).
func TestHMCAgainstJAGS(t *testing.T) {
	innerlooptest.Numbers(t, "long chains on real data")
	if os.Getenv("PSGLD_DATA") == "" {
		t.Skip("PSGLD_DATA not set")
	}
	b, err := os.ReadFile(filepath.Join("..", "..", "targets", "testdata", "jags-australian.json"))
	if err != nil {
		t.Fatal(err)
	}
	var want jagsFixture
	if err := json.Unmarshal(b, &want); err != nil {
		t.Fatal(err)
	}
	p := open(t, "blr:australian")
	_, r := run(t, config(p, 21_000, map[string]float64{"prior-var": want.PriorVar}, "hmc"), p, Runtime{})
	l := r.Lanes[0]
	widest := 0
	for i, s := range want.SD {
		if s > want.SD[widest] {
			widest = i
		}
	}
	for i, m := range want.Mean {
		within := 0.02
		if i == widest {
			within = 0.05
		}
		if d := math.Abs(l.Coords[i][quantity.Mean].Trusted() - m); !(d < within) || !(d < 5*l.Coords[i][quantity.MCSE].Trusted()+0.003) {
			t.Errorf("mean of %s is %.4f ± %.4f, want %.4f", l.Names[i], l.Coords[i][quantity.Mean].Value, l.Coords[i][quantity.MCSE].Value, m)
		}
		if d := math.Abs(l.Coords[i][quantity.SD].Trusted()/want.SD[i] - 1); !(d < 0.05) {
			t.Errorf("sd of %s is %.4f, want %.4f", l.Names[i], l.Coords[i][quantity.SD].Value, want.SD[i])
		}
	}
	if !(l.Values[quantity.MinESS].Trusted() > 10_000) {
		t.Errorf("min ESS %v of 20,000 draws, want half as many", l.Values[quantity.MinESS])
	}
}
