//go:build slow

package check

import (
	"math"
	"math/rand/v2"
	"os"
	"slices"
	"strconv"
	"testing"

	"github.com/psgld/psgld-tui/engine/noise"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// checked are the methods that have a least power, and a most of false alarms.
var checked = []string{"psgld", "sgld", "psgld-adagrad", "psgld-adam", "sghmc", "sgnht", "mala", "hmc"}

// cell is a claim of a method on a target as a session makes it, with every state a draw.
func cell(p *targets.Problem, method string, seed uint64, how noise.Draw) Claim {
	c := claimOf(p, method, map[string]float64{sampler.KeyThin: 1})
	for _, key := range []string{"warmup", "adapt", "mass"} {
		if lane := &c.Config.Lanes[0]; lane.Has(key) {
			*lane = lane.With(key, 0)
		}
	}
	c.Config.Seed, c.Config.Draw = seed, how
	return c
}

func open(t *testing.T, spec string) *targets.Problem {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{DataDir: os.Getenv("PSGLD_DATA")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Of right runs at most one in 300 is accused, of each method over targets and minibatches; a tenth of the 3,000 runs,
// unless PSGLD_RUNS has another number of them.
func TestRightRunsAreNotAccused(t *testing.T) {
	want := 300
	if n, err := strconv.Atoi(os.Getenv("PSGLD_RUNS")); err == nil {
		want = n
	}
	specs := []string{"gaussian", "banana", "density:-t1^2/2-(t2-t1)^2-t3^4/4"}
	if os.Getenv("PSGLD_DATA") != "" {
		specs = append(specs, "blr:australian")
	}
	for _, method := range checked {
		accused := 0
		for i, spec := range specs {
			p := open(t, spec)
			for run := range want / len(specs) {
				// No two cells have a seed in common, as one unlucky seed would be that of all.
				c := cell(p, method, uint64(1+run+10_000*(i+4*len(method))), noise.Draw(run%2))
				if facts := accusing(t, c, draw(t, c, 1500)); facts != nil {
					accused++
					t.Logf("%s on %s, run %d: %+v", method, spec, run, facts)
				}
			}
		}
		t.Logf("%s: %d of %d right runs are accused", method, accused, want)
		if accused > 2+want/300 {
			t.Errorf("%s: %d of %d right runs are accused", method, accused, want)
		}
	}
}

// A drift and a noise of twice their size, and one normal number for all coordinates, are seen in 3,000 draws, 19 times
// in 20.
func TestLeastPower(t *testing.T) {
	const seeds, draws = 20, 3000
	p := open(t, "gaussian")
	for _, method := range checked {
		for _, what := range []string{"drift", "noise", "shared"} {
			seen := 0
			for seed := range uint64(seeds) {
				c := cell(p, method, 1+seed, 0)
				wrong, err := newSetup(c)
				if err != nil {
					t.Fatal(err)
				}
				accepts := wrong.method.Metropolis
				switch {
				case what == "shared" && !accepts:
					if accusing(t, c, drawShared(wrong, seed, draws)) != nil {
						seen++
					}
					continue
				case what == "shared":
					wrong.shared, wrong.heat = true, 1
				case what == "drift" && accepts:
					wrong.drift, wrong.heat = 2, 1
				case what == "drift":
					wrong.pull(2)
				case accepts:
					wrong.heat = 2
				default:
					wrong.noise(2)
				}
				if accusing(t, c, drawAs(t, c, wrong, draws)) != nil {
					seen++
				}
			}
			t.Logf("%s, %s: seen in %d of %d", method, what, seen, seeds)
			if seen < 19 {
				t.Errorf("%s, %s: seen in %d of %d", method, what, seen, seeds)
			}
		}
	}
}

// drawShared makes draws by what the method declares of its step, with one normal number for all coordinates.
func drawShared(s *setup, seed uint64, draws int) Draws {
	d := s.problem.Dim()
	z, trail, parts := rand.New(rand.NewPCG(seed, 9)), s.method.Trail(d), sampler.NewParts(d)
	x, v, g := slices.Repeat([]float64{0.4}, d), make([]float64, d), make([]float64, d)
	var chain []float64
	for t := range draws {
		s.problem.F64.Grad(g, x, nil)
		trail.At(uint64(t), &s.params, g, g, nil, parts)
		one := z.NormFloat64()
		for i := range x {
			v[i] = parts.Keep[i]*v[i] + s.params.Eps/2*parts.Gain[i]*s.params.N*g[i] + math.Sqrt(parts.Noise[i])*one
			x[i] += v[i]
		}
		trail.Moved(&s.params, v)
		chain = append(chain, x...)
	}
	return Draws{Dim: d, Chains: [][]float64{chain}}
}
