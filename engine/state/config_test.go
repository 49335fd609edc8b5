package state

import (
	"encoding/json"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

func open(t *testing.T, spec string) *targets.Problem {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{Dataset: map[bool]string{true: "strokes"}[strings.Contains(spec, "nn") || strings.HasPrefix(spec, "mlp")]})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// The slider of every step size holds its default value with three decades below
// it and one above, wherever the target's step sizes lie.
func TestStepSizesAreWithinReach(t *testing.T) {
	for _, spec := range []string{"gaussian", "banana", "mixture", "funnel", "blr", "mlp:20", "cnn:5"} {
		p := open(t, spec)
		for _, m := range catalog.Methods() {
			if m.Misfit(p) != "" {
				continue
			}
			l := DefaultSetting(p, m.Name)
			for _, q := range Params(p, m.Name) {
				x := l.Value(q.Key)
				switch {
				case q.Key == sampler.KeyEps && !(q.Lo <= x/1e3 && q.Hi >= 10*x && q.Hi/q.Lo < 1e8):
					t.Errorf("%s, %s: ε %g on a slider from %g to %g", spec, m.Name, x, q.Lo, q.Hi)
				case q.Scale != param.Choice && x != 0 && (x < q.Lo || x > q.Hi):
					t.Errorf("%s, %s: %s %g is not on its slider from %g to %g", spec, m.Name, q.Key, x, q.Lo, q.Hi)
				}
			}
		}
	}
}

func TestValidate(t *testing.T) {
	p := open(t, "gaussian")
	blr := open(t, "blr:synthetic")
	for _, c := range []struct {
		edit func(*Config)
		data bool
		want string
	}{
		{func(c *Config) { c.Lanes = nil }, false, "lanes must be 1 to 4 of them, got 0"},
		{func(c *Config) { c.Lanes[0] = c.Lanes[0].With("eps", 0) }, false, "eps must be positive, got 0"},
		{func(c *Config) { c.Lanes[0] = c.Lanes[0].With("thin", 1.5) }, false, "thin must be a whole number, 1 or more, got 1.5"},
		{func(c *Config) { c.Lanes[0] = c.Lanes[0].With("batch", 1e7) }, true, "batch must be at most N = "},
		{func(c *Config) { c.Lanes[0].Sampler = "nuts" }, false, `unknown sampler "nuts"`},
		{func(c *Config) { c.Init = "1,2,3" }, false, "init must be random, zero, one number or 2 numbers, got 3 of them"},
		{func(c *Config) { c.Init = "1,x" }, false, `init must be random, zero or numbers within ±1e+08, got "x"`},
		{func(c *Config) { c.Init = "NaN" }, false, `init must be random, zero or numbers within ±1e+08, got "NaN"`},
		{func(c *Config) { c.Epochs = 2 }, false, "epochs needs a target with data"},
		{func(c *Config) { c.Seconds = -1 }, false, "seconds must be positive, got -1"},
	} {
		q := p
		if c.data {
			q = blr
		}
		cfg := Config{Target: q.Spec, Dataset: q.Dataset, Seed: 20, Steps: 10, Lanes: []Setting{DefaultSetting(q, "sgld")}}
		c.edit(&cfg)
		if err := cfg.Validate(q); err == nil || !strings.HasPrefix(err.Error(), c.want) {
			t.Errorf("%v, want %s", err, c.want)
		}
	}
}

// Where the density is not defined at the start, with data or without, a session says so in the parameters' own scale,
// and no lane begins there.
func TestUndefinedStart(t *testing.T) {
	for target, want := range map[string]string{
		"density:log(-1-x^2)":                 "is needed: the log density is NaN at the start x = 0; want numbers",
		"data:cars;dist ~ normal(a, s);0 > s": "NaN at the start a = 0, s = -1; want numbers",
	} {
		p := open(t, target)
		cfg := Config{Target: p.Spec, Seed: 1, Steps: 10, Lanes: []Setting{DefaultSetting(p, "sgld")}}
		err := cfg.Validate(p)
		if err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want %s", target, err, want)
		}
	}
}

// A document has a divergence's step and its reason in words, and no more.
func TestDivergenceInADocument(t *testing.T) {
	d := &Divergence{Step: 7, Coordinate: "theta[1]", Value: math.NaN(), Eps: 1.6, Bound: sampler.Bound{Kind: sampler.VarianceBound, Eps: 0.64}}
	b, err := json.Marshal(d)
	if want := `{"step":7,"reason":"theta[1] is not a number; ε = 1.6 is not below 4σ² = 0.64"}`; err != nil || string(b) != want {
		t.Fatalf("%s, %v, want %s", b, err, want)
	}
	var back Divergence
	if err := json.Unmarshal(b, &back); err != nil || back.Step != 7 || back.Reason() != d.Reason() {
		t.Errorf("read back: %+v, %v", back, err)
	}
}
