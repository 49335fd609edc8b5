package finding_test

import (
	"cmp"
	"math"
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

// A planted session is one of which it is known what is true of it. Whatever of the table it neither says nor may say
// is not true of it.
type planted struct {
	name, target string
	lanes        []lane
	chains       int
	init         string // "random" if it is empty
	steps        uint64
	says         []string // what is true, and said in at least 45 of 50 runs
	may          []string // what is true of some of its runs
	from         uint64   // the step from which on it is not too short; 0 where it may be all the time
	slow         bool     // it is left to the slow audit
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

// all are the planted sessions. A new finding joins them: of each there is one where it is true.
var all = []planted{
	{name: "a step too large for its bias", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.3)}, steps: 60_000,
		says: []string{"too-short", "bias"}, from: 8_000},
	{name: "a small step", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.01)}, steps: 200_000,
		says: []string{"noise", "slow"}, slow: true},
	{name: "bias and noise alike", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.1)}, steps: 20_000,
		says: []string{"otherwise"}, may: []string{"noise", "bias"}},
	{name: "Γ left out", target: "gaussian", lanes: []lane{of("psgld", "eps", 0.01)}, steps: 400_000,
		says: []string{"bias", "gamma"}, slow: true},
	{name: "Γ hardly matters", target: "gaussian", lanes: []lane{of("psgld", "eps", 0.3, "alpha", 0.9999)},
		steps: 60_000, may: []string{"drifting"}},
	{name: "small minibatches", target: "blr:synthetic", lanes: []lane{
		of("sgld", "eps", 1e-3, "batch", 10., "thin", 4., "prior-var", 0.02),
		of("sgld", "eps", 1e-3, "batch", 40., "thin", 4., "prior-var", 0.02), // their temperatures are 38 and 14
	}, steps: 20_000, says: []string{"minibatch", "too-large"}, may: []string{"bias", "unlearnt"}},
	{name: "large minibatches", target: "blr:synthetic", lanes: []lane{
		of("sgld", "eps", 4e-3, "batch", 200., "thin", 4., "prior-var", 0.02),
		of("sgld", "eps", 4e-3, "batch", 400., "thin", 4., "prior-var", 0.02),
	}, steps: 10_000, says: []string{"too-large"}, may: []string{"bias", "unlearnt"}}, // at T = 220
	{name: "a regression as it opens", target: "blr:synthetic", lanes: []lane{of("sgld"), of("psgld"), of("sghmc")},
		// Of psgld, whose draws are up to 60% too wide there.
		steps: 30_000, may: []string{"drifting", "bias"}, slow: true},
	{name: "from afar", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.001, "burn-in", 0.)}, init: "300,300",
		steps: 3_000, may: []string{"drifting"}},
	{name: "a step that unlearns", target: "blr:synthetic", lanes: []lane{of("sgld", "eps", 0.1)}, steps: 20_000,
		says: []string{"unlearnt", "too-large"}, may: []string{"drifting", "bias"}},
	{name: "an exact method", target: "gaussian", lanes: []lane{of("hmc")}, steps: 40_000,
		says: []string{"noise", "enough"}, from: 4_000},
	{name: "proposals too far", target: "gaussian",
		lanes: []lane{of("mala", "eps", 30., "adapt", 0.), of("mala", "eps", 1e-6, "adapt", 0.)}, steps: 3_000,
		says: []string{"stuck"}},
	{name: "beyond the bound", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.8)}, steps: 3_000,
		says: []string{"diverged"}},
	{name: "cold", target: "gaussian", lanes: []lane{of("sgld", "temp", 0.1)}, steps: 3_000, says: []string{"cold"},
		may: []string{"bias"}},
	{name: "an optimiser", target: "gaussian", lanes: []lane{of("adam")}, steps: 3_000, says: []string{"no-spread"},
		from: 1},
	{name: "two modes far apart", target: "mixture:gap=9", lanes: []lane{of("sgld", "eps", 0.1)}, steps: 60_000,
		says: []string{"mode"}},
	{name: "a mode of 3%", target: "density:log(0.97*exp(-x^2/2)+0.03*exp(-(x-10)^2/2))", lanes: []lane{of("hmc")},
		steps: 20_000, says: []string{"mode"}, may: []string{"noise"}},
	{name: "two modes of 1.5%", lanes: []lane{of("hmc")}, steps: 40_000,
		may:    []string{"noise", "mode"}, // a chain that begins in one of them misses the rest
		target: "density:log(0.97*exp(-x^2/2)+0.015*(exp(-(x-10)^2/2)+exp(-(x+10)^2/2)))"},
	{name: "a mean far off", target: "density:x-exp(x)", lanes: []lane{of("sgld", "eps", 1.2)}, steps: 60_000,
		says: []string{"bias"}},
	{name: "a corner of four for each chain", target: "classify:1;set=xor", lanes: []lane{of("sgld")}, chains: 12,
		steps: 60_000, says: []string{"mode"}, may: []string{"drifting"}, slow: true},
	{name: "chains that disagree", target: "mixture:gap=9", lanes: []lane{of("sgld", "eps", 0.1)}, chains: 4,
		steps: 20_000, says: []string{"drifting"}},
	{name: "one lane twice", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.6), of("sgld", "eps", 0.6)},
		steps: 200_000, says: []string{"equal", "bias", "enough"}, from: 8_000, slow: true},
	{name: "lanes a tenth apart", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.4), of("sgld", "eps", 0.43)},
		steps: 100_000, says: []string{"bias"}, from: 10_000,
		may: []string{"better", "enough", "too-large"}}, // the drift of the larger step adds 1.08 T
	{name: "one coordinate of ten too wide", target: "gaussian:d=10;cond=100", lanes: []lane{of("sgld")}, steps: 60_000,
		says: []string{"bias"}, may: []string{"drifting", "noise"}},
	{name: "no truth", target: "density:-t1^2-t2^2-t3^2/2", lanes: []lane{of("sgld", "eps", 0.01), of("hmc")},
		steps: 60_000, says: []string{"bias-unknown"}, may: []string{"noise", "better"}, from: 60_001},
	{name: "a band too wide", target: "regress", lanes: []lane{of("sgld", "eps", 1e-3)}, steps: 400_000,
		says: []string{"too-short", "bias"}, may: []string{"drifting", "too-large"}, slow: true},
	{name: "a function as the truth's", target: "classify", lanes: []lane{of("hmc")}, steps: 2_000,
		says: []string{"noise"}, may: []string{"drifting"}},
	{name: "weights that differ, functions that agree", target: "regress:3", lanes: []lane{of("hmc")},
		chains: 4, steps: 1_000},
	{name: "one better", target: "gaussian", lanes: []lane{of("sgld", "eps", 0.1), of("sgld", "eps", 0.4)},
		steps: 100_000, says: []string{"better", "bias"}, from: 40_000},
}

