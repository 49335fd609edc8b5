package program

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/targets"
)

// The drift correction has no path without noise. A program of which the noise is taken out goes
// the way of the formulas of sampler.Moments, with the target's own derivatives.
func TestGamma(t *testing.T) {
	innerlooptest.Skip(t, "interpreted loops")
	const eps, alpha, lambda, beta, half = 0.01, 0.9, 0.05, 1 - 0.9, 0.005
	for _, language := range Languages() {
		t.Run(language, func(t *testing.T) {
			t.Parallel()
			var jobs []job
			for _, spec := range []string{"banana", "mixture", typed, "gaussian:d=12", loans(t) + ";label=paid"} {
				p := open(t, spec)
				values := map[string]float64{"eps": eps, "alpha": alpha, "lambda": lambda, "gamma": 1}
				if p.HasData() {
					values["batch"] = 0
				}
				values["thin"], values["burn-in"] = 1, 0
				j := jobOf(t, p, configOf(p, "psgld", 60, values), language)
				_, random, _ := strings.Cut(strings.Split(j.text[strings.Index(j.text, "temp*Gamma"):], "\n")[0], " + ")
				quiet := strings.Replace(j.text, " + "+random, "", 1)
				if j.text == quiet {
					t.Fatalf("no noise in\n%s", j.text)
				}
				j.text = quiet
				jobs = append(jobs, j)
			}
			runAll(t, language, jobs)
			for _, j := range jobs {
				theta, err := j.of.Start(j.on, 0)
				if err != nil {
					t.Fatal(err)
				}
				n, prior := float64(j.on.N()), 0.0
				if j.on.HasData() {
					prior = 1 / j.of.Lanes[0].Value("prior-var")
				}
				g, h, v := make([]float64, len(theta)), make([]float64, len(theta)), make([]float64, len(theta))
				got := j.draws(t)
				for k := range got[0] {
					j.on.F64.(targets.HessianDiag[float64]).GradHessian(g, h, theta, nil)
					for i := range theta {
						v[i] = alpha*v[i] + beta*g[i]*g[i]
						gain := 1 / (lambda + math.Sqrt(v[i]))
						gamma := -beta * g[i] * h[i] / math.Sqrt(v[i]) * gain * gain
						theta[i] += half * (gain*(n*g[i]-prior*theta[i]) + gamma)
						if !(math.Abs(got[i][k]-theta[i]) <= 1e-9*max(1, math.Abs(theta[i]))) {
							t.Fatalf("%s: %s of draw %d is %v, want %v\n%s", j.about, j.on.Names[i], k, got[i][k],
								theta[i], j.text)
						}
					}
				}
			}
		})
	}
}
