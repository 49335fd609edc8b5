package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/check"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/numpy"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/text"
)

// claimed is a claim about a method on the Gaussian at a step size.
func claimed(t *testing.T, method string, eps float64) check.Claim {
	t.Helper()
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	lane := state.DefaultSetting(p, method).With(sampler.KeyEps, eps)
	return check.Claim{Config: state.Config{Target: "gaussian", Lanes: []state.Setting{lane}}, Problem: p}
}

var (
	twice = check.Fault{Key: "noise-var-twice", What: "The noise has twice its variance.", Want: "√ε z"}
	hot   = check.Fault{Key: "temperature", What: "The temperature is off by the factor N.", Want: "T = 1"}
	eta   = check.Fault{Key: "eta-convention", What: "The step is η in the convention η ∇log p + √(2η) z.",
		Want: "ε = 2η"}
	facts = []check.Fact{
		{Name: "variance of theta[1]", Expected: 0.17067, Found: 0.3412, SE: 0.00201, Z: 84.8, Fails: true},
		{Name: "mean of theta[2]", Expected: math.NaN(), Found: 0.25, SE: math.NaN(), Z: math.NaN()},
		{Name: "configurational temperature", Expected: 1.0667, Found: 1.06, SE: 0.02, Z: -0.335},
	}
)

// What people read of each verdict.
func TestCheckForPeople(t *testing.T) {
	const table = `
fact                         expected  found       SE       z
variance of theta[1]            0.171  0.341  0.00201    84.8  differs
mean of theta[2]                    –  0.250        –       –
configurational temperature      1.07   1.06   0.0200  -0.335
`
	const step = " A step of sgld is θ' = θ + ε/2 (∇log p(θ) + N ḡ) + N(0, T ε).\n"
	const best = `It shows best in the variance of theta[1]: 0.171 is expected, and 0.341 found, a difference of 84.8
standard errors.
`
	const of = `
gaussian  N(0, diag(0.16, 1))
sgld with eps 0.1, temp 1, thin 1, burn-in 0
`
	for _, c := range []struct {
		report check.Report
		want   string
	}{
		{
			check.Report{Verdict: check.Inconsistent, Draws: 20000, Facts: facts,
				Faults: []check.Fault{twice, hot, eta}},
			"These 20,000 draws are not what sgld at ε = 0.1 gives. The noise has twice its variance.\n" +
				"Right would be: √ε z." + step + best + of + table + `
These explanations fit, the best first. The draws cannot tell them apart:
  - noise-var-twice: The noise has twice its variance.
    right: √ε z
  - temperature: The temperature is off by the factor N.
    right: T = 1
  - eta-convention: The step is η in the convention η ∇log p + √(2η) z.
    right: ε = 2η
`,
		},
		{
			check.Report{Verdict: check.Inconsistent, Draws: 20000, Facts: facts, Faults: []check.Fault{eta}},
			"These 20,000 draws are not what sgld at ε = 0.1 gives. The step is η in the convention η ∇log p +\n√(2η) z.\n" +
				"Right would be: ε = 2η." + step + best + of + table + `
One explanation fits:
  - eta-convention: The step is η in the convention η ∇log p + √(2η) z.
    right: ε = 2η
`,
		},
		{
			check.Report{Verdict: check.Inconsistent, Draws: 20000, Facts: facts[2:], Diverges: true},
			"These 20,000 draws are not what sgld at ε = 0.1 gives: it diverges on this target.\n" + of + `
fact                         expected  found      SE       z
configurational temperature      1.07   1.06  0.0200  -0.335

No fault that is known explains these draws. Are target, method and settings those of the draws?
`,
		},
		{
			check.Report{Verdict: check.Consistent, Draws: 20000, Facts: facts[2:], Notes: []string{"Steps were", "tested."}},
			"These 20,000 draws are consistent with sgld at ε = 0.1: no fact differs by more than chance.\nSteps were tested.\n" + of + `
fact                         expected  found      SE       z
configurational temperature      1.07   1.06  0.0200  -0.335
`,
		},
		{
			check.Report{Verdict: check.Consistent, Draws: 20000,
				Variant: &check.Fault{Key: "fixed-leapfrog", What: "Every trajectory has all its steps."}},
			"These 20,000 draws are consistent with sgld at ε = 0.1, with fixed-leapfrog: Every trajectory " +
				"has\nall its steps.\n" + of,
		},
		{
			check.Report{Verdict: check.TooFew, Drifts: true, Draws: 20000, Needed: 90000},
			"Every step of these 20,000 draws is one of sgld at ε = 0.1, but they are not yet draws of " +
				"the\ntarget: their chains are shorter than ten autocorrelation times. About 90,000 are needed.\n" + of,
		},
		{
			check.Report{Verdict: check.TooFew, Draws: 1, Needed: 3000},
			"1 draw: too few to tell whether sgld at ε = 0.1 gives it. About 3,000 are needed.\n" + of,
		},
	} {
		var out bytes.Buffer
		text.WriteCheck(&out, &c.report, claimed(t, "sgld", 0.1))
		if out.String() != c.want {
			t.Errorf("got\n%swant\n%s", out.String(), c.want)
		}
	}
}

