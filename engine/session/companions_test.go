package session

import (
	"fmt"
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
)

// biased is a config of sgld on a Gaussian with companions.
func biased(t *testing.T, spec string, eps float64, steps uint64) state.Config {
	t.Helper()
	p := open(t, spec)
	c := config(p, steps, nil, "sgld")
	c.Bias = true
	c.Lanes[0] = c.Lanes[0].With(sampler.KeyEps, eps).With(sampler.KeyBurnIn, 100)
	return c
}

// The bias of SGLD's variance on a Gaussian is known: v/σ² - 1 = 1/(1 - ε/(4σ²)) - 1. Its mean has
// none. The estimate is within three of its errors, and those are small beside the bias.
func TestStepBiasOfSGLD(t *testing.T) {
	innerlooptest.Later(t, "numbers, by no other goroutines than elsewhere")
	for _, eps := range []float64{0.1, 0.2, 0.4, 0.8} {
		c := biased(t, "gaussian:cov=1,0,0,1", eps, 400_000)
		_, r := run(t, c, open(t, c.Target), Runtime{})
		for i, v := range r.Lanes[0].Coords {
			want := 1/(1-eps/4) - 1
			mean, variance := v[quantity.StepBias], v[quantity.StepBiasVar]
			if !variance.OK() || !(math.Abs(variance.Value-want) < 3*variance.Error) || variance.Error > 0.5*want+0.02 {
				t.Errorf("ε = %g, coordinate %d: %v ± %v, want %v", eps, i+1, variance, variance.Error, want)
			}
			if !mean.OK() || !(math.Abs(mean.Value) < 4*mean.Error) {
				t.Errorf("ε = %g, coordinate %d: mean %v ± %v", eps, i+1, mean, mean.Error)
			}
		}
	}
}

// What cannot be told has its reason.
func TestNoStepBias(t *testing.T) {
	innerlooptest.Later(t, "numbers, by no other goroutines than elsewhere")
	for _, c := range []struct {
		target, sampler, schedule string
		eps                       float64
		steps                     uint64
		draw                      noise.Draw
		want                      metrics.Status
		quarter                   bool // it is compared with itself at ε/4
	}{
		{"gaussian", "sgld", "", 0.3, 20, noise.Shuffle, metrics.TooShort, false},
		{"gaussian", "sgld", "", 0.3, 20_000, noise.Shuffle, metrics.Irregular, false}, // 4σ² is 0.64
		{"gaussian:cov=1,0,0,1", "sgld", "halve:100000", 0.1, 200_000, noise.Shuffle, metrics.OK, true},
		{"gaussian", "sghmc", "", 0.02, 20_000, noise.Shuffle, metrics.OK, true},
		{"gaussian", "sgnht", "", 0.1, 20_000, noise.Shuffle, metrics.OK, true},
		{"gaussian", "psgld-adam", "", 0.1, 20_000, noise.Shuffle, metrics.OK, true},
		{"gaussian", "csgld", "", 0.1, 20_000, noise.Shuffle, metrics.NotHalved, false},
		{"blr:synthetic", "sgld", "", 1e-3, 40_000, noise.Shuffle, metrics.OK, true},
		{"blr:synthetic", "sgld", "", 1e-3, 40_000, noise.Subset, metrics.OK, false},
	} {
		p := open(t, c.target)
		cfg := config(p, c.steps, nil, c.sampler)
		cfg.Bias, cfg.Draw = true, c.draw
		cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyEps, c.eps)
		if c.schedule != "" {
			var err error
			if cfg.Lanes[0].Schedule, _, err = sampler.ParseSchedule(c.schedule); err != nil {
				t.Fatal(err)
			}
		}
		_, r := run(t, cfg, p, Runtime{})
		got, other := r.Lanes[0].Coords[0][quantity.StepBiasVar], r.Lanes[0].Coords[0][quantity.QuarterVar]
		if c.quarter {
			got, other = other, got
		}
		if got.Status != c.want || other.Applies() {
			t.Errorf("%s on %s: %+v, want %q, and %+v beside it", c.sampler, c.target, got, c.want, other)
		}
	}
}

