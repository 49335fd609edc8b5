package study

import (
	"context"
	"strings"
	"sync"
	"time"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Pace estimates how long the remaining jobs take, from the jobs of their kind that are
// done. The zero value has none. One goroutine at a time may use a Pace.
type Pace struct{ kinds map[string]*pace }

// pace is how long the jobs of a kind took, and how much of them is left.
type pace struct {
	seconds, amount, done float64
	left, todo            float64 // amount and jobs
}

// kind names the jobs whose time is proportional to their amount of steps, epochs or seconds.
func (j Job) kind() (name string, amount float64) {
	c := j.Config
	parts := append([]string{c.Target, c.Dataset}, list.Map(c.Lanes, func(l state.Setting) string { return l.Sampler })...)
	unit, amount := "seconds", c.Seconds
	switch {
	case c.Steps > 0:
		unit, amount = "steps", float64(c.Steps)
	case c.Epochs > 0:
		unit, amount = "epochs", c.Epochs
	}
	return strings.Join(append(parts, unit), " "), amount
}

func (p *Pace) of(j Job) (k *pace, amount float64) {
	name, amount := j.kind()
	if p.kinds == nil {
		p.kinds = map[string]*pace{}
	}
	if p.kinds[name] == nil {
		p.kinds[name] = &pace{}
	}
	return p.kinds[name], amount
}

// Expect adds so many jobs like j that are to be done.
func (p *Pace) Expect(j Job, jobs int) {
	k, amount := p.of(j)
	k.left, k.todo = k.left+amount*float64(jobs), k.todo+float64(jobs)
}

// Done takes note that an expected job is done.
func (p *Pace) Done(j Job, o Outcome) {
	k, amount := p.of(j)
	k.left, k.todo = k.left-amount, k.todo-1
	if o.Skipped == "" {
		k.seconds, k.amount, k.done = k.seconds+o.Seconds, k.amount+amount, k.done+1
	}
}

// Of is how long a job takes by those of its kind that are done; false where none is.
func (p *Pace) Of(j Job) (time.Duration, bool) {
	k, amount := p.of(j)
	return time.Duration(k.seconds / k.amount * amount * float64(time.Second)), k.amount > 0
}

// Work is the time that all jobs take on one thread, done and left. A job of a kind of which none is done counts with
// the mean of those that are. known is false until the first job is done.
func (p *Pace) Work() (done, left time.Duration, known bool) {
	var seconds, jobs, rest, others float64
	for _, k := range p.kinds {
		seconds, jobs = seconds+k.seconds, jobs+k.done
		if k.amount > 0 {
			rest += k.seconds / k.amount * k.left
		} else {
			others += k.todo
		}
	}
	if jobs == 0 {
		return 0, 0, false
	}
	rest += seconds / jobs * others
	return time.Duration(seconds * float64(time.Second)), time.Duration(rest * float64(time.Second)), true
}

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
