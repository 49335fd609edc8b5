package study

import (
	"context"
	"strings"
	"sync"
	"time"
)

// A budget chooses jobs by what their outcomes are worth, until its time is over.
type budget struct {
	r *Runner

	mu    sync.Mutex
	known []int // places of jobs that need no run
	todo  []int
	seeds map[string]int // of each row, done or begun
}

func newBudget(r *Runner) *budget {
	b := &budget{r: r, seeds: map[string]int{}}
	for k := range r.Jobs.Len() {
		if j := r.Jobs.Job(k); r.has(j) {
			b.known = append(b.known, k)
			b.seeds[j.row()]++
		} else {
			b.todo = append(b.todo, k)
		}
	}
	return b
}

// has reports whether the job's outcome is there.
func (r *Runner) has(j Job) bool {
	if r.Store != nil {
		if o, ok := r.Store.Done(j); ok && o.Skipped == "" {
			return true
		}
	}
	known, ok := r.Known[j.Hash()]
	return ok && !known.Outdated(j)
}

// row is what the job's repeats over seeds have in common: its ID without the seed.
func (j Job) row() string {
	before, _, _ := strings.Cut(j.ID, " seed=")
	return before
}

// worth ranks a row with so many seeds, the most worth first: a second seed says how far a verdict can be trusted,
// then a first says something at all.
func worth(seeds int) int { return [...]int{1, 0, 2}[min(seeds, 2)] }

// next is a Runner's Next.
func (b *budget) next(ctx context.Context) (k int, ok bool) {
	b.mu.Lock()
	defer b.mu.Unlock()
	if len(b.known) > 0 {
		k, b.known = b.known[0], b.known[1:]
		return k, true
	}
	best, at := 0, -1
	for i, k := range b.todo {
		j := b.r.Jobs.Job(k)
		rank := worth(b.seeds[j.row()])
		if at >= 0 && rank >= best {
			continue
		}
		if b.fits(ctx, j) {
			best, at = rank, i
		}
	}
	if at < 0 || ctx.Err() != nil {
		return 0, false
	}
	k = b.todo[at]
	b.todo = append(b.todo[:at], b.todo[at+1:]...)
	b.seeds[b.r.Jobs.Job(k).row()]++
	return k, true
}

// fits reports whether a job ends before ctx does, as far as that is known.
func (b *budget) fits(ctx context.Context, j Job) bool {
	end, bound := ctx.Deadline()
	if !bound || b.r.Estimate == nil {
		return true
	}
	takes, known := b.r.Estimate(j)
	return !known || takes <= time.Until(end)
}
