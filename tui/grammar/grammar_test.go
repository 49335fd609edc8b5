package grammar

import (
	"math"
	"math/rand/v2"
	"os/exec"
	"reflect"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

func open(c state.Config) (*targets.Problem, error) { return c.Open("") }

var flagsByName = sync.OnceValue(func() map[string]Flag {
	kinds := map[string]Flag{}
	for _, f := range Flags() {
		kinds[f.Name] = f
	}
	return kinds
})

// argsOf reads Format's output as the commands' flags do.
func argsOf(t testing.TB, words []string) Args {
	t.Helper()
	kinds, a := flagsByName(), Args{}
	for i := 0; i < len(words); i++ {
		name, ok := strings.CutPrefix(words[i], "--")
		f, known := kinds[name]
		switch {
		case !ok || !known:
			t.Fatalf("%q is no flag", words[i])
		case f.Switch():
			a[name] = "true"
		default:
			i++
			a[name] = words[i]
		}
	}
	return a
}

func roundTrip(t testing.TB, c state.Config, p *targets.Problem) {
	t.Helper()
	words := Format(c, p)
	got, _, err := argsOf(t, words).Config(func(state.Config) (*targets.Problem, error) { return p, nil })
	if err != nil {
		t.Fatalf("%s: %v", Quote(words...), err)
	}
	if !reflect.DeepEqual(got, c) {
		t.Fatalf("%s:\n got %+v\nwant %+v", Quote(words...), got, c)
	}
}

// TestRoundTrip writes configs as a user could have made them, by flags and by
// turning parameters afterwards, and reads them back.
func TestRoundTrip(t *testing.T) {
	rng := rand.New(rand.NewPCG(1, 2))
	specs := []string{"gaussian", "gaussian:a=2;noise=0.1", "gaussian:cov=1,0.5,0.5,2", "banana", "mixture:gap=6",
		"funnel", "blr:synthetic"}
	var problems []*targets.Problem
	for _, s := range specs {
		p, err := targets.Open(s, targets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		problems = append(problems, p)
	}
	n := 3000
	if innerlooptest.Only() {
		n = 500
	}
	for range n {
		p := problems[rng.IntN(len(problems))]
		roundTrip(t, randomConfig(rng, p), p)
	}
}

func randomConfig(rng *rand.Rand, p *targets.Problem) state.Config {
	c := state.Config{Target: p.Spec, Seed: DefaultSeed, Init: "random"}
	some := func() bool { return rng.IntN(4) == 0 }
	if strings.HasPrefix(p.Spec, "blr") {
		c.Standardize, c.Intercept = targets.Tri(rng.IntN(3)), targets.Tri(rng.IntN(3))
		c.Draw = noise.Draw(rng.IntN(3))
		if some() {
			c.Epochs = 10 * rng.Float64()
		}
	}
	if some() {
		c.Init = []string{"zero", "0.5", "-1e-3", "-1"}[rng.IntN(4)]
	}
	c.SameNoise, c.Race = some(), some()
	if some() {
		c.Steps = rng.Uint64()
	}
	if some() {
		c.Seconds = rng.Float64()
	}
	if some() {
		c.Seed = rng.Uint64()
	}
	shared := state.DefaultSetting(p, "psgld")
	for range rng.IntN(3) {
		shared = turn(rng, p, shared)
	}
	var fit []string
	for _, m := range catalog.Methods() {
		if m.Misfit(p) == "" {
			fit = append(fit, m.Name)
		}
	}
	for range 1 + rng.IntN(state.MaxLanes) {
		l := state.DefaultSetting(p, fit[rng.IntN(len(fit))])
		if some() {
			for _, q := range state.Params(p, l.Sampler) {
				if v := shared.Or(q.Key, l.Value(q.Key)); q.Check(v) == nil {
					l.Values[q.Key] = v
				}
			}
			l.Schedule = shared.Schedule
		}
		for range rng.IntN(4) {
			l = turn(rng, p, l)
		}
		c.Lanes = append(c.Lanes, l)
	}
	if some() { // all alike
		for i, l := range c.Lanes {
			for k := range l.Values {
				q, _ := paramOf(l.Sampler, k)
				if v := c.Lanes[0].Or(k, l.Value(k)); q.Check(v) == nil {
					c.Lanes[i] = c.Lanes[i].With(k, v)
				}
			}
			c.Lanes[i].Schedule = c.Lanes[0].Schedule
		}
	}
	for i, l := range c.Lanes {
		if m, _ := catalog.Find(l.Sampler); m.Metropolis {
			c.Lanes[i].Schedule = sampler.Schedule{}
		}
	}
	return c
}

// turn changes one setting of a lane.
func turn(rng *rand.Rand, p *targets.Problem, l state.Setting) state.Setting {
	if rng.IntN(4) == 0 {
		l.Schedule = []sampler.Schedule{
			{}, {Kind: "halve", Every: 100}, {Kind: "halve", Every: 1 + rng.Float64()},
			{Kind: "poly", B: 1 + 100*rng.Float64(), Gamma: rng.Float64() + 0.01}, {Kind: "poly", B: 2, Gamma: 0.55},
		}[rng.IntN(5)]
		if p.HasData() && rng.IntN(2) == 0 {
			l.Schedule = sampler.Schedule{Kind: "halve", Every: 20, Epochs: true}
		}
		return l
	}
	all := state.Params(p, l.Sampler)
	q := all[rng.IntN(len(all))]
	v := q.At(rng.Float64())
	switch {
	case q.Key == sampler.KeyTemp && rng.IntN(2) == 0:
		v = 1 / float64(p.N())
	case q.Key == sampler.KeyEps && rng.IntN(2) == 0:
		v = state.EpsOfLR(0.05, p.N())
	case q.Scale != param.Choice && q.Scale != param.Integer && rng.IntN(2) == 0:
		v *= rng.Float64()
	}
	if q.Check(v) != nil {
		return l
	}
	return l.With(q.Key, v)
}

// TestCommandLine pins the text for cases whose form matters to a reader.
func TestCommandLine(t *testing.T) {
	for _, c := range []struct {
		args Args
		want string
	}{
		{Args{}, "psgld-tui"},
		{Args{"eps": "0.30"}, "psgld-tui"}, // the target's default
		{Args{"eps": "0.1", "seed": "20"}, "psgld-tui --eps 0.1 --seed 20"},
		{Args{"target": "gaussian:a=2;noise=0.1"}, "psgld-tui --target 'gaussian:a=2;noise=0.1'"},
		{Args{"samplers": "psgld,sgld:eps=0.1,psgld:alpha=0.9999;gamma=on"},
			"psgld-tui --samplers 'psgld,sgld:eps=0.1,psgld:alpha=0.9999;gamma=on'"},
		{Args{"samplers": "psgld:eps=0.1,sgld:eps=0.1"}, "psgld-tui --eps 0.1"},
		{Args{"samplers": "sgld"}, "psgld-tui --samplers sgld"},
		{Args{"schedule": "poly:0.5,2,0.55"}, "psgld-tui --schedule poly:0.5,2,0.55"},
		{Args{"samplers": "psgld,sgld:schedule=poly:0.5,2,0.55"},
			"psgld-tui --samplers psgld,sgld:schedule=poly:0.5,2,0.55"},
		{Args{"target": "blr:synthetic", "lr": "0.05", "temp": "1/n", "batch": "10"},
			"psgld-tui --target blr:synthetic --lr 0.05 --temp 1/N --batch 10"},
		{Args{"init": "-1,2", "race": "true", "same-noise": "true"}, "psgld-tui --init -1,2 --same-noise --race"},
		{Args{"steps": "2e5", "seconds": "1.5"}, "psgld-tui --steps 200000 --seconds 1.5"},
		{Args{"until": "rhat=1.010, ess=4e2"}, "psgld-tui --until ess=400,rhat=1.01"},
		{Args{"target": "blr:synthetic", "truth": "HMC"}, "psgld-tui --target blr:synthetic --truth hmc"},
		{Args{"target": "blr:synthetic", "truth": "hmc:draws=4e4"},
			"psgld-tui --target blr:synthetic --truth hmc:draws=40000"},
		{Args{"truth": "hmc:draws=8000;leapfrog=200; mass=unit"},
			"psgld-tui --truth 'hmc:draws=8000;leapfrog=200;mass=unit'"},
		{Args{"truth": "hmc:draws=20000", "seed": "2"}, "psgld-tui --truth hmc --seed 2"},
	} {
		cfg, p, err := c.args.Config(open)
		if err != nil {
			t.Errorf("%v: %v", c.args, err)
			continue
		}
		if got := CommandLine(cfg, p); got != c.want {
			t.Errorf("%v:\n got %s\nwant %s", c.args, got, c.want)
		}
		roundTrip(t, cfg, p)
	}
}

// TestOverlay checks whose word counts: the target's, a flag's, the lane's own.
func TestOverlay(t *testing.T) {
	cfg, p, err := Args{
		"target": "blr:synthetic", "lr": "0.05", "alpha": "0.9", "temp": "1/N", "prior-var": "7",
		"samplers": "psgld,sgld:eps=0.001;temp=0.5,psgld:alpha=0.5",
	}.Config(open)
	if err != nil {
		t.Fatal(err)
	}
	n := float64(p.N())
	want := []map[string]float64{
		{"eps": 0.1 / n, "alpha": 0.9, "temp": 1 / n, "prior-var": 7, "thin": float64(p.Defaults.Thin)},
		{"eps": 0.001, "temp": 0.5, "prior-var": 7},
		{"eps": 0.1 / n, "alpha": 0.5, "temp": 1 / n},
	}
	for i, values := range want {
		for k, v := range values {
			if got := cfg.Lanes[i].Value(k); math.Abs(got-v) > 1e-15*math.Abs(v) {
				t.Errorf("lane %d: %s is %v, want %v", i, k, got, v)
			}
		}
	}
	if cfg.Lanes[1].Has("alpha") {
		t.Error("sgld has been given an alpha")
	}
}

// TestPolynomial checks that a is the step size's factor and not its start.
func TestPolynomial(t *testing.T) {
	cfg, _, err := Args{"schedule": "poly:0.5,4,0.5"}.Config(open)
	if err != nil {
		t.Fatal(err)
	}
	for _, l := range cfg.Lanes {
		if got := l.Value("eps"); got != 0.25 {
			t.Errorf("ε is %v at the start, want 0.5·4^-0.5 = 0.25", got)
		}
		if f := l.Schedule.Factor(12, 1); math.Abs(f-0.5) > 1e-15 {
			t.Errorf("the factor at t = 12 is %v, want (16/4)^-0.5 = 0.5", f)
		}
	}
}

func TestQuote(t *testing.T) {
	words := []string{"plain", "a=1;b=2", "it's", "", "two words", "$HOME", "-1,2", "*", "τ", `back\slash`, "a\nb",
		"!x", "a\x1b]0;'x\a", "\u009b\x9b\u202e%s\\"}
	sh, err := exec.LookPath("sh")
	if err != nil {
		t.Skip("no sh")
	}
	line := Quote(words...)
	if printable.Lines(line) != line {
		t.Errorf("%q is not printable", line)
	}
	out, err := exec.Command(sh, "-c", "printf '%s\\0' "+line).Output()
	if err != nil {
		t.Fatal(err)
	}
	if got := strings.Split(strings.TrimSuffix(string(out), "\x00"), "\x00"); !slices.Equal(got, words) {
		t.Errorf("the shell reads %q, want %q", got, words)
	}
}

// FuzzConfig feeds flags to the parsers: an error of one line, or a valid
// Config that can be written and read back.
func FuzzConfig(f *testing.F) {
	f.Add("gaussian:cov=0.16,0,0,1", "psgld,sgld:eps=0.1,psgld:alpha=0.9999;gamma=on", "0.3", "halve:100",
		"zero", "1/N")
	f.Add("blr:synthetic", "sgld:schedule=poly:0.1,1,0.5;eps=1,sgld", "1e-4", "halve:2ep", "0,0", "0")
	f.Add("banana", "sgld:,psgld:;", "-1", "poly:1,2", "1,2", "nan")
	f.Add("funnel:s=2", ",", "", "const", "", "")
	f.Fuzz(func(t *testing.T, target, samplers, eps, schedule, init, temp string) {
		if family, source, _ := strings.Cut(strings.TrimSpace(target), ":"); family == "blr" && source != "synthetic" {
			return // files
		}
		a := Args{"target": target, "samplers": samplers, "init": init}
		for k, v := range map[string]string{"eps": eps, "schedule": schedule, "temp": temp} {
			if v != "" {
				a[k] = v
			}
		}
		cfg, p, err := a.Config(open)
		if err != nil {
			if err.Error() == "" {
				t.Error("an error that says nothing")
			}
			return
		}
		if err := cfg.Validate(p); err != nil {
			t.Errorf("%v is read but not valid: %v", a, err)
		}
		for _, l := range cfg.Lanes {
			if l.Schedule.Kind == "poly" && math.IsInf(l.Value("eps")*math.Pow(l.Schedule.B, l.Schedule.Gamma), 0) {
				return // a is beyond what can be written
			}
		}
		roundTrip(t, cfg, p)
	})
}
