package tune

import (
	"math"
	"reflect"
	"runtime"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// configOf is a config of lanes of these samplers for runs of so many steps.
func configOf(t *testing.T, spec string, seed, steps uint64, samplers ...string) (state.Config, *targets.Problem) {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := state.Config{Target: spec, Init: "random", Seed: seed, Steps: steps}
	for _, name := range samplers {
		c.Lanes = append(c.Lanes, state.DefaultSetting(p, name))
	}
	return c, p
}

// The ε of SGLD on a Gaussian is where its exact bias and its noise balance, and the digits do not depend on the cores.
func TestGaussian(t *testing.T) {
	innerlooptest.Skip(t, "a whole search")
	cfg, p := configOf(t, "gaussian", 1, 20_000, "sgld", "psgld")
	all, err := Run(t.Context(), cfg, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := all[0]
	// The variances are too large by ε/(4σ² - ε) with σ² = 0.16 and 1. With the noise of about 4/(εn) that pilots show the
	// error is least at about 0.048.
	if !a.Found || a.Setting.Eps() < 0.035 || a.Setting.Eps() > 0.065 {
		t.Errorf("ε %g, want about 0.048", a.Setting.Eps())
	}
	if !(a.Low < a.Error && a.Error < a.High && a.Half > a.Error && a.Twice > a.Error) {
		t.Errorf("error %g (%g to %g), %g at half and %g at twice", a.Error, a.Low, a.High, a.Half, a.Twice)
	}
	if Best(all) != 0 {
		t.Errorf("the best sampler is %d, want SGLD", Best(all))
	}
	was := runtime.GOMAXPROCS(1)
	defer runtime.GOMAXPROCS(was)
	again, err := Run(t.Context(), cfg, p, nil)
	if err != nil || !reflect.DeepEqual(plain(again), plain(all)) {
		t.Errorf("another number of cores gives other digits: %+v and %+v, %v", again, all, err)
	}
}

// plain are answers without NaN, which equals nothing.
func plain(all []Answer) (numbers []float64) {
	for i := range all {
		a := &all[i]
		for _, x := range [...]float64{a.Setting.Eps(), a.Error, a.Low, a.High, a.Half, float64(a.Gradients)} {
			if !math.IsNaN(x) {
				numbers = append(numbers, x)
			}
		}
	}
	return numbers
}

// Methods and targets of which no bias is told have a reason, and take no search.
func TestMissing(t *testing.T) {
	for method, target := range map[string]string{"adam": "gaussian", "hmc": "gaussian", "distill:sgld": "regress"} {
		want := NotSampling
		if method == "hmc" {
			want = Exact
		}
		cfg, p := configOf(t, target, 1, 1000, method)
		all, err := Run(t.Context(), cfg, p, nil)
		if err != nil || all[0].Found || all[0].Missing != want || all[0].Gradients != 0 || Best(all) >= 0 {
			t.Errorf("%s: %+v, %v, want %q", method, all, err, want)
		}
	}
}

// A network is tuned by the score of held-out data: the least of all its runs, of which half and twice the ε are some.
func TestNetwork(t *testing.T) {
	innerlooptest.Skip(t, "runs of a network")
	cfg, p := configOf(t, "mlp:20", 1, 400, "sgld")
	all, err := Run(t.Context(), cfg, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := all[0]
	if !a.Found || a.Criterion != quantity.NLL || !(a.Error < a.Half) || !(a.Error < a.Twice) ||
		Criterion(p) != quantity.NLL {
		t.Fatalf("%+v", a)
	}
	for _, q := range a.Pilots {
		if e := q.ErrorOf(400); e.OK() && e.Value < a.Error || q.Eps == a.Setting.Eps() && e.Value != a.Error {
			t.Errorf("at ε = %g the score is %v, and the least is said to be %g", q.Eps, e, a.Error)
		}
	}
	cfg.Lanes[0] = cfg.Lanes[0].With(sampler.KeyTemp, 0)
	if all, err := Run(t.Context(), cfg, p, nil); err != nil || all[0].Missing != NotSampling {
		t.Errorf("at T = 0: %+v, %v", all, err)
	}
}

// What has a known function is tuned by a run's own error of it.
func TestFunction(t *testing.T) {
	innerlooptest.Later(t, "long runs of a network")
	cfg, p := configOf(t, "classify", 1, 300_000, "sgld")
	all, err := Run(t.Context(), cfg, p, nil)
	if err != nil {
		t.Fatal(err)
	}
	a := all[0]
	if !a.Found || a.Criterion != quantity.FnError || !(a.Error > 0 && a.Error < 0.2) {
		t.Fatalf("%+v", a)
	}
	for _, q := range a.Pilots {
		if e := q.ErrorOf(cfg.Steps); e.OK() && e.Value < a.Error {
			t.Errorf("at ε = %g the error is %v, and the least is said to be %g", q.Eps, e, a.Error)
		}
	}
}

// A known function is too short where no run can tell it.
func TestFunctionTooShort(t *testing.T) {
	innerlooptest.Skip(t, "runs of a network")
	cfg, p := configOf(t, "classify", 1, 2000, "sgld")
	all, err := Run(t.Context(), cfg, p, nil)
	if a := all[0]; err != nil || a.Found || a.Missing != TooShort || a.Needed <= cfg.Steps {
		t.Errorf("%+v, %v; want too short", a, err)
	}
}

// Batches are compared at equal cost, by the data of the first.
func TestBudget(t *testing.T) {
	cfg, p := configOf(t, "blr:synthetic", 1, 1000, "sgld", "sgld", "sgld")
	for i, batch := range []float64{10, 40, 0} {
		cfg.Lanes[i] = cfg.Lanes[i].With(sampler.KeyBatch, batch)
	}
	for i, want := range []uint64{1000, 250, uint64(10_000 / p.N())} {
		if n := Budget(cfg, i, p); n != want {
			t.Errorf("lane %d runs %d steps, want %d", i, n, want)
		}
	}
}

// A larger minibatch has four times as many data, and all at most, for as many data in the run; where there is no ε
// only where minibatch noise hides the bias.
func TestLarger(t *testing.T) {
	cfg, p := configOf(t, "blr:synthetic", 1, 1000, "sgld")
	for _, c := range []struct {
		batch   float64
		missing Missing
		n       float64 // -1 for none
		steps   uint64
	}{
		{10, "", 40, 250}, {400, "", 0, 400}, {0, "", -1, 0}, {1000, "", -1, 0}, {10, Hidden, 40, 250}, {10, Skewed, -1, 0},
	} {
		a := Answer{Setting: cfg.Lanes[0].With(sampler.KeyBatch, c.batch), Budget: 1000, Found: c.missing == "",
			Missing: c.missing}
		one := cfg
		ok := a.larger(&one, p)
		if ok != (c.n >= 0) || ok && (one.Lanes[0].Value(sampler.KeyBatch) != c.n || one.Steps != c.steps) {
			t.Errorf("%+v: %v steps, %v, %v", c, one.Steps, one.Lanes[0].Values, ok)
		}
	}
}

// Biases that are ε(s + m(1/n - 1/N)) by construction give back the part that is the minibatches': with s = m/40 and
// batches of 10 all but 0.025/(0.125 - 1/N) of the bias, which is half of the squared error.
func TestCompare(t *testing.T) {
	cfg, p := configOf(t, "blr:synthetic", 1, 1000, "sgld", "sgld")
	all := make([]Answer, 2)
	for i, batch := range []float64{10, 40} {
		const eps = 1e-3
		bias := eps * (0.025 + 1/batch - 1/float64(p.N()))
		all[i] = Answer{Found: true, Criterion: quantity.StepError,
			Setting: cfg.Lanes[i].With(sampler.KeyBatch, batch).With(sampler.KeyEps, eps),
			Bias:    bias, Noise: bias, Error: math.Sqrt2 * bias, BiasSE: bias / 10}
	}
	rest := 0.025 / (0.125 - 1/float64(p.N()))
	c, ok := Compare(all, p)
	if !ok || c.Small != &all[0] || c.Large != &all[1] || math.Abs(c.Part-(1-rest*rest)/2) > 1e-9 {
		t.Errorf("%+v, %v, want a part of %g", c, ok, (1-rest*rest)/2)
	}
	all[0].BiasSE = all[0].Bias
	if _, ok := Compare(all, p); ok {
		t.Error("a difference within its error is told")
	}
}
