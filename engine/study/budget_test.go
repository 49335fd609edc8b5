package study

import (
	"slices"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/state"
)

// A budget runs second seeds first, then rows that have none, then the rest, and begins nothing that does not fit.
func TestBudget(t *testing.T) {
	open := (&Targets{}).OpenJob
	lanes := gaussianSweep(t, 1).Config.Lanes[1:]
	var jobs []Job
	known := map[string]Outcome{}
	for _, id := range []string{"a seed=1", "b seed=1", "b seed=2", "b seed=3", "c seed=1", "c seed=2", "d seed=1"} {
		j := Job{ID: id, Config: state.Config{Target: "gaussian", Seed: uint64(len(jobs)), Steps: 10, Lanes: lanes}}
		jobs = append(jobs, j)
		if id == "b seed=1" || id == "d seed=1" {
			got, err := (&Runner{Jobs: Plan{Jobs: []Job{j}}.Part(All), Threads: 1, Open: open}).Run(t.Context())
			if err != nil {
				t.Fatal(err)
			}
			known[j.Hash()] = got[0]
		}
	}
	run := func(estimate func(Job) (time.Duration, bool)) (order []string, n int) {
		r := Runner{Jobs: Plan{Jobs: jobs}.Part(All), Threads: 1, Open: open, Known: known, For: time.Hour,
			Estimate: estimate}
		r.Each = func(j Job, _ Outcome, fresh bool) {
			if fresh {
				order = append(order, j.ID)
			}
		}
		all, err := r.Run(t.Context())
		if err != nil {
			t.Fatal(err)
		}
		return order, len(all)
	}
	if got, n := run(nil); n != len(jobs) ||
		!slices.Equal(got, []string{"b seed=2", "a seed=1", "c seed=1", "c seed=2", "b seed=3"}) {
		t.Errorf("%d jobs, in the order %q", n, got)
	}
	long := func(j Job) (time.Duration, bool) { return 2 * time.Hour, j.ID[0] == 'c' }
	if got, n := run(long); n != len(jobs)-2 || !slices.Equal(got, []string{"b seed=2", "a seed=1", "b seed=3"}) {
		t.Errorf("with long ones: %d jobs, in the order %q", n, got)
	}
}

// What runs when the time is over is given up, and what is done is there.
func TestBudgetIsOver(t *testing.T) {
	open := (&Targets{}).OpenJob
	forever := Job{ID: "b", Config: state.Config{Target: "gaussian", Lanes: gaussianSweep(t, 1).Config.Lanes[1:],
		Steps: 1 << 60}}
	short := forever
	short.ID, short.Config.Steps = "a", 10
	r := Runner{Jobs: Plan{Jobs: []Job{short, forever}}.Part(All), Threads: 1, Open: open, For: 200 * time.Millisecond}
	got, err := r.Run(t.Context())
	if err != nil || len(got) > 1 || len(got) == 1 && got[0].ID != "a" || t.Context().Err() != nil {
		t.Errorf("%d outcomes, %v", len(got), err)
	}
}