// The JSON document is that of the contract: NaN is null, and so is a verdict that there is not.
func TestCheckDocument(t *testing.T) {
	for _, c := range []struct {
		report check.Report
		want   string
	}{
		{
			check.Report{Verdict: check.Inconsistent, Draws: 20000, Facts: facts[:2],
				Faults: []check.Fault{twice, hot, eta}},
			`{"consistent":false,"draws":20000,"needed":0,"diverges":false,"facts":[` +
				`{"fact":"variance of theta[1]","expected":0.17067,"found":0.3412,"se":0.00201,"z":84.8,"fails":true},` +
				`{"fact":"mean of theta[2]","expected":null,"found":0.25,"se":null,"z":null,"fails":false}],` +
				`"faults":[["noise-var-twice","temperature","eta-convention"]]}`,
		},
		{
			check.Report{Verdict: check.TooFew, Draws: 10, Needed: 3000},
			`{"consistent":null,"draws":10,"needed":3000,"diverges":false,"facts":[],"faults":[]}`,
		},
		{
			check.Report{Verdict: check.Consistent, Draws: 10, Variant: &check.Fault{Key: "fixed-leapfrog"},
				Notes: []string{"Left out: x3."}},
			`{"consistent":true,"draws":10,"needed":0,"diverges":false,"facts":[],"faults":[],` +
				`"variant":"fixed-leapfrog","notes":["Left out: x3."]}`,
		},
	} {
		var out bytes.Buffer
		console.WriteJSON(&out, engine.CheckOf(&c.report))
		if got := strings.TrimSpace(out.String()); got != c.want {
			t.Errorf("got  %s\nwant %s", got, c.want)
		}
	}
}

// Draws made after public code and reports get the right answer, where the cases lie beside the data.
func TestCheckCases(t *testing.T) {
	if testing.Short() {
		t.Skip("seconds")
	}
	dir := filepath.Join(os.Getenv("PSGLD_DATA"), "..", "cases", "check")
	text, err := os.ReadFile(filepath.Join(dir, "expected.json"))
	if os.Getenv("PSGLD_DATA") == "" || err != nil {
		t.Skip("needs the cases beside PSGLD_DATA")
	}
	var cases struct {
		Check []struct {
			Case, Args    string
			Files, Faults []string
			Status        int
		}
	}
	if err := json.Unmarshal(text, &cases); err != nil {
		t.Fatal(err)
	}
	for _, c := range cases.Check {
		args := []string{"check", "--json"}
		for _, f := range c.Files {
			args = append(args, filepath.Join(dir, f))
		}
		r := runArgs(t, append(args, strings.Fields(strings.ReplaceAll(c.Args, "'", ""))...)...)
		var doc struct{ Faults [][]string }
		if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
			t.Fatalf("%s: status %d, %s", c.Case, r.status, r.err)
		}
		named := len(c.Faults) == 0 ||
			len(doc.Faults) > 0 &&
				slices.ContainsFunc(doc.Faults[0], func(key string) bool { return slices.Contains(c.Faults, key) })
		if r.status != c.Status || !named {
			t.Errorf("%s: status %d, %v, want %d, %v", c.Case, r.status, doc.Faults, c.Status, c.Faults)
		}
	}
}

// The program's own draws are what its sampler gives. At another step size they are not, and a few say
// nothing.
func TestCheckOwnDraws(t *testing.T) {
	if testing.Short() {
		t.Skip("long runs")
	}
	t.Chdir(t.TempDir())
	ok(t, "run", "--samplers", "sgld:eps=0.1", "--steps", "20000", "--draws", "out")
	ok(t, "run", "--samplers", "sgld:eps=0.1", "--steps", "40", "--draws", "few")
	draws := filepath.Join("out", "A-sgld.csv")
	for _, c := range []struct {
		file, eps, first string
		status           int
		consistent       string
	}{
		{draws, "0.1", "These ", console.ExitDone, "true"},
		{draws, "0.25", "These ", console.ExitAccused, "false"},
		{filepath.Join("few", "A-sgld.csv"), "0.1", "40 draws: too few", console.ExitTooFew, "null"},
	} {
		args := []string{"check", c.file, "--target", "gaussian", "--method", "sgld", "--eps", c.eps}
		r := runArgs(t, args...)
		if r.status != c.status || !strings.HasPrefix(r.out, c.first) || r.err != "" {
			t.Errorf("%s at %s: status %d, %q\n%s", c.file, c.eps, r.status, r.err, r.out)
		}
		r = runArgs(t, append(args, "--json")...)
		var d struct{ Consistent json.RawMessage }
		if err := json.Unmarshal([]byte(r.out), &d); err != nil || string(d.Consistent) != c.consistent ||
			r.status != c.status || r.err != "" {
			t.Errorf("%s at %s: status %d, %q, %v\n%s", c.file, c.eps, r.status, r.err, err, r.out)
		}
	}
}

