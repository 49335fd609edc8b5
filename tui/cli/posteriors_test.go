package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
)

// HMC on a line of statements gives the reference draws that posteriordb has of the same model in Stan, in numbers
// whose errors check knows from both sides' effective draws.
func TestOurPosteriorsAgainstPosteriordb(t *testing.T) {
	innerlooptest.Skip(t, "long chains")
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
		dir := filepath.Join(t.TempDir(), c.data)
		target := "data:" + filepath.Join(folder, "data-"+c.data+".json.zip") + "; " + c.line
		if r := runArgs(t, "run", "--target", target, "--samplers", "hmc", "--chains", "4", "--steps", c.steps,
			"--draws", dir); r.status != 0 {
			t.Fatalf("%s: status %d, %s", c.data, r.status, r.err)
		}
		draws, err := filepath.Glob(filepath.Join(dir, "*.csv"))
		if err != nil || len(draws) != 4 {
			t.Fatal(draws, err)
		}
		args := append([]string{"check"}, draws...)
		if r := runArgs(t, append(args, "--reference", filepath.Join(folder, c.reference+".json.zip"))...); r.status != 0 {
			t.Errorf("%s: status %d, %s%s", c.data, r.status, r.out, r.err)
		}
	}
}
