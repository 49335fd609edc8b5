package program

import (
	"archive/zip"
	"bytes"
	"context"
	"encoding/csv"
	"fmt"
	"math"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/export"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child/childtest"
)

const typed = "density:-(1-x)^2/2 - b*(y-x^2)^2/8 + log(sigmoid(x)) - abs(y)/7;b=2"

// A job is a program to be run, in a folder of its own.
type job struct {
	of    state.Config
	on    *targets.Problem
	text  string
	dir   string
	about string
}

func open(t testing.TB, spec string) *targets.Problem {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// loans is a regression on a file with a header, a label in the middle that is a text, quotes, a
// comment and a constant feature. Programs run in folders of their own.
func loans(t testing.TB) string {
	path, err := filepath.Abs("testdata/loans.csv")
	if err != nil {
		t.Fatal(err)
	}
	return "blr:" + path
}

// configOf is a session of one lane, with some of its values changed.
func configOf(p *targets.Problem, method string, steps uint64, values map[string]float64) state.Config {
	l := state.DefaultSetting(p, method)
	for k, v := range values {
		if !l.Has(k) {
			panic(method + " has no " + k)
		}
		l.Values[k] = v
	}
	return state.Config{Target: p.Spec, Lanes: []state.Setting{l}, Seed: 1, Init: "random", Steps: steps}
}

func jobOf(t testing.TB, p *targets.Problem, c state.Config, language string) job {
	t.Helper()
	text, err := Of(c, c.Lanes[0], p, language, "")
	if err != nil {
		t.Fatal(err)
	}
	return job{c, p, text.Text, t.TempDir(), fmt.Sprintf("%s of %s on %s", language, c.Lanes[0].Sampler, p.Spec)}
}

// tables are the same rows in CSV, and in JSON in a zip.
func tables(t testing.TB) (csv, packed string) {
	dir := t.TempDir()
	csv, packed = filepath.Join(dir, "t.csv"), filepath.Join(dir, "t.json.zip")
	text, x, y, matrix := "note;x;y;k;m\n", []string{}, []string{}, []string{}
	for i := range 23 {
		x, y = append(x, fmt.Sprintf("%.3f", math.Sin(float64(i)))), append(y, fmt.Sprintf("%.2f", math.Cos(float64(i*i))))
		matrix = append(matrix, fmt.Sprintf("[%d, %s]", i, x[i]))
		text += fmt.Sprintf("\"a;b\";%s;%s;%d;%d\n", x[i], y[i], i%4, i%3%2)
	}
	if err := os.WriteFile(csv, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	f, err := os.Create(packed)
	if err != nil {
		t.Fatal(err)
	}
	z := zip.NewWriter(f)
	w, err := z.Create("t.json")
	if err == nil {
		_, err = fmt.Fprintf(w, `{"n": 0.5, "x": [%s], "y": [%s], "X": [%s]}`, strings.Join(x, ", "), strings.Join(y, ", "),
			strings.Join(matrix, ", "))
	}
	if err != nil || z.Close() != nil || f.Close() != nil {
		t.Fatal(err)
	}
	return csv, packed
}

// interpreter finds what runs a language, and skips the test where there is nothing.
func interpreter(t testing.TB, language string) string {
	t.Helper()
	if testing.Short() && language != "numpy" {
		t.Skip("R and PyTorch take seconds to load")
	}
	return childtest.Interpreter(t, language)
}

// runAll runs programs one after the other in one interpreter, since it takes seconds to load.
func runAll(t testing.TB, language string, jobs []job) {
	t.Helper()
	by, file, driver := interpreter(t, language), "program.py", "import os\n"
	if language == "r" {
		file, driver = "program.R", ""
	}
	for _, j := range jobs {
		if err := os.WriteFile(filepath.Join(j.dir, file), []byte(j.text), 0o600); err != nil {
			t.Fatal(err)
		}
		if language == "r" {
			driver += fmt.Sprintf("setwd(%s); source(%q, local = new.env(), encoding = \"UTF-8\")\n",
				quote(filepath.ToSlash(j.dir)), file)
		} else {
			driver += fmt.Sprintf("os.chdir(%s); exec(compile(open(%q, encoding='utf-8').read(), %[2]q, 'exec'), {})\n",
				quote(j.dir), file)
		}
	}
	main := filepath.Join(t.TempDir(), "driver")
	if err := os.WriteFile(main, []byte(driver), 0o600); err != nil {
		t.Fatal(err)
	}
	out, err := exec.CommandContext(t.Context(), by, main).CombinedOutput()
	if err != nil {
		t.Fatalf("%s: %v\n%s", language, err, out)
	}
}

// draws reads a program's draws, a column a coordinate.
func (j job) draws(t testing.TB) (columns [][]float64) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(j.dir, "draws.csv"))
	if err != nil {
		t.Fatalf("%s: %v", j.about, err)
	}
	rows, err := csv.NewReader(bytes.NewReader(b)).ReadAll()
	if err != nil {
		t.Fatalf("%s: %v", j.about, err)
	}
	if want := export.Columns(j.on); !slices.Equal(rows[0], want) {
		t.Fatalf("%s: the header is %q, want %q", j.about, rows[0], want)
	}
	columns = make([][]float64, len(rows[0]))
	for _, row := range rows[1:] {
		for i, text := range row {
			x, err := strconv.ParseFloat(text, 64)
			if err != nil {
				t.Fatalf("%s: a draw is %q", j.about, row)
			}
			columns[i] = append(columns[i], x)
		}
	}
	return columns
}

