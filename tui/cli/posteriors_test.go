package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/drawsfile"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/targets/child/childtest"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// HMC on a line of statements gives the reference draws that posteriordb has of the same model in Stan, in numbers
// whose errors check knows from both sides' effective draws.
func TestOurPosteriorsAgainstPosteriordb(t *testing.T) {
	innerlooptest.Numbers(t, "long chains")
	folder := filepath.Join(os.Getenv("PSGLD_DATA"), "posteriordb")
	if os.Getenv("PSGLD_DATA") == "" {
		t.Skip("PSGLD_DATA not set")
	}
	times := func(n string, text string) (all string) {
		for _, k := range strings.Split(n, "") {
			all += strings.ReplaceAll(text, "#", k)
		}
		return all
	}
	for _, c := range []struct{ data, reference, steps, line string }{
		{"kidiq", "kidiq-kidscore_momiq", "6000",
			"kid_score ~ normal(beta_1 + beta_2*mom_iq, sigma); sigma > 0; sigma ~ cauchy(0, 2.5)"},
		{"earnings", "earnings-logearn_height", "20000", "log(earn) ~ normal(beta_1 + beta_2*height, sigma); sigma > 0"},
		{"sblrc", "sblrc-blr", "6000", "y ~ normal(0" + times("12345", " + beta_#*X[,#]") + ", sigma); sigma > 0; " +
			"sigma ~ normal(0, 10)" + times("12345", "; beta_# ~ normal(0, 10)")},
		{"arK", "arK-arK", "6000", "y ~ normal(alpha" + times("12345", " + beta_#*lag(y, #)") + ", sigma); sigma > 0; " +
			"sigma ~ cauchy(0, 2.5); alpha ~ normal(0, 10)" + times("12345", "; beta_# ~ normal(0, 10)")},
		{"low_dim_gauss_mix", "low_dim_gauss_mix-low_dim_gauss_mix", "6000",
			"y ~ log_mix(theta, normal(mu_1, sigma_1), normal(mu_2, sigma_2)); mu_1 < mu_2; 0 < theta < 1; theta ~ beta(5, 5)" +
				times("12", "; sigma_# > 0; sigma_# ~ normal(0, 2); mu_# ~ normal(0, 2)")},
	} {
		asReference(t, "data:"+filepath.Join(folder, "data-"+c.data+".json.zip")+"; "+c.line, c.steps,
			filepath.Join(folder, c.reference+".json.zip"))
	}
}

// SGLD on minibatches of kidiq, at a step that is no longer small for log sigma, is off the reference by as much as
// its companions tell: to four standard errors, by the effective draws of both. mom_iq is
// centred, which makes beta_1 another number, of the width of beta_2, and leaves beta_2 and sigma as they are.
func TestBiasOnKidiq(t *testing.T) {
	innerlooptest.Later(t, "SGLD and six companions at 300,000 steps")
	if os.Getenv("PSGLD_DATA") == "" {
		t.Skip("PSGLD_DATA not set")
	}
	folder := filepath.Join(os.Getenv("PSGLD_DATA"), "posteriordb")
	right, err := drawsfile.Read(t.Context(), []string{filepath.Join(folder, "kidiq-kidscore_momiq.json.zip")},
		drawsfile.Options{Names: []string{"beta_1", "beta_2", "sigma"}})
	if err != nil {
		t.Fatal(err)
	}
	r := runArgs(t, "run", "--json", "--bias", "--samplers", "sgld", "--batch", "100", "--eps", "1e-4",
		"--steps", "300000",
		"--target", "data:"+filepath.Join(folder, "data-kidiq.json.zip")+
			"; kid_score ~ normal(86.8 + 15*beta_1 + beta_2*(mom_iq - 100), sigma); sigma > 0; sigma ~ cauchy(0, 2.5)")
	var doc struct {
		Lanes []struct {
			SD, Mean, MCSE, ESS []float64
			MeanOff             []float64 `json:"step_bias"`
			MeanOffSE           []float64 `json:"step_bias_se"`
			VarOff              []float64 `json:"step_bias_var"`
			VarOffSE            []float64 `json:"step_bias_var_se"`
		}
	}
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || r.status != 0 {
		t.Fatal(err, r.err)
	}
	for k, name := range []string{"beta_2", "sigma"} {
		k++
		l := doc.Lanes[0]
		n, mean, sq := 0.0, 0.0, 0.0
		for _, chain := range right.Chains {
			for i := k; i < len(chain); i += right.Dim {
				n, mean, sq = n+1, mean+chain[i], sq+float64(chain[i]*chain[i])
			}
		}
		mean /= n
		variance := sq/n - float64(mean*mean)
		off, ratio := l.Mean[k]-mean, float64(l.SD[k]*l.SD[k])/variance-1
		offSE := math.Sqrt(l.MCSE[k]*l.MCSE[k] + l.MeanOffSE[k]*l.MeanOffSE[k] + variance/n)
		// A variance of so many effective draws has the relative error √(2/ESS).
		ratioSE := math.Sqrt(2/l.ESS[k] + 2/n + l.VarOffSE[k]*l.VarOffSE[k])
		t.Logf("%s: mean off by %.4f, told %.4f, ± %.4f; variance by %.3f, told %.3f, ± %.3f", name, off, l.MeanOff[k], offSE,
			ratio, l.VarOff[k], ratioSE)
		if l.ESS[k] < 1000 || !(math.Abs(off-l.MeanOff[k]) < 4*offSE) || !(math.Abs(ratio-l.VarOff[k]) < 4*ratioSE) {
			t.Errorf("%s is off by other than it is told", name)
		}
	}
	if l := doc.Lanes[0]; !(l.VarOff[2] > 5*l.VarOffSE[2]) {
		t.Errorf("the bias of sigma's variance is %v ± %v", l.VarOff[2], l.VarOffSE[2])
	}
}

