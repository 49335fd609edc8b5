//go:build slow

package check

import (
	"context"
	"os"
	"strconv"
	"testing"

	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Of correct runs at most one in a hundred is accused. Each method runs on each target that it can be checked on, at the step
// size with which it begins there, from a start that is no draw, over seeds.
func TestCorrectRunsAreNotAccused(t *testing.T) {
	want := 1000
	if n, err := strconv.Atoi(os.Getenv("PSGLD_RUNS")); err == nil {
		want = n
	}
	type pair struct {
		p    *targets.Problem
		lane state.Setting
	}
	var pairs []pair
	for _, spec := range []string{"gaussian", "gaussian:cov=1,0.8,0.8,1", "gaussian:noise=0.5", "banana", "mixture", "funnel", "blr:synthetic", "density:-x^4/4 - y^2"} {
		p, err := targets.Open(spec, targets.Options{})
		if err != nil {
			t.Fatal(err)
		}
		for _, m := range catalog.Methods() {
			if m.Misfit(p) != "" {
				continue
			}
			lane := state.DefaultSetting(p, m.Name)
			if p.HasData() {
				lane = lane.With("thin", float64(1+len(pairs)%2*4))
			}
			if _, err := newSetup(Claim{state.Config{Lanes: []state.Setting{lane}}, p}); err == nil {
				pairs = append(pairs, pair{p, lane})
			}
		}
	}
	accused, short := 0, 0
	by := map[string]int{}
	for run := range want {
		of := pairs[run%len(pairs)]
		c := state.Config{Seed: uint64(run + 1), Lanes: []state.Setting{of.lane}}
		d := draw(t, Claim{c, of.p}, 8000)
		s, err := newSetup(Claim{c, of.p})
		if err != nil {
			t.Fatal(err)
		}
		if s.still() {
			r, err := s.retrace(context.Background(), d)
			if err != nil {
				t.Fatal(err)
			}
			if r.Verdict == Inconsistent {
				accused++
				by[of.lane.Sampler+" on "+of.p.Spec]++
			}
			continue
		}
		k := newChecker(s, d)
		k.brief = true
		if err := k.simulate(context.Background()); err != nil {
			t.Fatal(err)
		}
		if k.bound == 0 {
			short++
			continue
		}
		if worst, _ := k.worst(k.sims[0].of); worst > k.bound {
			accused++
			by[of.lane.Sampler+" on "+of.p.Spec]++
			for _, f := range k.report().Facts {
				if f.Fails {
					t.Logf("%s on %s, seed %d: %+v", of.lane.Sampler, of.p.Spec, run+1, f)
				}
			}
		}
	}
	t.Logf("%d of %d runs accused, %d without a fact; %v", accused, want, short, by)
	if accused > want/100 {
		t.Errorf("%d of %d correct runs are accused", accused, want)
	}
}