// What is not said is asked for, and what cannot be read is named.
func TestCheckFaults(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "draws.csv", "x,y\n1,2\n")
	write(t, "nan.csv", "x,\x1b[31my\n1,2\n1,NaN\n")
	for _, c := range []struct {
		args   string
		status int
		want   string
	}{
		{"check", console.ExitUsage, "check needs a FILE of draws, such as draws.csv"},
		{"check draws.csv", console.ExitUsage,
			"check needs --target, what the draws are of, such as --target gaussian or --target 'density:-x^2/2'; " +
				"--method, an entry of --samplers, such as --method sgld or --method 'psgld:alpha=0.9999;gamma=on' " +
				"(psgld-tui samplers lists them); --eps or --lr, the step size of the draws"},
		{"check draws.csv --method sgld:eps=1", console.ExitUsage,
			"check needs --target, what the draws are of, such as --target gaussian or --target 'density:-x^2/2'\n"},
		{"check none.csv", console.ExitFailed, "cannot read none.csv: no such file or directory"},
		{"check draws.csv --target gaussian", console.ExitUsage,
			"check needs --method, an entry of --samplers, such as --method sgld or --method " +
				"'psgld:alpha=0.9999;gamma=on' (psgld-tui samplers lists them); " +
				"--eps or --lr, the step size of the draws"},
		{"check draws.csv --target gaussian --method sgld", console.ExitUsage,
			"--method needs --eps or --lr, the step size of the draws"},
		{"check draws.csv --target gaussian --method sgdl --eps 1", console.ExitUsage,
			`--method: unknown sampler "sgdl" (did you mean "sgld"?); psgld-tui samplers lists them`},
		{"check draws.csv --target gaussian --method sgld,psgld --eps 1", console.ExitUsage,
			`--method must name one sampler, got "sgld,psgld"`},
		{"check draws.csv --target gaussian --method= --eps 1", console.ExitUsage,
			`--method has an empty entry, got ""`},
		{"check draws.csv --target gaussian --method sgld:eps=-1", console.ExitUsage,
			"--method sgld: eps must be positive, got -1"},
		{"check draws.csv --target gaussian --method sgld:b=1 --eps 1", console.ExitUsage,
			`--method sgld: unknown setting "b"; want one of eps, lr, schedule, temp, batch, prior-var, thin, burn-in`},
		{"check draws.csv --target gaussian --method sgld --eps 1 --seed 3", console.ExitUsage,
			"--seed is a flag of psgld-tui, not of psgld-tui check"},
		{"check draws.csv --target gausian --method sgld --eps 1", console.ExitUsage,
			`--target "gausian" is unknown (did you mean "gaussian"?); `},
		{"check none.csv --target gaussian --method sgld --eps 1", console.ExitFailed,
			"cannot read none.csv: no such file or directory"},
		{"check . --target gaussian --method sgld --eps 1", console.ExitFailed, "cannot read .: is a directory"},
		{"check nan.csv --target gaussian --method sgld --eps 1", console.ExitFailed,
			`nan.csv:3: ·[31my is "NaN", want a finite number`},
		{"check draws.csv --target density:-t1^2-t2^2-t3^2 --method sgld:eps=1", console.ExitFailed,
			"draws.csv:1: has the columns x, y, want the target's coordinates by name, t1, t2, t3, or 3 columns in " +
				"their order"},
	} {
		r := runArgs(t, strings.Fields(c.args)...)
		if r.status != c.status || !strings.HasPrefix(r.err, "psgld-tui: "+c.want) || strings.Count(r.err, "\n") != 1 ||
			r.out != "" {
			t.Errorf("%s: status %d\n got %swant %s", c.args, r.status, r.err, c.want)
		}
	}
	ctx, cancel := context.WithCancel(t.Context())
	cancel()
	r := runContext(t, ctx, "check", "draws.csv", "--target", "gaussian", "--method", "sgld", "--eps", "1")
	if r.status != console.ExitInterrupted || r.out != "" || strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d, %q, %q", r.status, r.err, r.out)
	}
}