// looks are four while the steps double.
const looks = 32

// said are the findings of a run in all its looks, and tooShort whether it is said where it is not true.
func (p *planted) said(t *testing.T, seed uint64) (said map[string]bool, tooShort bool) {
	problem, err := targets.Open(p.target, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := state.Config{Target: problem.Spec, Seed: seed, Init: cmp.Or(p.init, "random"), Chains: p.chains}
	for _, l := range p.lanes {
		set := state.DefaultSetting(problem, l.sampler)
		for key, x := range l.values {
			set = set.With(key, x)
		}
		c.Lanes = append(c.Lanes, set)
	}
	look, _, stop := looker(t, c, problem)
	defer stop()
	at := uint64(0)
	said = map[string]bool{}
	for i := looks - 1; i >= 0; i-- {
		to := uint64(float64(p.steps) * math.Exp2(-float64(i)/4))
		snap := look(to - at)
		at = to
		for _, f := range finding.Of(snap) {
			said[f.Key] = true
			tooShort = tooShort || f.Key == "too-short" && p.from > 0 && at >= p.from
		}
		if snap.Phase == state.AllDiverged {
			break
		}
	}
	return said, tooShort
}

// looker begins a session, and returns what runs it for so many steps and ends it.
func looker(t *testing.T, c state.Config, p *targets.Problem) (look func(n uint64) *engine.Snapshot,
	send func(state.Command) *engine.Snapshot, stop func()) {
	s, err := session.New(c, p, session.Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	d := driver.Drive(t.Context(), s)
	send = func(c state.Command) *engine.Snapshot {
		snap, err := d.Send(c)
		if err != nil { // every lane has diverged
			return s.Snapshot()
		}
		return snap
	}
	send(state.Pause{})
	return func(n uint64) *engine.Snapshot {
		snap := send(state.StepBy{N: n})
		for snap.Comparing { // R-hat is worked out beside the sampling
			time.Sleep(time.Millisecond)
			snap = send(state.Pause{})
		}
		return snap
	}, send, func() { d.Stop() }
}

// What is true of a session is said, and what is not is not, whenever one looks.
func TestPlanted(t *testing.T) {
	innerlooptest.Skip(t, "many sessions")
	audit(t, false, 1, 1)
}

func TestPlantedInLongSessions(t *testing.T) {
	innerlooptest.Later(t, "a long session")
	audit(t, true, 1, 1)
}

// audit runs each session, of the slow ones or of the others, with so many seeds for what is true and for what is not.
func audit(t *testing.T, slow bool, right, wrong int) {
	for i := range all {
		p := &all[i]
		if p.slow != slow {
			continue
		}
		t.Run(p.name, func(t *testing.T) {
			t.Parallel()
			told, untrue := map[string]int{}, map[string]int{}
			for seed := range max(right, wrong) {
				said, tooShort := p.said(t, uint64(seed+1))
				for key := range said {
					if slices.Contains(p.says, key) {
						if seed < right {
							told[key]++
						}
					} else if key != "too-short" && key != "otherwise" && !slices.Contains(p.may, key) {
						untrue[key]++
					}
				}
				if tooShort {
					untrue["too-short"]++
				}
			}
			for _, key := range p.says {
				if t.Logf("%s: said in %d of %d", key, told[key], right); told[key]*10 < right*9 {
					t.Errorf("%s is true, and said in %d of %d runs", key, told[key], right)
				}
			}
			for key, n := range untrue {
				if t.Logf("%s: wrongly said in %d of %d", key, n, wrong); n*100 > wrong {
					t.Errorf("%s is not true, and said in %d of %d runs", key, n, wrong)
				}
			}
		})
	}
}

// Each finding of the table has a session where it is true, and one where it is not.
func TestEachIsPlanted(t *testing.T) {
	for _, e := range finding.Table {
		if e.Key == "inconsistent" { // of watched draws, which TestWatchFacts of tui/cli plants
			continue
		}
		says := func(p planted) bool { return slices.Contains(p.says, e.Key) }
		if !slices.ContainsFunc(all, says) {
			t.Errorf("no planted session has %s", e.Key)
		}
		if !slices.ContainsFunc(all, func(p planted) bool {
			return !says(p) && !slices.Contains(p.may, e.Key) && (p.from > 0 || e.Key != "too-short")
		}) {
			t.Errorf("no planted session lacks %s", e.Key)
		}
	}
}