// collect is a engine.Sink that keeps all.
type collect struct{ to *[][]float64 }

func (c collect) Draw(_ engine.Drawn, theta []float64) error {
	for i, x := range theta {
		(*c.to)[i] = append((*c.to)[i], x)
	}
	return nil
}

// own returns the draws of the session itself.
func own(t testing.TB, p *targets.Problem, c state.Config) [][]float64 {
	t.Helper()
	columns := make([][]float64, p.Dim())
	s, err := session.New(c, p,
		session.Runtime{Threads: 1, Sink: func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) {
			return collect{&columns}, nil
		}})
	if err != nil {
		t.Fatal(err)
	}
	if err := s.Run(context.Background()); err != nil {
		t.Fatal(err)
	}
	return columns
}

// At T = 0 a path has no noise, and that of a program is the session's: every rule, with its
// drift, its preconditioner and its momentum, and every target. The tolerance is that of some
// hundred steps whose sums the languages round each in their own order.
func TestPathsAtTemperatureZero(t *testing.T) {
	table, packed := tables(t)
	rules := []struct {
		method string
		values map[string]float64
	}{
		{"sgld", nil}, {"psgld", nil}, {"psgld", map[string]float64{"gamma": 1, "v0": 1, "freeze": 30}},
		{"psgld", map[string]float64{"alpha": 0, "lambda": 3}},
		{"sghmc", nil}, {"sghmc", map[string]float64{"noise-estimate": 0.05}}, {"sgnht", nil},
		{"sgnht", map[string]float64{"thermostat": 0}},
		{"sgd", nil}, {"sgd", map[string]float64{"momentum": 0.8}}, {"rmsprop", map[string]float64{"v0": 1}},
		{"rmsprop", map[string]float64{"momentum": 0.5, "freeze": 7}},
	}
	specs := []string{
		"data:cars;dist/10 ~ normal(a + b*speed, s);s > 0;standardize=on", "gaussian",
		"gaussian:cov=1,0.6,0.6,2", "gaussian:d=20;cond=30", "gaussian:d=1", "banana", "mixture", "funnel",
		typed, "density:0*x + 3",
		"density:normal(x, m, in_)+0*lambda_;m=-3;in_=2;lambda_=1",
		"density:student_t(t1, k, t2, exp(t3/4)) - t2^2 - t3^2/2;k=4;d=5",
		"density:logsumexp(-(x-2)^2, -abs(x+2)^1.5) - softplus(x)/9 - log1p(x^2)",
		"density:" + strings.Repeat("sin(", 150) + "x" + strings.Repeat(")", 150) + " - x^2/2",
		"density:" + strings.Repeat("(1+", 200) + "x" + strings.Repeat(")/2", 200) + " - x^2/2",
		"density:max(-(x-1)^2, -x^4) + min(x, 3) - tanh(y)^2 - cosh(y)/5 - y^2", loans(t) + ";label=paid",
		loans(t) + ";label=3", loans(t) + ";label=paid;skip=2",
		"density:gamma(x, 2, 1) - y^2/2 - log1p(x*y^2); x > c;c=-1",
		"density:normal(t1, 0, 1) + normal(t3, t1, 1) - t2^2; t3 > t1; 0 < t2 < 1; t2 < 3;d=4",
		"data:" + table + ";y ~ normal(a + b*x, s);s > 0;s ~ cauchy(0, 2);b ~ normal(0, c);c=2",
		"data:" + table + ";k ~ poisson(exp(sum + x*b_1));y ~ student_t(4, sum + min(x, b_1), exp(b_1*lag(x, 2)/9));" +
			"0 < b_1 < 2;standardize=on",
		"data:" + table + ";m ~ bernoulli_logit(a + b*max(x, a));a ~ normal(0, 1);a < b;" +
			"y ~ log_mix(p, normal(a, 1), normal(b, 1));0 < p < 1",
		"data:" + packed + ";y ~ normal(a*X[,2] + sigmoid(x*a) + n, 2)",
	}
	jsonOnly := len(specs) - 1
	oneIn := 4 // of the pairs of a rule and a target, which have each rule and each target some times
	switch {
	case testing.Short():
		oneIn = 12
	case innerlooptest.Slow:
		oneIn = 1
	}
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			oneIn := oneIn
			if language == "torch" && !innerlooptest.Slow { // whose steps take ten times as long
				oneIn *= 3
			}
			var jobs []job
			for i, spec := range specs {
				p := open(t, spec)
				for k, r := range rules {
					if (i+k)%oneIn != 0 || i == jsonOnly && language == "r" {
						continue
					}
					values := map[string]float64{}
					for key, v := range r.values {
						values[key] = v
					}
					m := state.DefaultSetting(p, r.method)
					if m.Has(sampler.KeyTemp) {
						values[sampler.KeyTemp] = 0
					}
					if p.HasData() {
						values[sampler.KeyBatch] = 0
					}
					values[sampler.KeyThin], values[sampler.KeyBurnIn] = 3, 4
					if m.Has(sampler.KeyBurnIn) == false {
						delete(values, sampler.KeyBurnIn)
					}
					c := configOf(p, r.method, 100, values)
					if k%3 == 0 {
						c.Lanes[0].Schedule = sampler.Schedule{Kind: "halve", Every: 40}
					} else if k%3 == 1 {
						c.Lanes[0].Schedule = sampler.Schedule{Kind: "poly", B: 10, Gamma: 0.55}
					}
					jobs = append(jobs, jobOf(t, p, c, language))
				}
			}
			runAll(t, language, jobs)
			for _, j := range jobs {
				got, want := j.draws(t), own(t, j.on, j.of)
				for i, path := range want {
					if len(got[i]) != len(path) {
						t.Fatalf("%s: %d draws, want %d", j.about, len(got[i]), len(path))
					}
					for k, x := range path {
						if !(math.Abs(got[i][k]-x) <= 1e-9*max(1, math.Abs(x))) {
							t.Fatalf("%s: %s of draw %d is %v, want %v\n%s", j.about, j.on.Names[i], k,
								got[i][k], x, j.text)
						}
					}
				}
			}
		})
	}
}

