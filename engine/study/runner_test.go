package study

import (
	"context"
	"fmt"
	"io/fs"
	"path/filepath"
	"sync/atomic"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// digests are what the outcomes' lanes came to, by job.
func digests(outcomes []Outcome) map[string]string {
	d := map[string]string{}
	for _, o := range outcomes {
		for _, l := range o.Lanes {
			d[o.ID] += l.Digest + " "
		}
	}
	return d
}

// A run that ends again and again, after another number of jobs each time, gives
// what one run gives, and runs no job twice.
func TestARunThatIsEndedGoesOn(t *testing.T) {
	innerlooptest.Skip(t, "a sweep that begins again many times")
	whole := gaussianSweep(t, 2)
	want, err := whole.Runner(All).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	path := filepath.Join(t.TempDir(), "r.jsonl")
	runs := map[string]int{}
	var got []Outcome
	for after := 1; len(got) < len(want); after++ {
		if after > 20 {
			t.Fatal("it does not end")
		}
		s := gaussianSweep(t, 1)
		ctx, stop := context.WithCancel(context.Background())
		r := s.Runner(All)
		r.Store = wantStore(t, path, s.Plan(), All)
		fresh := 0
		r.Each = func(j Job, _ Outcome, f bool) {
			if f {
				runs[j.ID]++
				if fresh++; fresh == after {
					stop()
				}
			}
		}
		got, err = r.Run(ctx)
		stop()
		if err != nil {
			t.Fatal(err)
		}
		_ = r.Store.Close()
	}
	if fmt.Sprint(digests(got)) != fmt.Sprint(digests(want)) {
		t.Errorf("the digests are\n%v, want\n%v", digests(got), digests(want))
	}
	for id, n := range runs {
		if n != 1 {
			t.Errorf("%s was run %d times", id, n)
		}
	}
	if len(runs) != len(want) {
		t.Errorf("%d jobs were run, want %d", len(runs), len(want))
	}
}

// What is known is not run again, and a job whose data come later is.
func TestKnownAndSkippedJobs(t *testing.T) {
	s := gaussianSweep(t, 1)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	open := func(absent string) *Runner {
		r := s.Runner(All)
		r.Store = wantStore(t, path, s.Plan(), All)
		r.Open = func(_ context.Context, j Job) (*targets.Problem, error) {
			if j.ID == absent {
				return nil, fmt.Errorf("no %s: %w", j.ID, fs.ErrNotExist)
			}
			return s.Problem, nil
		}
		return r
	}
	first := s.Plan().Job(0)
	for range 2 { // skipped once more, which is not written again
		r := open(first.ID)
		got, err := r.Run(context.Background())
		if err != nil || len(got) != 12 || got[0].Skipped == "" || got[0].Lanes != nil {
			t.Fatalf("%d outcomes, the first %+v, %v", len(got), got[0], err)
		}
		_ = r.Store.Close()
	}
	if _, all, err := readFile(path); err != nil || len(all) != 12 {
		t.Errorf("%d outcomes in the file, %v", len(all), err)
	}
	known, _, err := ReadKnown([]string{path})
	if err != nil || len(known) != 11 {
		t.Errorf("%d known, %v", len(known), err)
	}
	r := open("")
	fresh := 0
	r.Each = func(_ Job, _ Outcome, f bool) {
		if f {
			fresh++
		}
	}
	got, err := r.Run(context.Background())
	if err != nil || fresh != 1 || got[0].Skipped != "" || len(got[0].Lanes) != 2 {
		t.Errorf("%d were run, the first is %+v, %v", fresh, got[0], err)
	}
	// From another plan's file, by what the sessions are and not by their names.
	s.Repeats = 1
	other := s.Runner(All)
	other.Known = known
	other.Open = func(context.Context, Job) (*targets.Problem, error) { return s.Problem, nil }
	fresh = 0
	other.Each = r.Each
	got, err = other.Run(context.Background())
	if err != nil || fresh != 1 || len(got) != 6 || got[5].ID != "5: eps=0.7 alpha=0.999 seed=3" || got[5].At != 5 {
		t.Errorf("%d were run, %v", fresh, err)
	}
}

// An error ends the run, be it of a deadline that is not the run's, and what was done before
// is in the file.
func TestAFaultKeepsWhatWasDone(t *testing.T) {
	s := gaussianSweep(t, 1)
	path := filepath.Join(t.TempDir(), "r.jsonl")
	r := s.Runner(All)
	r.Store = wantStore(t, path, s.Plan(), All)
	var opened atomic.Int64
	r.Open = func(context.Context, Job) (*targets.Problem, error) {
		if opened.Add(1) == 4 {
			return nil, context.DeadlineExceeded
		}
		return s.Problem, nil
	}
	if _, err := r.Run(context.Background()); err == nil || err.Error() != s.Plan().Job(3).ID+": context deadline exceeded" {
		t.Error(err)
	}
	if _, all, err := readFile(path); err != nil || len(all) != 3 {
		t.Errorf("%d outcomes, %v", len(all), err)
	}
}

// Jobs that ask for the same truth share it, whatever their seeds, and a job on
// the same target that asks for none has none.
func TestJobsShareATruth(t *testing.T) {
	innerlooptest.Skip(t, "truths that are found again")
	all := &Targets{}
	truths := &Truths{Cache: t.TempDir()}
	p, err := all.Open("blr:synthetic", "")
	if err != nil {
		t.Fatal(err)
	}
	open := func(seed uint64, variance float64, truth bool) *targets.Reference {
		l := state.DefaultSetting(p, "sgld").With("prior-var", variance)
		c := state.Config{Target: p.Spec, Lanes: []state.Setting{l}, Seed: seed, Steps: 10}
		if truth {
			c.Truth = state.Truth{Sampler: "hmc", Draws: 4000}
		}
		q, err := truths.On(context.Background(), c, p)
		if err != nil {
			t.Fatal(err)
		}
		return q.Reference
	}
	a, b, other, none := open(1, 1, true), open(2, 1, true), open(1, 10, true), open(1, 1, false)
	if a == nil || a != b || other == nil || other == a || none != nil || p.Reference != nil {
		t.Errorf("truths %p, %p, %p, %p; the target's %p", a, b, other, none, p.Reference)
	}
	if a.Cached || other.PriorVar != 10 {
		t.Errorf("%+v", a)
	}
}

// Options of logistic regression are the job's.
func TestTargetsHeedTheOptions(t *testing.T) {
	all := &Targets{}
	dims := map[targets.Tri]int{}
	for _, tri := range []targets.Tri{targets.Auto, targets.On, targets.Off} {
		for range 2 {
			p, err := all.OpenJob(context.Background(), Job{Config: state.Config{Target: "blr:synthetic", Intercept: tri}})
			if err != nil {
				t.Fatal(err)
			}
			dims[tri] = p.Dim()
		}
	}
	if dims[targets.On] != dims[targets.Off]+1 {
		t.Errorf("dimensions %v", dims)
	}
}

// A runner of what is done runs nothing, and returns what the store and Known have in order.
func TestDoneOnly(t *testing.T) {
	jobs := make([]Job, 4)
	for k := range jobs {
		jobs[k] = Job{ID: fmt.Sprint(k), Config: state.Config{Seed: uint64(k)}}
	}
	known := map[string]Outcome{}
	for _, k := range []int{3, 1} {
		known[jobs[k].Hash()] = Outcome{Job: jobs[k].Hash()}
	}
	r := Runner{Jobs: Plan{Jobs: jobs}.Part(All), Known: known, DoneOnly: true}
	got, err := r.Run(t.Context())
	if err != nil || len(got) != 2 || got[0].ID != "1" || got[1].ID != "3" {
		t.Errorf("%+v, %v", got, err)
	}
}
