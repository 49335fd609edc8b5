package program

import (
	"compress/gzip"
	"flag"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/printable"
)

var update = flag.Bool("update", false, "write testdata's programs anew")

// The programs of some sessions, to be read.
func TestPrograms(t *testing.T) {
	regression := "blr:testdata/loans.csv;label=paid"
	for _, c := range []struct {
		name, spec, method string
		values             map[string]float64
		schedule           sampler.Schedule
		draw               noise.Draw
	}{
		{name: "banana", spec: "banana", method: "psgld"},
		{name: "mixture", spec: "mixture", method: "hmc"},
		{name: "noisy", spec: "gaussian:cov=1,0.5,0.5,2;noise=0.3", method: "psgld",
			values: map[string]float64{"gamma": 1, "freeze": 1000}},
		{name: "many", spec: "gaussian:d=50;cond=100", method: "sgnht",
			schedule: sampler.Schedule{Kind: "poly", B: 100, Gamma: 0.33}},
		{name: "formula", spec: "density:student_t(x, k, 0, 1) + log(sigmoid(lambda*y)) - abs(y)^1.5/u;k=4;u=2;lambda=3",
			method: "mala"},
		{name: "loans", spec: regression, method: "sghmc", values: map[string]float64{"noise-estimate": 0.01},
			schedule: sampler.Schedule{Kind: "halve", Every: 20, Epochs: true}},
		{name: "skipped", spec: regression + ";skip=-1,2", method: "hmc"},
		{name: "rmsprop", spec: regression, method: "rmsprop", values: map[string]float64{"momentum": 0.9},
			draw: noise.Subset},
		{name: "exact", spec: regression, method: "hmc", draw: noise.Replace},
	} {
		p := open(t, c.spec)
		cfg := configOf(p, c.method, 0, c.values)
		cfg.Lanes[0].Schedule, cfg.Draw = c.schedule, c.draw
		for _, language := range Languages() {
			got, err := Of(cfg, cfg.Lanes[0], p, language, "")
			if err != nil {
				t.Errorf("%s in %s: %v", c.name, language, err)
				continue
			}
			file := filepath.Join("testdata", c.name+"-"+language+filepath.Ext(got.File))
			if *update {
				if err := os.WriteFile(file, []byte(got.Text), 0o644); err != nil {
					t.Fatal(err)
				}
			}
			want, err := os.ReadFile(file)
			if err != nil {
				t.Fatal(err)
			}
			if got.Text != string(want) {
				t.Errorf("%s: the program differs; go test ./engine/program -run Programs -update writes it anew\n%s",
					file, got.Text)
			}
		}
	}
}

// What there is no program of has one line that says so.
func TestNone(t *testing.T) {
	gaussian, synthetic := open(t, "gaussian"), open(t, "blr:synthetic")
	var long strings.Builder
	for i := range 2000 {
		fmt.Fprintf(&long, "-(x-%d)^2", i)
	}
	for _, c := range []struct {
		p                      *targets.Problem
		method, language, want string
		values                 map[string]float64
	}{
		{gaussian, "psgld", "julia", `unknown language "julia"; want one of numpy, torch, r`, nil},
		{gaussian, "sgrld", "numpy", "there is no program of the method sgrld, want one of psgld, sgld,", nil},
		{synthetic, "psgld", "r", "there is no program of the target blr:synthetic, want one in the plane,", nil},
		{gaussian, "hmc", "torch", "there is no program of hmc at the temperature 0", map[string]float64{"temp": 0}},
		{open(t, "density:gamma(exp(x), 1+exp(x), 2)"), "sgld", "numpy", "numpy has no digamma", nil},
		{open(t, "density:"+long.String()), "sgld", "numpy", "too long", nil},
	} {
		cfg := configOf(c.p, c.method, 0, c.values)
		_, err := Of(cfg, cfg.Lanes[0], c.p, c.language, "")
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s on %.40s in %s: %v, want %s", c.method, c.p.Spec, c.language, err, c.want)
		}
	}
	for _, name := range Names() {
		if _, ok := catalog.Find(name); !ok {
			t.Errorf("no method is called %s", name)
		}
	}
	if _, err := Of(state.Config{}, state.DefaultSetting(gaussian, "psgld"), gaussian, Languages()[0], ""); err != nil {
		t.Errorf("a session without an init: %v", err)
	}
}