// Companions change no digit of the chain, nothing is told where nothing can be, and what is
// told does not depend on how steps are cut into chunks or on a keyframe.
func TestCompanionsAreSilent(t *testing.T) {
	innerlooptest.Numbers(t, "long runs")
	c := biased(t, "gaussian", 0.2, 3000)
	p := open(t, c.Target)
	_, with := run(t, c, p, Runtime{})
	c.Bias = false
	_, without := run(t, c, p, Runtime{})
	if with.Lanes[0].Digest != without.Lanes[0].Digest {
		t.Error("companions change the chain")
	}
	if s := without.Lanes[0].Coords[0][quantity.StepBias].Status; s != metrics.Absent {
		t.Errorf("without companions the bias is %v", s)
	}
	c.Bias = true
	var ends []string
	for k, chunk := range []uint64{3000, 7, 1000} {
		r := oneLane(t, c, c.Lanes[0], p)
		for n := uint64(0); n < 6000; n += chunk {
			r.Advance(min(chunk, 6000-n))
			if k == 2 && n == 2000 {
				frame := r.Copy()
				r.Advance(500)
				if !frame.Fits(r) {
					t.Fatal("not restorable")
				}
				r.Restore(frame)
			}
		}
		ends = append(ends, fmt.Sprint(r.Measures().Digest(), r.Measures().Result(false).Coords[0][quantity.StepBiasVar]))
	}
	if ends[0] != ends[1] || ends[0] != ends[2] {
		t.Errorf("%q", ends)
	}
	silent(t, 20_000)
}

func TestCompanionsAreSilentInLongRuns(t *testing.T) {
	innerlooptest.Later(t, "four long runs")
	silent(t, 200_000)
}

// silent holds that after so many steps nothing is told of a bias that companions cannot tell.
func silent(t *testing.T, steps uint64) {
	for name, change := range map[string]func(c *state.Config){
		"a schedule": func(c *state.Config) { c.Lanes[0].Schedule = sampler.Schedule{Kind: "halve", Every: 10_000} },
		"hmc":        func(c *state.Config) { c.Lanes[0] = state.DefaultSetting(open(t, c.Target), "hmc") },
		"shuffle": func(c *state.Config) {
			c.Target = "blr:synthetic"
			c.Lanes[0] = state.DefaultSetting(open(t, c.Target), "sgld")
		},
		"a coarse step": func(c *state.Config) { c.Lanes[0] = c.Lanes[0].With(sampler.KeyEps, 0.55) }, // v/σ² goes as 1/(1 - 0.86)
	} {
		c := biased(t, "gaussian", 0.2, steps)
		change(&c)
		_, r := run(t, c, open(t, c.Target), Runtime{})
		if e := r.Lanes[0].Coords[0][quantity.StepBiasVar]; e.OK() {
			t.Errorf("%s: %v", name, e)
		}
	}
}

// Noise in the gradient, as minibatches bring it, is a bias too, and in the estimate: the law
// with it is known in closed form.
func TestStepBiasOfNoisyGradients(t *testing.T) {
	innerlooptest.Later(t, "a long chain")
	c := biased(t, "gaussian:cov=1,0,0,1;noise=2", 0.2, 400_000)
	p := open(t, c.Target)
	cov := make([]float64, 4)
	sgld, _ := catalog.Find("sgld")
	par := state.ValuesInForce(p, sgld, c.Lanes[0])
	if !sgld.StationaryCov(cov, p.Impl(), &par) {
		t.Fatal("no closed form")
	}
	_, r := run(t, c, p, Runtime{})
	e := r.Lanes[0].Coords[0][quantity.StepBiasVar]
	if want := cov[0] - 1; !e.OK() || math.Abs(e.Value-want) > 3*e.Error || e.Error > want/3 {
		t.Errorf("%v ± %v, want %v", e, e.Error, want)
	}
}
