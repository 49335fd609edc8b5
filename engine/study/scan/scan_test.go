package scan

import (
	"math"
	"slices"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/param"
)

// A grid of the usual size is done in a minute on two cores, as far as is known of the
// time of a step, and its cells are long enough to have draws.
func TestUsualSizes(t *testing.T) {
	innerlooptest.Skip(t, "whole scans")
	for _, c := range []struct {
		spec  string
		burn  float64
		asked Size
		want  Size
	}{
		{"gaussian", 0, Size{}, Size{41, 50_000, 5, ""}},
		{"blr:synthetic", 0, Size{}, Size{41, 50_000, 5, ""}},
		{"mlp:20", 0, Size{}, Size{13, 5000, 3, ""}},
		{"regress", 20_000, Size{}, Size{13, 500_000, 3, ""}},
		{"mlp:400-400", 0, Size{}, Size{13, 500, 3, ""}},
		{"mlp:400-400", 30_000, Size{}, Size{13, 30_200, 3, ""}},
		{"mlp:400-400", 0, Size{Seeds: 1}, Size{13, 2000, 1, ""}},
		{"mlp:20", 0, Size{Cells: 5}, Size{5, 20_000, 3, ""}},
		{"mlp:20", 0, Size{Steps: 1000}, Size{13, 1000, 3, ""}},
	} {
		snap := snapshot(t, c.spec)
		for i := range snap.Lanes {
			l := &snap.Lanes[i]
			l.Setting = l.Setting.With(sampler.KeyBurnIn, c.burn)
		}
		if got := c.asked.Of(snap, false); got != c.want {
			t.Errorf("%s, burn-in %g, asked for %+v: %+v, want %+v", c.spec, c.burn, c.asked, got, c.want)
		}
	}
	for x, want := range map[float64]uint64{0.3: 1, 1: 1, 9.9: 5, 10: 10, 277: 200, 20_000: 20_000, math.NaN(): 1} {
		if got := round125(x); got != want {
			t.Errorf("round125(%v) = %d, want %d", x, got, want)
		}
	}
}

// The values are places to which keys turn the parameter, as far as its scale goes.
func TestValues(t *testing.T) {
	for _, c := range []struct {
		key    string
		x      float64
		points int
		n      int
		lo, hi float64
	}{
		{"eps", 0.1, 41, 41, 0.001, 10}, {"eps", 0.1, 5, 5, 0.001, 10}, {"eps", 1, 81, 61, 0.01, 10},
		{"lambda", 1e-5, 41, 41, 1e-7, 1e-3}, {"gamma", 1, 41, 2, 0, 1}, {"alpha", 0.99, 21, 21, 0, 0.9999},
		{"thin", 1, 41, 21, 1, 0}, {"temp", 0, 13, 7, 0, 0},
		{"eps", 8.33e-8, 13, 10, 1.05e-8, 0},
	} {
		p, ok := onlyParam(c.key)
		if !ok {
			t.Fatal(c.key)
		}
		all, base := values(p, c.x, c.points)
		if base >= len(all) || all[base] != c.x || !slices.IsSorted(all) || len(slices.Compact(slices.Clone(all))) != len(all) {
			t.Errorf("%s about %v: %v, base %d", c.key, c.x, all, base)
			continue
		}
		if len(all) != c.n || all[0] != c.lo || c.hi > 0 && math.Abs(all[len(all)-1]-c.hi) > 1e-3*c.hi {
			t.Errorf("%s about %v: %d values from %v to %v, want %d from %v to %v", c.key, c.x, len(all), all[0], all[len(all)-1], c.n, c.lo, c.hi)
		}
	}
}

// Any first part of the order spreads over the grid, and all of it is every cell once.
func TestCoarseFirst(t *testing.T) {
	for n := 1; n < 90; n++ {
		for _, base := range []int{0, n / 2, n - 1} {
			all, _ := order(n, base, 1, 1)
			sorted := slices.Sorted(slices.Values(all))
			for i := range n {
				if len(sorted) != n || sorted[i] != i {
					t.Fatalf("%d cells about %d: %v", n, base, all)
				}
			}
		}
	}
	if got, _ := order(9, 4, 1, 1); !slices.Equal(got, []int{4, 0, 8, 2, 6, 1, 3, 5, 7}) {
		t.Errorf("nine cells run in the order %v", got)
	}
}

