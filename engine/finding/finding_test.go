package finding_test

import (
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/driver"
	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// A planted session is one of which it is known what is true of it.
type planted struct {
	name, target string
	lanes        []lane
	chains       int
	steps        uint64
	says         []string // what is true, and said in at least 45 of 50 runs
	never        []string // what is not true from its step from on, and said in at most 3 of 300 runs
	from         uint64
	slow         bool // it is left to the slow audit
}

type lane struct {
	sampler string
	values  map[string]float64
}

func of(sampler string, values ...any) lane {
	l := lane{sampler, map[string]float64{}}
	for i := 0; i < len(values); i += 2 {
		l.values[values[i].(string)] = values[i+1].(float64)
	}
	return l
}

// all are the planted sessions. A new finding joins them: of each there is one where it is true and one where not.
var all = []planted{
	{name: "a step too large for its bias", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.3)}, steps: 60_000,
		says: []string{"too-short", "bias"}, from: 8_000,
		never: []string{"diverged", "stuck", "drifting", "too-short", "noise", "slow", "gamma", "cold", "no-spread",
			"mode"}},
	{name: "a small step", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.01)}, steps: 200_000,
		says: []string{"noise", "slow"}, never: []string{"bias", "enough", "gamma", "mode", "stuck"}},
	{name: "Γ left out", target: "gaussian", lanes: []lane{of("psgld", "eps", 0.01)}, steps: 400_000,
		says: []string{"bias", "gamma"}, never: []string{"noise", "slow"}, slow: true},
	{name: "Γ hardly matters", target: "gaussian", lanes: []lane{of("psgld", "eps", 0.3, "alpha", 0.9999)},
		steps: 60_000, never: []string{"gamma", "cold", "mode"}},
	{name: "small minibatches", target: "blr:synthetic", lanes: []lane{
		of("sgld", "eps", 1e-3, "batch", 20., "thin", 1., "prior-var", 0.02),
		of("sgld", "eps", 1e-3, "batch", 80., "thin", 1., "prior-var", 0.02),
	}, steps: 60_000, says: []string{"minibatch"}, slow: true},
	{name: "an exact method", target: "gaussian", lanes: []lane{of("hmc")}, steps: 40_000,
		says: []string{"noise", "enough"}, never: []string{"bias", "gamma", "stuck", "slow", "diverged", "bias-unknown"}},
	{name: "proposals too far", target: "gaussian",
		lanes: []lane{of("mala", "eps", 30., "adapt", 0.), of("mala", "eps", 1e-6, "adapt", 0.)}, steps: 3_000,
		says: []string{"stuck"}},
	{name: "beyond the bound", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.8)}, steps: 3_000,
		says: []string{"diverged"}},
	{name: "cold", target: "gaussian", lanes: []lane{of("sgld", "temp", 0.1)}, steps: 3_000, says: []string{"cold"},
		never: []string{"minibatch"}},
	{name: "an optimiser", target: "gaussian", lanes: []lane{of("adam")}, steps: 3_000, says: []string{"no-spread"},
		never: []string{"enough", "bias", "noise", "too-short", "drifting", "cold"}},
	{name: "two modes far apart", target: "mixture:gap=9", lanes: []lane{of("sgld", "eps", 0.1)}, steps: 60_000,
		says: []string{"mode"}, never: []string{"enough", "bias"}},
	{name: "chains that disagree", target: "mixture:gap=9", lanes: []lane{of("sgld", "eps", 0.1)}, chains: 4,
		steps: 20_000, says: []string{"drifting"}, never: []string{"enough", "noise"}},
	{name: "no truth", target: "density:-t1^2-t2^2-t3^2/2", lanes: []lane{of("sgld", "eps", 0.01), of("hmc")},
		steps: 60_000, says: []string{"bias-unknown"}, from: 60_001},
	{name: "one lane twice", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.5), of("sgld", "eps", 0.5)},
		steps: 200_000, says: []string{"equal"}, never: []string{"better"}},
	{name: "one better", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.1), of("sgld", "eps", 0.4)},
		steps: 100_000, says: []string{"better"}, never: []string{"equal"}},
}

const looks = 8

// said are the findings of a run, in all its looks and in those from a step on.
func (p *planted) said(t *testing.T, seed uint64) (said, late []string) {
	problem, err := targets.Open(p.target, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := state.Config{Target: problem.Spec, Seed: seed, Init: "random", Chains: p.chains}
	for _, l := range p.lanes {
		set := state.DefaultSetting(problem, l.sampler)
		for key, x := range l.values {
			set = set.With(key, x)
		}
		c.Lanes = append(c.Lanes, set)
	}
	s, err := session.New(c, problem, session.Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := driver.Drive(t.Context(), s)
	defer d.Stop()
	send := func(c state.Command) *engine.Snapshot {
		snap, err := d.Send(c)
		if err != nil { // every lane has diverged
			return s.Snapshot()
		}
		return snap
	}
	send(state.Pause{})
	at := uint64(0)
	for i := looks - 1; i >= 0; i-- {
		to := p.steps >> i
		snap := send(state.StepBy{N: to - at})
		at = to
		for snap.Comparing { // R-hat is worked out beside the sampling
			time.Sleep(time.Millisecond)
			snap = send(state.Pause{})
		}
		for _, f := range finding.Of(snap) {
			if said = append(said, f.Key); at >= p.from {
				late = append(late, f.Key)
			}
		}
		if snap.Phase == state.AllDiverged {
			break
		}
	}
	return said, late
}

// What is true of a session is said, and what is not is not, whenever one looks.
func TestPlanted(t *testing.T) {
	innerlooptest.Skip(t, "many sessions")
	audit(t, 1, 1)
}

func audit(t *testing.T, true_, false_ int) {
	for i := range all {
		p := &all[i]
		t.Run(p.name, func(t *testing.T) {
			if t.Parallel(); p.slow {
				innerlooptest.Later(t, "a long session")
			}
			told, wrong := map[string]int{}, map[string]int{}
			for seed := range false_ {
				if seed >= true_ && p.never == nil {
					break
				}
				said, late := p.said(t, uint64(seed+1))
				for _, key := range p.says {
					if seed < true_ && slices.Contains(said, key) {
						told[key]++
					}
				}
				for _, key := range p.never {
					if slices.Contains(late, key) {
						wrong[key]++
					}
				}
			}
			for _, key := range p.says {
				if t.Logf("%s: said in %d of %d", key, told[key], true_); told[key]*10 < true_*9 {
					t.Errorf("%s is true, and said in %d of %d runs", key, told[key], true_)
				}
			}
			for key, n := range wrong {
				if t.Logf("%s: wrongly said in %d of %d", key, n, false_); n*100 > false_ {
					t.Errorf("%s is not true, and said in %d of %d runs", key, n, false_)
				}
			}
		})
	}
}

// Each finding of the table has a session where it is true and one where it is not.
func TestEachIsPlanted(t *testing.T) {
	for _, e := range finding.Table {
		if !slices.ContainsFunc(all, func(p planted) bool { return slices.Contains(p.says, e.Key) }) {
			t.Errorf("no planted session has %s", e.Key)
		}
		if !slices.ContainsFunc(all, func(p planted) bool { return slices.Contains(p.never, e.Key) }) {
			t.Errorf("no planted session lacks %s", e.Key)
		}
	}
}
