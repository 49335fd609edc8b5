package finding_test

import (
	"strconv"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/finding"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
)

// Whoever does what the first finding proposes, again and again, is led somewhere: while nothing is turned the proposal
// names one parameter, each proposal makes the lane's bias smaller, and none takes an earlier one back.
func TestProposalsLeadOn(t *testing.T) {
	innerlooptest.Later(t, "sessions of several windows")
	for _, c := range []struct {
		target, sampler string
		want            []string
	}{
		{"mixture", "psgld", []string{"alpha", "eps"}},
		{"mixture", "psgld-adam", []string{"alpha", "eps"}},
		{"mixture", "sgld", []string{"eps"}},
	} {
		t.Run(c.target+" "+c.sampler, func(t *testing.T) {
			problem, err := targets.Open(c.target, targets.Options{})
			if err != nil {
				t.Fatal(err)
			}
			config := state.Config{Target: problem.Spec, Seed: 1, Init: "random",
				Lanes: []state.Setting{state.DefaultSetting(problem, c.sampler)}}
			look, send, stop := looker(t, config, problem)
			defer stop()
			var did []string
			severity := 1e9
			for {
				var turns finding.Found
				for n := uint64(100_000); n <= 1_600_000; n *= 2 {
					for _, f := range finding.Of(look(n)) {
						key, _, turn := strings.Cut(f.Proposes, "=")
						before, _, _ := strings.Cut(turns.Proposes, "=")
						if !turn {
							continue
						}
						t.Log(f.Key, f.Proposes, f.Severity)
						if before != "" && key != before {
							t.Errorf("after %v: %s and then %s, while nothing is turned", did,
								turns.Proposes, f.Proposes)
						}
						turns = f
						break
					}
				}
				key, value, turn := strings.Cut(turns.Proposes, "=")
				if !turn {
					break
				}
				if len(did) > len(c.want) || turns.Severity >= severity {
					t.Fatalf("%v, and then %s: a bias of %v, %v before", did, turns.Proposes, turns.Severity, severity)
				}
				x, _ := strconv.ParseFloat(value, 64)
				send(state.SetParam{Lane: turns.Lane, Key: key, Value: x})
				did, severity = append(did, key), turns.Severity
			}
			if got, want := strings.Join(did, " "), strings.Join(c.want, " "); got != want {
				t.Errorf("%s is proposed, want %s", got, want)
			}
		})
	}
}

// More steps do not cure trajectories that diverge.
func TestDivergentIsNotRunOn(t *testing.T) {
	problem, err := targets.Open("density:gamma(x,2,1)+normal(y,0,x); x>0", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	look, _, stop := looker(t, state.Config{Target: problem.Spec, Seed: 1, Init: "random",
		Lanes: []state.Setting{state.DefaultSetting(problem, "hmc")}}, problem)
	defer stop()
	snap := look(10_000)
	if why := snap.Lanes[0].Trust[quantity.Mixing]; why != metrics.Divergent {
		t.Fatalf("the chain is %v", why)
	}
	for _, f := range finding.Of(snap) {
		if strings.HasPrefix(f.Proposes, "run") {
			t.Errorf("%s proposes %s", f.Key, f.Proposes)
		}
	}
}

// A step that throws a chain about has missed no mode, and what is proposed is the target's own.
func TestThrownAbout(t *testing.T) {
	problem, err := targets.Open("banana", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	own := state.DefaultSetting(problem, "psgld")
	look, _, stop := looker(t, state.Config{Target: problem.Spec, Seed: 1, Init: "random",
		Lanes: []state.Setting{own.With("eps", 1e5)}}, problem)
	defer stop()
	snap := look(1_000_000)
	first := finding.Of(snap)[0]
	if want := "eps=" + strconv.FormatFloat(own.Eps(), 'g', -1, 64); first.Key != "bias" || first.Proposes != want {
		t.Errorf("a chain that is %v: %s proposes %s, want bias and %s",
			snap.Lanes[0].Trust[quantity.Chain], first.Key, first.Proposes, want)
	}
}

// Chains whose weights differ, and whose functions are too short to tell, are too short: weights have symmetries.
func TestWeightsMayDiffer(t *testing.T) {
	p, err := targets.Open("classify", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	c := state.Config{Target: p.Spec, Seed: 1, Init: "random", Chains: 4,
		Lanes: []state.Setting{state.DefaultSetting(p, "sgld")}}
	look, _, stop := looker(t, c, p)
	defer stop()
	if s := look(12_000); finding.Of(s)[0].Key != "too-short" {
		t.Errorf("it says %s, of an R-hat of %+v", finding.Of(s)[0].Key, s.Lanes[0].Values[quantity.FnRHat])
	}
}