// Three repeats of the coarse cells come first, and all repeats of all cells once.
func TestOrder(t *testing.T) {
	for _, c := range []struct{ cells, base, seeds, coarse int }{
		{41, 20, 5, 11}, {20, 9, 5, 5}, {13, 6, 3, 7}, {10, 8, 3, 5}, {3, 1, 2, 3}, {5, 0, 1, 5}, {1, 0, 4, 1}, {2, 1, 3, 2},
	} {
		all, coarse := order(c.cells, c.base, c.seeds, 0)
		if coarse != c.coarse*min(c.seeds, 3) {
			t.Errorf("%+v: %d are coarse", c, coarse)
		}
		sorted := slices.Sorted(slices.Values(all))
		for i := range c.cells * c.seeds {
			if len(sorted) != c.cells*c.seeds || sorted[i] != i {
				t.Fatalf("%+v: %v", c, all)
			}
		}
		points := map[int]bool{}
		for i, at := range all[:min(c.seeds, 3)*c.coarse] {
			if points[at/c.seeds] = true; at%c.seeds > 2 || i < c.coarse && at%c.seeds > 0 {
				t.Errorf("%+v: %v, where place %d is too early", c, all, i)
			}
		}
		if len(points) != c.coarse {
			t.Errorf("%+v: the first of %v are of %d cells", c, all, len(points))
		}
	}
}

// Of a cell of which nothing comes with the first seed the others are not run, and
// dropped where they ran beside it.
func TestOtherSeedsOfDivergedCells(t *testing.T) {
	snap := snapshot(t, "gaussian")
	p, _ := onlyParam("eps")
	g := New(snap, 0, p, nil, Size{Cells: 5, Steps: 1000, Seeds: 3})
	good, lost := make([]run, 2), make([]run, 2)
	lost[0].diverged, lost[1].diverged = &state.Divergence{}, &state.Divergence{}
	good[0].values[quantity.CovError] = metrics.Exact(1)
	total := func() int { _, n := g.Progress(); return n }
	if total() != 15 {
		t.Errorf("%d runs are wanted before any has run, want 15", total())
	}
	for at, lanes := range [][]run{1: good, 3: good, 4: lost, 5: nil} {
		if lanes != nil {
			g.add(at, lanes)
		}
	}
	g.add(0, lost)
	if _, kept := g.runs[1]; kept || len(g.runs) != 3 || total() != 13 ||
		!slices.Equal(g.wantedOf([]int{2, 5}), []int{5}) {
		t.Errorf("kept %d runs of %d that are wanted; want 3 of 13", len(g.runs), total())
	}
	short := make([]run, 2)
	for i := range short {
		for _, q := range quantity.Compared {
			short[i].values[q] = metrics.Withheld(metrics.TooShort, 9)
		}
		short[i].values[quantity.CovBias] = metrics.Exact(1)
	}
	if g.add(6, short); total() != 11 {
		t.Errorf("%d runs are wanted after one that is too short but for its bias, want 11", total())
	}
}

// A job runs as many sessions at a time as it may, and ends however few those are.
func TestThreadsOfAJob(t *testing.T) {
	snap := snapshot(t, "gaussian")
	p, _ := onlyParam("eps")
	g := New(snap, 0, p, nil, Size{Cells: 5, Steps: 1000, Seeds: 3})
	j := g.Start(t.Context(), 0, 0)
	if j.running != 0 || len(j.todo) != 15 {
		t.Errorf("%d sessions run of a job that may run none, %d are left", j.running, len(j.todo))
	}
	j.Allow(1)
	<-j.Ended
	if j.Err != nil || !g.Whole() {
		t.Errorf("%d runs, %v", len(g.runs), j.Err)
	}
	j = g.Start(t.Context(), 1, 0)
	<-j.Ended
	if j.Left() != 0 {
		t.Errorf("a job that has nothing to do takes %g s more", j.Left())
	}
	g.took = 3
	j = &Job{scan: g, todo: g.order[:4], threads: 2, running: 2}
	if j.Left() != 7.5 {
		t.Errorf("four sessions and half of two, of 3 s, on two threads take %g s, want 7.5", j.Left())
	}
}

