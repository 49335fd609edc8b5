//go:build slow

package tune

import (
	"math"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/dataset"
)

// TestRegret holds the ε of searches to the best one of a grid: the regret is the ratio of their errors, each the root
// mean square over seeds of √mean[(Δmean/sd)² + (Δvar/var)²/2] against the truth. TUNE_SEEDS and TUNE_STEPS change
// the size.
func TestRegret(t *testing.T) {
	number := func(name string, usual int) int {
		if n, err := strconv.Atoi(os.Getenv(name)); err == nil {
			return n
		}
		return usual
	}
	seeds, budget := number("TUNE_SEEDS", 20), uint64(number("TUNE_STEPS", 20_000))
	for _, c := range []struct {
		target, method string
		lo, hi         float64 // of the grid
		median, worst  float64
	}{
		{"gaussian", "sgld", 0.01, 0.3, 1.1, 1.5},
		{"gaussian", "psgld", 0.01, 0.5, 1.2, 2},
		{"banana", "sgld", 0.02, 0.5, 1.5, math.Inf(1)},
		{"banana", "psgld", 0.002, 0.5, math.Inf(1), math.Inf(1)},
		{"blr:australian", "sgld", 2e-5, 2e-3, 1.3, math.Inf(1)},
		{"blr:australian", "psgld", 2e-6, 2e-3, math.Inf(1), math.Inf(1)},
	} {
		t.Run(c.target+" "+c.method, func(t *testing.T) {
			p, err := targets.Open(c.target, targets.Options{DataDir: dataset.Dir("")})
			if err != nil {
				t.Skip(err)
			}
			cfg := state.Config{Target: c.target, Init: "random", Seed: 1, Steps: budget, Draw: noise.Subset,
				Lanes: []state.Setting{state.DefaultSetting(p, c.method)}, Truth: state.Truth{Sampler: "hmc"}}
			if p.Reference, _, err = new(study.Truths).Of(t.Context(), cfg, p, nil); err != nil {
				t.Fatal(err)
			}
			cfg.Truth = state.Truth{}
			const points = 13
			var grid, errs []float64
			for i := range points {
				eps := c.lo * math.Pow(c.hi/c.lo, float64(i)/(points-1))
				grid, errs = append(grid, eps), append(errs, trueError(t, cfg, p, eps, 20))
			}
			least := slices.Min(errs)
			t.Logf("errors %.3g at %.3g", errs, grid)
			var regrets, eps []float64
			var spent uint64
			for seed := range seeds {
				cfg.Seed = uint64(1000*seed + 1)
				all, err := Run(t.Context(), cfg, p, nil)
				if err != nil {
					t.Fatal(err)
				}
				a := all[0]
				if spent = max(spent, a.Gradients); !a.Found {
					t.Logf("seed %d: %s, %d gradients", cfg.Seed, a.Missing, a.Gradients)
					continue
				}
				x := a.Setting.Eps()
				eps = append(eps, x)
				regrets = append(regrets, at(grid, errs, x)/least)
				if c.target == "banana" && c.method == "sgld" {
					if long := cfg; trueError(t, long, p, x, -1) != 0 {
						t.Errorf("seed %d: ε %g leaves all bounds in 200,000 steps", cfg.Seed, x)
					}
				}
			}
			if len(regrets) == 0 {
				t.Fatal("no ε was found")
			}
			slices.Sort(regrets)
			median, worst := regrets[len(regrets)/2], regrets[len(regrets)-1]
			t.Logf("%d of %d found, regret median %.3g, worst %.3g, at most %d gradients, ε %.3g", len(regrets), seeds,
				median, worst, spent, eps)
			if median > c.median || worst > c.worst {
				t.Errorf("regret median %.3g, worst %.3g; want at most %g and %g", median, worst, c.median, c.worst)
			}
		})
	}
}

// trueError is the error against the truth of runs at an ε, +Inf where one diverges. With fewer than no seeds it is of
// one run of 200,000 steps, 0 where that stays within all bounds.
func trueError(t *testing.T, cfg state.Config, p *targets.Problem, eps float64, seeds int) float64 {
	t.Helper()
	cfg.Lanes = []state.Setting{cfg.Lanes[0].With(sampler.KeyEps, eps)}
	cfg.Steps += uint64(cfg.Lanes[0].Or(sampler.KeyBurnIn, 0))
	if seeds < 0 {
		cfg.Steps = 200_000
	}
	sum, n := 0.0, 0.0
	for seed := range max(seeds, 1) {
		cfg.Seed = uint64(7_000_000 + seed)
		var of draws
		s, err := session.New(cfg, p, session.Runtime{Threads: 1, Sink: func(engine.ChainID, *targets.Problem,
			state.Setting) (engine.Sink, error) {
			return &of, nil
		}})
		if err == nil {
			err = s.Run(t.Context())
		}
		if err != nil {
			t.Fatal(err)
		}
		l := &s.Result("").Lanes[0]
		if l.Diverged != nil {
			return math.Inf(1)
		}
		for i := range of.sum {
			sd := p.Reference.SD[i]
			m := of.sum[i] / of.n
			mean, variance := (m-p.Reference.Mean[i])/sd, (of.squares[i]/of.n-m*m)/(sd*sd)-1
			sum += mean*mean + variance*variance/2
			n++
		}
	}
	if seeds < 0 {
		return 0
	}
	return math.Sqrt(sum / n)
}

// draws are the sums of draws and of their squares, also of those whose moments are not trusted.
type draws struct {
	n            float64
	sum, squares []float64
}

func (d *draws) Draw(_ engine.Drawn, theta []float64) error {
	if d.sum == nil {
		d.sum, d.squares = make([]float64, len(theta)), make([]float64, len(theta))
	}
	d.n++
	for i, x := range theta {
		d.sum[i] += x
		d.squares[i] += x * x
	}
	return nil
}

// at interpolates between points of a grid on logarithmic scales.
func at(x, y []float64, at float64) float64 {
	i := min(max(slices.IndexFunc(x, func(v float64) bool { return v >= at }), 1), len(x)-1)
	if at > x[len(x)-1] {
		i = len(x) - 1
	}
	f := math.Log(at/x[i-1]) / math.Log(x[i]/x[i-1])
	if math.IsInf(y[i], 1) {
		return y[i-1]
	}
	return math.Exp(math.Log(y[i-1]) + f*math.Log(y[i]/y[i-1]))
}
