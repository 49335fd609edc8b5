//go:build slow

package session

import (
	"bytes"
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// By default sgld, psgld and sghmc keep standard deviations within a tenth of the posterior's, and means within 0.15 of
// them, at their default batch and at batches of 10. psgld's were 1.3 to 2 times too large with subsets.
func TestDefaultsOfRegressionsOverTargets(t *testing.T) {
	all := regressions(t)
	if os.Getenv("PSGLD_DATA") != "" {
		all["australian"] = open(t, "blr:australian")
	}
	const steps, chains = 600_000, 2
	for name, p := range all {
		c := config(p, 11_000, map[string]float64{sampler.KeyBurnIn: 1000}, "hmc")
		_, r := run(t, c, p, Runtime{})
		mean, sd := r.Lanes[0].Column(quantity.Mean), r.Lanes[0].Column(quantity.SD)
		plain := state.DefaultSetting(p, "sgld").Eps()
		for _, method := range []string{"sgld", "psgld", "sghmc"} {
			for _, batch := range []float64{float64(p.Defaults.Batch), 10} {
				c := config(p, steps, map[string]float64{sampler.KeyBatch: batch, sampler.KeyThin: 20,
					sampler.KeyBurnIn: steps / 20}, method)
				c.Chains, c.Draw = chains, state.UsualDraw(p)
				_, r := run(t, c, p, Runtime{})
				for i, v := range r.Lanes[0].Coords {
					// SGLD's τ in a direction of variance σ² is 2σ²/ε steps. That of the coordinate may be twice as
					// long where it is correlated, and the other methods' are no longer. From ESS = steps/2τ effective
					// draws the mean's error is 1/√ESS of the sd and the sd's 1/√(2 ESS), in units of the sd. Of 300
					// such numbers four errors are none by chance.
					se := math.Sqrt(8 * sd[i] * sd[i] / (plain * chains * steps))
					ratio, off := v[quantity.SD].Value/sd[i], (v[quantity.Mean].Value-mean[i])/sd[i]
					if !(math.Abs(ratio-1) < 0.1+4*se/math.Sqrt2) || !(math.Abs(off) < 0.15+4*se) {
						t.Errorf("%s, %s, batch %g, %s: sd %.3f of the posterior's, mean %.3f sd off (± %.3f)", name, method,
							batch, p.Name(i), ratio, off, se)
					}
				}
			}
		}
	}
}

// regressions are stand-ins for data that the defaults were not made for, as files: 24 correlated columns of counts with
// 1,000 rows, 2 that all but part the classes with 250, and 13 of mixed kinds with 270.
func regressions(t *testing.T) map[string]*targets.Problem {
	all := map[string]*targets.Problem{}
	make := func(name string, rows int, weights []float64, row func(r *rand.Rand, x []float64)) {
		r, x := rand.New(rand.NewPCG(2016, uint64(rows))), make([]float64, len(weights)-1)
		var text bytes.Buffer
		for range rows {
			row(r, x)
			eta := weights[0]
			for i, v := range x {
				eta += weights[i+1] * v
				fmt.Fprintf(&text, "%g,", v)
			}
			y := 0
			if r.Float64() < 1/(1+math.Exp(-eta)) {
				y = 1
			}
			fmt.Fprintln(&text, y)
		}
		path := filepath.Join(t.TempDir(), name+".csv")
		if err := os.WriteFile(path, text.Bytes(), 0o600); err != nil {
			t.Fatal(err)
		}
		p, err := targets.Open("blr:"+path, targets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		all[name] = p
	}
	poisson := func(r *rand.Rand, mean float64) float64 {
		k, left := 0, math.Exp(-mean)
		for u := r.Float64(); u > left; u *= r.Float64() {
			k++
		}
		return float64(k)
	}
	weights := []float64{-0.5}
	for i := range 24 {
		weights = append(weights, []float64{0.4, -0.3, 0.1, -0.2}[i%4])
	}
	make("counts", 1000, weights, func(r *rand.Rand, x []float64) {
		shared := [3]float64{r.NormFloat64(), r.NormFloat64(), r.NormFloat64()}
		for i := range x {
			x[i] = poisson(r, math.Exp(0.6*shared[i%3]+0.3*r.NormFloat64()+[]float64{0.7, 0, -1.5}[i/8]))
		}
	})
	make("separable", 250, []float64{-2, 5, 4}, func(r *rand.Rand, x []float64) {
		x[0] = r.NormFloat64()
		x[1] = 0.5*x[0] + r.NormFloat64()
	})
	weights = []float64{-1.5}
	for i := range 13 {
		weights = append(weights, []float64{0.5, -0.7, 1.2, 0.8, -0.4}[i%5])
	}
	make("mixed", 270, weights, func(r *rand.Rand, x []float64) {
		z := r.NormFloat64()
		for i := range x {
			v := 0.4*z + r.NormFloat64()
			switch i % 3 {
			case 1: // yes or no
				v = map[bool]float64{true: 1}[v > 0.4+0.1*float64(i)]
			case 2: // one of four
				v = float64(min(max(int(v+1.5), 0), 3))
			}
			x[i] = v
		}
	})
	return all
}
