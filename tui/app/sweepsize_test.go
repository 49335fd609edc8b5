package app

import (
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/engine/sampler/catalog"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets/param"
)

// A grid of the usual size is done in a minute on two cores, as far as is known of the
// time of a step, and its cells are long enough to have draws.
func TestUsualSizes(t *testing.T) {
	for _, c := range []struct {
		spec  string
		burn  float64
		asked sweepSize
		want  sweepSize
	}{
		{"gaussian", 0, sweepSize{}, sweepSize{41, 20_000, 5}},
		{"blr:synthetic", 0, sweepSize{}, sweepSize{41, 20_000, 5}},
		{"mlp:20", 0, sweepSize{}, sweepSize{13, 5000, 3}},
		{"mlp:400-400", 0, sweepSize{}, sweepSize{13, 500, 3}},
		{"mlp:400-400", 30_000, sweepSize{}, sweepSize{13, 30_200, 3}},
		{"mlp:400-400", 0, sweepSize{seeds: 1}, sweepSize{13, 2000, 1}},
		{"mlp:20", 0, sweepSize{points: 5}, sweepSize{5, 20_000, 3}},
		{"mlp:20", 0, sweepSize{steps: 1000}, sweepSize{13, 1000, 3}},
	} {
		snap := newSession(t, c.spec).Snapshot()
		for i := range snap.Lanes {
			l := &snap.Lanes[i]
			l.Setting = l.Setting.With(sampler.KeyBurnIn, c.burn)
		}
		if got := usualSize(snap, c.asked); got != c.want {
			t.Errorf("%s, burn-in %g, asked for %+v: %+v, want %+v", c.spec, c.burn, c.asked, got, c.want)
		}
	}
	for x, want := range map[float64]uint64{0.3: 1, 1: 1, 9.9: 5, 10: 10, 277: 200, 20_000: 20_000, math.NaN(): 1} {
		if got := round125(x); got != want {
			t.Errorf("round125(%v) = %d, want %d", x, got, want)
		}
	}
}

// Any first part of the order spreads over the grid, and all of it is every cell once.
func TestCoarseFirst(t *testing.T) {
	for n := 1; n < 90; n++ {
		for _, base := range []int{0, n / 2, n - 1} {
			all := coarseFirst(n, base)
			sorted := slices.Sorted(slices.Values(all))
			for i := range n {
				if len(sorted) != n || sorted[i] != i {
					t.Fatalf("%d cells about %d: %v", n, base, all)
				}
			}
		}
	}
	if got, want := coarseFirst(9, 4), []int{4, 0, 8, 2, 6, 1, 3, 5, 7}; !slices.Equal(got, want) {
		t.Errorf("%v, want %v", got, want)
	}
}

// Three repeats of the coarse cells come first, and all repeats of all cells once.
func TestSweepOrder(t *testing.T) {
	for _, c := range []struct{ cells, base, seeds, coarse int }{
		{41, 20, 5, 11}, {20, 9, 5, 5}, {13, 6, 3, 7}, {10, 8, 3, 5}, {3, 1, 2, 3}, {5, 0, 1, 5}, {1, 0, 4, 1}, {2, 1, 3, 2},
	} {
		order := sweepOrder(c.cells, c.base, c.seeds)
		sorted := slices.Sorted(slices.Values(order))
		for i := range c.cells * c.seeds {
			if len(sorted) != c.cells*c.seeds || sorted[i] != i {
				t.Fatalf("%+v: %v", c, order)
			}
		}
		points := map[int]bool{}
		for i, at := range order[:min(c.seeds, 3)*c.coarse] {
			if points[at/c.seeds] = true; at%c.seeds > 2 || i < c.coarse && at%c.seeds > 0 {
				t.Errorf("%+v: %v, where place %d is too early", c, order, i)
			}
		}
		if len(points) != c.coarse {
			t.Errorf("%+v: the first of %v are of %d cells", c, order, len(points))
		}
	}
}

// Of a cell of which nothing comes with the first seed the others are not run, and
// dropped where they ran beside it.
func TestOtherSeedsOfLostCells(t *testing.T) {
	snap := newSession(t, "gaussian").Snapshot()
	p, _ := onlyParam("eps")
	g := newSweepGrid(snap, 0, p, sweepSize{points: 5, steps: 1000, seeds: 3})
	good, lost := make(sweepRun, 2), make(sweepRun, 2)
	lost[0].diverged, lost[1].diverged = &engine.Divergence{}, &engine.Divergence{}
	good[0].of[quantity.CovError] = metrics.Exact(1)
	if g.total() != 15 {
		t.Errorf("%d runs are wanted before any has run, want 15", g.total())
	}
	g.take(map[int]sweepRun{0: lost, 1: good, 3: good, 4: lost})
	if _, kept := g.runs[1]; kept || len(g.runs) != 3 || g.total() != 13 || g.wanted(2) || !g.wanted(5) {
		t.Errorf("kept %d runs of %d that are wanted; want 3 of 13", len(g.runs), g.total())
	}
	short := make(sweepRun, 2)
	for i := range short {
		for _, q := range quantity.Compared {
			short[i].of[q] = metrics.Withheld(metrics.TooShort, 9)
		}
		short[i].of[quantity.CovBias] = metrics.Exact(1)
	}
	g.take(map[int]sweepRun{6: short})
	if g.total() != 11 {
		t.Errorf("%d runs are wanted after one that is too short but for its bias, want 11", g.total())
	}
}

// A job runs as many sessions at a time as it may, and ends however few those are.
func TestThreadsOfAJob(t *testing.T) {
	snap := newSession(t, "gaussian").Snapshot()
	p, _ := onlyParam("eps")
	g := newSweepGrid(snap, 0, p, sweepSize{points: 5, steps: 1000, seeds: 3})
	var all sync.WaitGroup
	j := startJob(t.Context(), g, 1, 0, 0, &all)
	if j.running != 0 || len(j.todo) != 15 {
		t.Errorf("%d sessions run of a job that may run none, %d are left", j.running, len(j.todo))
	}
	j.allow(1)
	all.Wait()
	if err := j.take(g); err != nil || !g.whole() {
		t.Errorf("%d of %d runs, %v", len(g.runs), g.total(), err)
	}
	j = startJob(t.Context(), g, 2, 1, 0, &all)
	all.Wait()
	if j.left() != 0 {
		t.Errorf("a job that has nothing to do takes %g s more", j.left())
	}
	j = &sweepJob{grid: *g, todo: g.order[:4], threads: 2, running: 2, took: 3}
	if j.left() != 7.5 {
		t.Errorf("four sessions and half of two, of 3 s, on two threads take %g s, want 7.5", j.left())
	}
	j = startJob(t.Context(), newSweepGrid(snap, 0, p, sweepSize{points: 5, steps: 1000, seeds: 3}), 3, 0, 0, &all)
	j.stop()
	all.Wait()
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