// The noise of every rule has its variance: mean and variance of a program's draws are those of
// the session's at the same settings, or for an exact method at others, within five standard
// errors of both, from the effective sizes of θ and of its square.
func TestDrawsAgree(t *testing.T) {
	innerlooptest.Later(t, "interpreted loops")
	const steps = 8_000
	const mild = "density:-(x-1)^2/2 - c*(y - x/2)^2 + log(sigmoid(x)) - abs(y)/7;c=2"
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			var jobs []job
			for _, m := range methods[:6] {
				for _, spec := range []string{"gaussian", mild, loans(t) + ";label=paid"} {
					p := open(t, spec)
					values := map[string]float64{}
					if p.HasData() && !m.exact {
						values["batch"], values["eps"] = 10, 0.02
						if m.name == "psgld" {
							values["eps"], values["alpha"] = 0.002, 0.99 // V forgets its start within the burn-in
						}
					}
					if strings.HasPrefix(spec, "density") && !m.exact {
						values["eps"] = 0.1
					}
					if m.name == "psgld" {
						values["gamma"] = 1
					}
					values["thin"], values["burn-in"] = 2, 500
					jobs = append(jobs, jobOf(t, p, configOf(p, m.name, steps, values), language))
				}
			}
			// What the default settings leave out.
			for _, o := range []struct {
				method, spec string
				values       map[string]float64
				draw         noise.Draw
			}{
				{"sgnht", "gaussian:a=0.3", map[string]float64{"thermostat": 0, "temp": 0.5}, 0},
				{"psgld", "gaussian:noise=2", map[string]float64{"eps": 0.2, "alpha": 0.5}, 0},
				{"sghmc", "gaussian:noise=2", map[string]float64{"eps": 0.1, "noise-estimate": 0.05}, 0},
				{"mala", "gaussian", map[string]float64{"temp": 0.5}, 0},
				{"hmc", "gaussian", map[string]float64{"temp": 2, "leapfrog": 1}, 0},
				{"sgld", loans(t) + ";label=paid", map[string]float64{"batch": 7, "eps": 0.02}, noise.Subset},
				{"sgld", loans(t) + ";label=paid", map[string]float64{"batch": 7, "eps": 0.02}, noise.Replace},
			} {
				p := open(t, o.spec)
				o.values["thin"], o.values["burn-in"] = 2, 500
				c := configOf(p, o.method, steps, o.values)
				c.Draw = o.draw
				jobs = append(jobs, jobOf(t, p, c, language))
			}
			runAll(t, language, jobs)
			for _, j := range jobs {
				c := j.of
				c.Steps *= 5 // cheap here
				got, want := j.draws(t), own(t, j.on, c)
				for i := range got {
					a, b := momentsOf(got[i]), momentsOf(want[i])
					for k, what := range []string{"mean", "variance"} {
						se := math.Hypot(a.se[k], b.se[k])
						if d := a.of[k] - b.of[k]; !(math.Abs(d) <= 5*se) {
							t.Errorf("%s: the %s of %s is %.4g, want %.4g, off by %.1f standard errors", j.about, what,
								j.on.Names[i], a.of[k], b.of[k], d/se)
						}
					}
				}
			}
		})
	}
}