// Names of files, columns and labels are text in every language, whatever they hold.
func TestForeignText(t *testing.T) {
	jobs := map[string][]job{}
	for _, hostile := range []string{
		`"); open("owned", "w") #`, `'\`, `"""`, "'''", `\"); file.create("owned"); ("`, `x\n\t`,
		`#{x}%s$(touch owned)`, "ünï – 例\u202egnp", "a\tb",
	} {
		dir := t.TempDir()
		path := filepath.Join(dir, strings.ReplaceAll(hostile, "/", "")+".csv")
		cell := `"` + strings.ReplaceAll(hostile, `"`, `""`) + `"`
		rows := "a," + cell + ",b\n"
		for _, row := range []string{"0.1,%,2", "1.3,z,1", "0.4,%,-1", "-1,z,0.2", "0.9,%,0.1"} {
			rows += strings.ReplaceAll(row, "%", cell) + "\n"
		}
		for _, packed := range []bool{false, true} {
			if packed {
				path += ".gz"
				f, err := os.Create(path)
				if err != nil {
					t.Fatal(err)
				}
				z := gzip.NewWriter(f)
				if _, err := z.Write([]byte(rows)); err != nil || z.Close() != nil || f.Close() != nil {
					t.Fatal(err)
				}
			} else if err := os.WriteFile(path, []byte(rows), 0o600); err != nil {
				t.Skipf("this system has no file of that name: %v", err)
			}
			if strings.Contains(path, ";") { // which ends a name in --target
				continue
			}
			p := open(t, "blr:"+path+";label=2")
			for _, language := range Languages() {
				c := configOf(p, "sgd", 40, map[string]float64{"batch": 0, "thin": 1})
				j := jobOf(t, p, c, language)
				for line := range strings.Lines(j.text) {
					text := strings.TrimSuffix(line, "\n")
					if strings.ContainsFunc(text, func(r rune) bool { return r < ' ' || r == '\u202e' }) {
						t.Errorf("%s: a line is %q", language, text)
					}
				}
				jobs[language] = append(jobs[language], j)
			}
		}
	}
	for language, all := range jobs {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			runAll(t, language, all)
			for _, j := range all {
				if _, err := os.Stat(filepath.Join(j.dir, "owned")); err == nil {
					t.Errorf("%q was run", j.on.Spec)
				}
				got, want := j.draws(t), own(t, j.on, j.of)
				for i, path := range want {
					if d := got[i][39] - path[39]; d > 1e-9 || d < -1e-9 {
						t.Errorf("%q: %v, want %v", j.on.Spec, got[i][39], path[39])
					}
				}
			}
		})
	}
}

// Whatever formula opens, there is a program of printable text in each language, or one line that
// says why not.
func FuzzFormula(f *testing.F) {
	for _, text := range []string{"-x^2", "-(1-x)^2 - b*(y-x^2)^2;b=5", "lgamma(t1)*t2;d=9", "1/0*x",
		"-x^2 - lambda;lambda=-1e300", "min(x, __a)/e - pi^x;__a=3", "logsumexp(u, u1, x);u=1;u1=2"} {
		f.Add(text)
	}
	f.Fuzz(func(t *testing.T, text string) {
		p, err := targets.Open("density:"+text, targets.Options{})
		if err != nil || len(text) > 2000 {
			return
		}
		for i, language := range Languages() {
			c := configOf(p, []string{"hmc", "psgld", "sgld"}[i], 0, nil)
			got, err := Of(c, c.Lanes[0], p, language, "")
			if err != nil {
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("%q: %v", text, err)
				}
				continue
			}
			if strings.ContainsFunc(got.Text, func(r rune) bool { return r != '\n' && !printable.Is(r) }) ||
				strings.Count(got.Text, "(") != strings.Count(got.Text, ")") && language != "r" {
				t.Errorf("%q:\n%q", text, got.Text)
			}
		}
	})
}
