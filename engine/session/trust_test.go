package session

import (
	"fmt"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// A trustCell is a lane, how many of its chains on so many seeds are trusted, and why the others are not.
type trustCell struct {
	target, method string
	chains         int
	steps          uint64
	init           string
	eps            float64 // 0 for the default
	schedule       string
	least, most    float64 // share that is trusted
	why            []metrics.Status
}

// twoModes has them at -4 and 4, with the sd ½, and so has threeD.
const (
	twoModes = "density:logsumexp(-(x+4)^2/0.5, -(x-4)^2/0.5)"
	threeD   = "density:logsumexp(-((t1+4)^2+t2^2+t3^2)/0.5, -((t1-4)^2+t2^2+t3^2)/0.5)"
	student5 = "density:-3*log(1+x^2/5)"
)

var disagree = []metrics.Status{metrics.Disagree, metrics.Mode, metrics.TooShort}

var trustCells = []trustCell{
	{target: twoModes, method: "sgld", chains: 4, steps: 20_000, why: disagree},
	{target: twoModes, method: "psgld", chains: 4, steps: 20_000, why: disagree},
	{target: twoModes, method: "hmc", chains: 4, steps: 20_000, why: disagree},
	{target: twoModes, method: "mala", chains: 4, steps: 20_000, why: disagree},
	{target: twoModes, method: "sgld", chains: 16, steps: 20_000, why: disagree},
	{target: twoModes, method: "sgld", chains: 1, steps: 20_000, why: []metrics.Status{metrics.Mode}},
	// A tenth of the mass moves the mean by a third of an sd, and a narrow peak amid the rest by nothing.
	{target: "mixture:gap=9;w=0.1", method: "hmc", steps: 20_000,
		why: []metrics.Status{metrics.Mode, metrics.TooShort}},
	{target: "density:log_mix(0.5, normal(x, 0, 1), normal(x, 0, 0.001))", method: "sgld", eps: 1e-7, init: "0",
		steps: 100_000, why: []metrics.Status{metrics.Mode, metrics.TooShort, metrics.Drifting}},
	{target: threeD, method: "sgld", chains: 4, steps: 20_000, why: disagree},
	{target: threeD, method: "psgld", chains: 4, steps: 20_000, why: disagree},
	{target: threeD, method: "hmc", chains: 4, steps: 5_000, why: disagree},
	{target: threeD, method: "mala", chains: 4, steps: 20_000, why: disagree},
	{target: "density:-x^2/2", method: "sgld", chains: 4, steps: 20_000, least: 0.9, most: 1},
	{target: "density:-x^2/2 - 2*(y-x)^2", method: "hmc", chains: 4, steps: 5_000, least: 0.9, most: 1},
	{target: student5, method: "hmc", chains: 4, steps: 10_000, least: 0.9, most: 1},
	{target: "gaussian", method: "sghmc", steps: 20_000, init: "30,30", why: []metrics.Status{metrics.Drifting}},
	{target: "gaussian", method: "sghmc", chains: 4, steps: 20_000, init: "30,30",
		why: []metrics.Status{metrics.Drifting, metrics.Disagree}},
	{target: "gaussian", method: "sgld", steps: 20_000, init: "10,10", eps: 0.05,
		why: []metrics.Status{metrics.Drifting}, most: 0.1},
	{target: "gaussian", method: "sgld", steps: 20_000, least: 0.95, most: 1},
	{target: "gaussian", method: "sghmc", steps: 20_000, least: 0.9, most: 1},
	{target: "gaussian", method: "sgld", steps: 100_000, schedule: "halve:3000", why: []metrics.Status{metrics.Frozen}},
	{target: "gaussian", method: "sgld", steps: 100_000, schedule: "halve:50000", least: 0.9, most: 1},
	// 2 and 3 of 20 are trusted: k of their tails comes to less than 0.7 by more than its error, by chance.
	{target: "density:-log(1+x^2)", method: "hmc", chains: 4, steps: 10_000, most: 0.2,
		why: []metrics.Status{metrics.Tails, metrics.Disagree, metrics.TooShort, metrics.Skewed, metrics.Drifting}},
	{target: "density:-log(1+x^2)", method: "sgld", steps: 100_000, most: 0.2,
		why: []metrics.Status{metrics.Tails, metrics.Disagree, metrics.TooShort, metrics.Skewed, metrics.Drifting}},
}

// trusted is the share of so many seeds on which the lane is trusted, and the others by their reasons.
func (c *trustCell) trusted(t *testing.T, seeds uint64) (share float64, why map[metrics.Status]int) {
	t.Helper()
	p := open(t, c.target)
	why = map[metrics.Status]int{}
	for seed := range seeds {
		set := state.DefaultSetting(p, c.method)
		if c.eps > 0 {
			set = set.With(sampler.KeyEps, c.eps)
		}
		if c.init != "" {
			set = set.With(sampler.KeyBurnIn, 0)
		}
		cfg := state.Config{Target: p.Spec, Lanes: []state.Setting{set}, Seed: seed + 1, Init: c.init, Steps: c.steps,
			Chains: c.chains}
		if c.schedule != "" {
			var err error
			if cfg.Lanes[0].Schedule, _, err = sampler.ParseSchedule(c.schedule); err != nil {
				t.Fatal(err)
			}
		}
		_, r := run(t, cfg, p, Runtime{})
		switch s := r.Lanes[0].Values[quantity.MinESS].Status; s {
		case metrics.OK:
			share += 1 / float64(seeds)
		default:
			why[s]++
		}
	}
	return share, why
}

func (c *trustCell) String() string {
	return fmt.Sprintf("%s %s chains %d steps %d init %s %s", c.target, c.method, c.chains, c.steps, c.init, c.schedule)
}

func proveTrust(t *testing.T, seeds uint64) {
	for _, c := range trustCells {
		share, why := c.trusted(t, seeds)
		t.Logf("%s: %.2f trusted, else %v", &c, share, why)
		if share < c.least-1e-9 || share > c.most+1e-9 {
			t.Errorf("%s: %.2f are trusted, want %g to %g; else %v", &c, share, c.least, c.most, why)
		}
		if c.most < 1 {
			for s, n := range why {
				found := false
				for _, want := range c.why {
					found = found || s == want
				}
				if !found {
					t.Errorf("%s: %d are withheld by %q, want one of %v", &c, n, s, c.why)
				}
			}
		}
	}
}

// What cannot be trusted is not, and what can be is. The slow tests have more seeds.
func TestTrustedLanes(t *testing.T) {
	innerlooptest.Later(t, "long chains")
	proveTrust(t, 1)
}

// The first steps of pSGLD, whose V is still small, go further than later ones, which few of its chains are withheld for.
func TestStartOfPSGLD(t *testing.T) {
	innerlooptest.Later(t, "a hundred chains")
	c := &trustCell{target: "gaussian", method: "psgld", steps: 4_000}
	if share, why := c.trusted(t, 100); why[metrics.Drifting] > 2 {
		t.Errorf("%.2f are trusted, else %v", share, why)
	}
}

// At another temperature than that of the truth nothing is compared with it.
func TestTruthAtTemperature(t *testing.T) {
	p := open(t, "gaussian")
	for _, method := range []string{"sgld", "hmc"} {
		for temp, want := range map[float64]metrics.Status{1: metrics.OK, 0.25: metrics.OtherTruth} {
			c := config(p, 5000, map[string]float64{sampler.KeyTemp: temp}, method)
			_, r := run(t, c, p, Runtime{})
			if e := r.Lanes[0].Values[quantity.CovError]; e.Status != want {
				t.Errorf("%s at T = %g: the covariance error is %+v, want %q", method, temp, e, want)
			}
			if e := r.Lanes[0].Values[quantity.CovBias]; temp != 1 && e.OK() {
				t.Errorf("%s at T = %g: the bias is %+v", method, temp, e)
			}
		}
	}
}

// A method without bias whose mean is off has missed a part, unless the truth is of draws, which may be wrong.
func TestMeanOffATruthOfDraws(t *testing.T) {
	for draws, want := range map[uint64]metrics.Status{0: metrics.Mode, 4000: metrics.OK} {
		p := open(t, "density:-x^2/2")
		p.Reference.Mean[0], p.Reference.Draws = 0.2, draws
		_, r := run(t, config(p, 20_000, nil, "hmc"), p, Runtime{})
		if e := r.Lanes[0].Values[quantity.MinESS]; e.Status != want {
			t.Errorf("of a truth of %d draws: the ESS is %+v, want %q", draws, e, want)
		}
	}
}