// How files were read is said on standard error, once. The verdict stands on standard output.
func TestCheckNotes(t *testing.T) {
	t.Chdir(t.TempDir())
	write(t, "zero.csv", "chain;draw;theta[0];theta[1]\n0;0;0,5;1\n")
	write(t, "warm.csv", "# save_warmup = 1\n# num_warmup = 1\ntheta.1,theta.2\n9,9\n# Adaptation "+
		"terminated\n1,2\n3,4\n")
	write(t, "named.csv", "x,\x1b[2J\n1,2\n")
	for _, c := range []struct{ files, out, err string }{
		{"zero.csv", "1 draw: too few",
			"psgld-tui: zero.csv: columns are separated by semicolons, and a comma in a number is its " +
				"point\npsgld-tui: zero.csv: theta[0], theta[1] were read as theta[1], theta[2]\n"},
		{"warm.csv", "2 draws: too few", "psgld-tui: warm.csv: 1 warm-up row left out\n"},
		{"named.csv", "1 draw: too few",
			"psgld-tui: named.csv: x, ·[2J were read as theta[1], theta[2], by their place\n"},
	} {
		r := runArgs(t, strings.Fields("check "+c.files+" --target gaussian --method sgld --eps 0.1")...)
		if r.status != console.ExitTooFew || !strings.HasPrefix(r.out, c.out) || r.err != c.err {
			t.Errorf("%s: status %d\n%s%s", c.files, r.status, r.out, r.err)
		}
	}
}

// Draws of three axes that are right in the other order are not accused, nor called too few: which order it is has to
// be said. Wrong ones are accused however they are read.
func TestCheckOrder(t *testing.T) {
	innerlooptest.Later(t, "checks of many draws")
	t.Chdir(t.TempDir())
	const chains, steps = 32, 300
	// The exact process of sgld on the Gaussian: x ← x - ε x/(2v) + √ε z.
	rng := rand.New(rand.NewPCG(1, 2))
	draws := func(noise float64) []float64 {
		all := make([]float64, steps*chains*2)
		for c := range chains {
			x := [2]float64{0.4 * rng.NormFloat64(), rng.NormFloat64()}
			for s := range steps {
				for i, v := range [2]float64{0.16, 1} {
					const eps = 0.1
					x[i] += -eps/2*x[i]/v + noise*math.Sqrt(eps)*rng.NormFloat64()
					all[(s*chains+c)*2+i] = x[i]
				}
			}
		}
		return all
	}
	write(t, "emcee.npy", string(numpy.NPY([]int{steps, chains, 2}, draws(1))))
	write(t, "wrong.npy", string(numpy.NPY([]int{steps, chains, 2}, draws(1.4))))
	const note = "psgld-tui: emcee.npy: read as 300 chains of 32 draws; --order steps,chains,dim for emcee's\n"
	for _, c := range []struct {
		args   string
		status int
		err    string
	}{
		{"emcee.npy --eps 0.1 --order steps,chains,dim", console.ExitDone, ""},
		{"emcee.npy --eps 0.1", console.ExitFailed,
			note + "psgld-tui: these draws are not what sgld gives as 300 chains of 32 draws, and consistent as 32 " +
				"chains of 300 draws: say with --order chains,steps,dim or --order steps,chains,dim which they are\n"},
		{"emcee.npy --eps 0.1 --order chains,steps,dim", console.ExitAccused, ""},
		{"wrong.npy --eps 0.1", console.ExitAccused, strings.ReplaceAll(note, "emcee.npy", "wrong.npy")},
		{"emcee.npy --eps 0.1 --order steps,dim", console.ExitUsage,
			`psgld-tui: --order has "steps,dim", want chains, steps and dim in the order of the array's axes, such as chains,steps,dim or steps,chains,dim` + "\n"},
	} {
		r := runArgs(t, strings.Fields("check --target gaussian --method sgld "+c.args)...)
		if r.status != c.status || r.err != c.err {
			t.Errorf("%s: status %d\n got %swant %s%s", c.args, r.status, r.err, c.err, r.out)
		}
	}
}

// The settings that make draws come from flags and from the method's entry.
func TestCheckSettings(t *testing.T) {
	f := sessionFlags{args: map[string]string{"target": "blr:synthetic", "method": "psgld:alpha=0.9", "lr": "0.1",
		"batch": "10", "temp": "1/N"}}
	c, err := f.claim()
	if err != nil {
		t.Fatal(err)
	}
	n, lane := c.Problem.N(), c.Config.Lanes[0]
	for key, want := range map[string]float64{"alpha": 0.9, "eps": 0.2 / float64(n), "batch": 10,
		"temp": 1 / float64(n), "burn-in": 0} {
		if got := lane.Value(key); math.Abs(got-want) > 1e-15 {
			t.Errorf("%s is %v, want %v", key, got, want)
		}
	}
	f.args["burn-in"] = "30"
	if c, err = f.claim(); err != nil || c.Config.Lanes[0].Value(sampler.KeyBurnIn) != 30 {
		t.Errorf("--burn-in 30: %v, %v", c.Config.Lanes, err)
	}
}