// asReference holds HMC's draws on a target to a file of draws.
func asReference(t *testing.T, target, steps, reference string) {
	t.Helper()
	dir := t.TempDir()
	if r := runArgs(t, "run", "--target", target, "--samplers", "hmc", "--chains", "4", "--steps", steps,
		"--draws", dir); r.status != 0 {
		t.Fatalf("%s: status %d, %s", target, r.status, r.err)
	}
	draws, err := filepath.Glob(filepath.Join(dir, "*.csv"))
	if err != nil || len(draws) != 4 {
		t.Fatal(draws, err)
	}
	args := append([]string{"check"}, draws...)
	if r := runArgs(t, append(args, "--reference", reference)...); r.status != 0 {
		t.Errorf("%s: status %d, %s%s", target, r.status, r.out, r.err)
	}
}

// Models that rstan compiles have the reference draws too. What is wrong with one is a line of it, and what one was
// compiled for once is there the second time.
func TestStanAgainstPosteriordb(t *testing.T) {
	innerlooptest.Later(t, "two compilations of C++")
	childtest.Interpreter(t, "r", "rstan")
	folder := filepath.Join(os.Getenv("PSGLD_DATA"), "posteriordb")
	if os.Getenv("PSGLD_DATA") == "" {
		t.Skip("PSGLD_DATA not set")
	}
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	for _, c := range []struct{ data, reference, text, at, wrong, said string }{
		{"eight_schools", "eight_schools-eight_schools_noncentered", `
			data { int<lower=0> J; vector[J] y; vector<lower=0>[J] sigma; }
			parameters { real mu; real<lower=0> tau; vector<offset=mu, multiplier=tau>[J] theta; }
			model { theta ~ normal(mu, tau); y ~ normal(theta, sigma); mu ~ normal(0, 5); tau ~ cauchy(0, 5); }`,
			"y ~ normal(theta,", "y ~ normal(thet,", `line 4: Variable "thet" does not exist.`},
		{"kidiq", "kidiq-kidscore_momiq", `
			data { int N; vector[N] kid_score; vector[N] mom_iq; }
			parameters { vector[2] beta; real<lower=0> sigma; }
			model { sigma ~ cauchy(0, 2.5); kid_score ~ normal(beta[1] + beta[2]*mom_iq, sigma); }`,
			"int N;", "int N", `line 2: expected ";"`},
	} {
		path := filepath.Join(t.TempDir(), "model.stan")
		write := func(text string) {
			if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		target := "stan:" + path + ";data=" + filepath.Join(folder, "data-"+c.data+".json.zip")
		write(strings.Replace(c.text, c.at, c.wrong, 1))
		if r := runArgs(t, "run", "--target", target); r.status != console.ExitFailed ||
			!strings.HasSuffix(r.err, "model.stan: "+c.said+"\n") {
			t.Errorf("status %d, %s", r.status, r.err)
		}
		write(c.text)
		asReference(t, target, "6000", filepath.Join(folder, c.reference+".json.zip"))
		r := runArgs(t, "run", "--target", target, "--steps", "10", "--child-limit", "5m")
		if r.status != 0 || strings.Contains(r.err, "compiling") {
			t.Errorf("again: status %d, %s", r.status, r.err)
		}
		if r := runArgs(t, "run", "--target", "stan:"+path, "--child-limit", "5m"); r.status != console.ExitFailed ||
			!strings.Contains(r.err, "model.stan: line 2: variable does not exist; variable name=") {
			t.Errorf("without data: status %d, %s", r.status, r.err)
		}
	}
}