// moments are a mean and a variance with their standard errors.
type moment struct{ of, se [2]float64 }

func momentsOf(x []float64) (m moment) {
	n := float64(len(x))
	for _, v := range x {
		m.of[0] += v / n
	}
	squares := make([]float64, len(x))
	for i, v := range x {
		squares[i] = (v - m.of[0]) * (v - m.of[0])
		m.of[1] += squares[i] / n
	}
	spread := 0.0
	for _, v := range squares {
		spread += (v - m.of[1]) * (v - m.of[1]) / n
	}
	m.se[0] = math.Sqrt(m.of[1] / effective(x))
	m.se[1] = math.Sqrt(spread / effective(squares))
	return m
}

// effective is the effective size by the means of thirty parts, which are far longer than the
// autocorrelation time here.
func effective(x []float64) float64 {
	const parts = 30
	n := len(x) / parts
	var all, of float64
	for _, v := range x {
		all += v / float64(len(x))
	}
	variance := 0.0
	for _, v := range x {
		variance += (v - all) * (v - all) / float64(len(x))
	}
	for k := range parts {
		mean := 0.0
		for _, v := range x[k*n:][:n] {
			mean += v / float64(n)
		}
		of += (mean - all) * (mean - all) / (parts - 1)
	}
	return min(variance/(of/parts), float64(len(x)))
}