// A job whose threads wait ends when it is stopped, whichever of its contexts hears of that
// first, and when the one session that it may run fails.
func TestWaitingJobsEnd(t *testing.T) {
	snap := snapshot(t, "gaussian")
	p, _ := onlyParam("eps")
	for range 2000 {
		j := New(snap, 0, p, nil, Size{Cells: 5, Steps: 1000, Seeds: 3}).Start(t.Context(), 0, 0)
		j.Stop()
		<-j.Ended
	}
	g := New(snap, 0, p, nil, Size{Cells: 5, Steps: 1000, Seeds: 3})
	g.Sweep.Problem = nil
	j := g.Start(t.Context(), 1, 0)
	<-j.Ended
	if j.Err == nil {
		t.Error("a job on no target ended without an error")
	}
}

// snapshot is one of a session of pSGLD and SGLD on a target.
func snapshot(t *testing.T, spec string) *engine.Snapshot {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: spec, Seed: 1, Init: "random", Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	s, err := session.New(cfg, p, session.Runtime{Threads: 1})
	if err != nil {
		t.Fatal(err)
	}
	return s.Snapshot()
}

// onlyParam is a parameter of pSGLD.
func onlyParam(key string) (param.Param, bool) {
	m, _ := catalog.Find("psgld")
	for _, p := range m.All() {
		if p.Key == key {
			return p, true
		}
	}
	return param.Param{}, false
}

// Without a range the decades run first, and then the values within a decade of the best: of each lane those, and no
// others, on any number of threads. Over a range all run.
func TestCoarseToFine(t *testing.T) {
	innerlooptest.Skip(t, "whole scans")
	snap := snapshot(t, "gaussian")
	p, _ := onlyParam("eps")
	var ran [2][]int
	for i, threads := range []int{1, 3} {
		g := New(snap, 0, p, nil, Size{Cells: 41, Steps: 5000, Seeds: 1})
		j := g.Start(t.Context(), threads, 0)
		<-j.Ended
		if j.Err != nil || !g.Whole() {
			t.Fatalf("%d runs, %v", len(g.runs), j.Err)
		}
		for k := range g.Values() {
			if g.cell(0, k, 1).Runs > 0 {
				ran[i] = append(ran[i], k)
			} else if (k-g.Base)%10 == 0 {
				t.Errorf("the decade at %g has not run", g.Values()[k])
			}
		}
		if len(ran[i]) == 41 || len(ran[i]) < 15 {
			t.Errorf("%d of 41 values have run", len(ran[i]))
		}
	}
	if !slices.Equal(ran[0], ran[1]) {
		t.Errorf("on one thread %v have run, on three %v", ran[0], ran[1])
	}
	of := []float64{0.01, 0.02, 0.05, 0.1, 0.2, 0.5, 1, 2, 5}
	g := New(snap, 0, p, of, Size{Steps: 100, Seeds: 1, Range: "eps"})
	if j := g.Start(t.Context(), 1, 0); true {
		<-j.Ended
		if j.Err != nil || len(g.runs) != len(of) || g.Values()[g.Base] != 0.5 {
			t.Errorf("over a range %d of %d, about %g: %v", len(g.runs), len(of), g.Values()[g.Base], j.Err)
		}
	}
}

// Where the truth is known nothing is extrapolated; where it is not, companions tell the error that is to be expected.
func TestScanWithoutATruth(t *testing.T) {
	innerlooptest.Skip(t, "a whole scan")
	p, _ := onlyParam("eps")
	for _, spec := range []string{"gaussian", "regress"} {
		if New(snapshot(t, spec), 0, p, nil, Size{}).Sweep.Config.Bias {
			t.Errorf("%s: companions run beside a known truth", spec)
		}
	}
	of := []float64{1e-5, 2e-5}
	if g := New(snapshot(t, "blr:synthetic"), 0, p, of, Size{Steps: 100, Seeds: 1, Range: "eps"}); !g.Known().Bias {
		t.Error("no companions run where no truth is known")
	}
}
