package study

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/nets/tool/alloctest"
)

// namedJobs are jobs that differ in their names alone.
func namedJobs(n int) Plan {
	p := Plan{Name: "some"}
	for i := range n {
		p.Jobs = append(p.Jobs, Job{ID: string(rune('a' + i))})
	}
	return p
}

// The shards of a plan have every job once, and no two shards differ by more than
// one job.
func TestPartsAreAPartition(t *testing.T) {
	for jobs := range 12 {
		p := namedJobs(jobs)
		for n := 1; n < 15; n++ {
			seen := map[string]int{}
			for i := 1; i <= n; i++ {
				part := p.Part(Shard{i, n})
				if d := part.Len()*n - jobs; d <= -n || d >= n {
					t.Errorf("shard %d/%d of %d jobs has %d", i, n, jobs, part.Len())
				}
				for k := range part.Len() {
					j := part.Job(k)
					seen[j.ID]++
					if p.Jobs[j.at].ID != j.ID || j.at%n != i-1 {
						t.Errorf("job %s of shard %d/%d is at %d", j.ID, i, n, j.at)
					}
				}
			}
			for _, j := range p.Jobs {
				if seen[j.ID] != 1 {
					t.Errorf("%d jobs, %d shards: %s is there %d times", jobs, n, j.ID, seen[j.ID])
				}
			}
		}
	}
}

// A hash tells what a session depends on from what it is called.
func TestHashes(t *testing.T) {
	s := gaussianSweep(t, 1)
	p := s.Plan()
	a, b := p.Job(0), p.Job(1)
	if a.Hash() == b.Hash() {
		t.Error("two seeds have the same hash")
	}
	c := a
	c.ID = "another"
	if c.Hash() != a.Hash() {
		t.Error("the name is in the hash")
	}
	c.Keep.Curves = true
	if c.Hash() == a.Hash() {
		t.Error("what is kept is not in the hash")
	}
	other := gaussianSweep(t, 1)
	if other.Plan().Hash() != p.Hash() {
		t.Error("the same sweep has two hashes")
	}
	other.Grid[1].Values[0] = 0.8
	if other.Plan().Hash() == p.Hash() {
		t.Error("another value does not change the hash")
	}
}

// A large sweep's plan costs nothing before its jobs are asked for.
func TestALargePlanIsMadeJobByJob(t *testing.T) {
	s := gaussianSweep(t, 1)
	s.Repeats = MaxCells / s.Grid.Size()
	var part Part
	allocs := alloctest.PerRun(10, func() { part = s.Plan().Part(All) })
	if allocs > 10 || part.Len() < MaxCells-6 {
		t.Errorf("%g allocations for %d jobs", allocs, part.Len())
	}
	if id := part.Job(part.Len() - 1).ID; !strings.HasPrefix(id, "99995: eps=0.7 alpha=0.999 seed=") {
		t.Errorf("the last job is %q", id)
	}
}

func TestParseShard(t *testing.T) {
	for text, want := range map[string]Shard{"1/1": {1, 1}, "3/8": {3, 8}, "100000/100000": {100_000, 100_000}, "03/8": {3, 8}} {
		if s, err := ParseShard(text); err != nil || s != want {
			t.Errorf("%q is %v, %v", text, s, err)
		}
	}
	for _, text := range []string{"", "1", "/", "1/", "/1", "0/1", "3/2", "-1/2", "+1/2", "1/2/3", "1/2 ", " 1/2", "1 /2", "a/b", "1/100001", "1e0/2", "99999999999999999999/1"} {
		if s, err := ParseShard(text); err == nil || !strings.HasPrefix(err.Error(), "must be i/n with 1 ≤ i ≤ n ≤ 100000, got ") {
			t.Errorf("%q is %v, %v", text, s, err)
		}
	}
}

// FuzzShard feeds shards: an error, or a shard that is written as it was read.
func FuzzShard(f *testing.F) {
	for _, s := range []string{"1/1", "3/8", "3/2", "0/0", "1/", "007/8", "１/２"} {
		f.Add(s)
	}
	f.Fuzz(func(t *testing.T, text string) {
		s, err := ParseShard(text)
		if err != nil {
			if s != (Shard{}) || strings.Contains(err.Error(), "\n") {
				t.Errorf("%q: %v with %q", text, s, err)
			}
			return
		}
		if s.I < 1 || s.I > s.N || s.N > MaxCells {
			t.Errorf("%q is %v", text, s)
		}
		if again, err := ParseShard(s.String()); err != nil || again != s {
			t.Errorf("%q is %v, then %v, %v", text, s, again, err)
		}
	})
}
