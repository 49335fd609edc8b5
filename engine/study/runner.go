package study

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io/fs"
	"runtime"
	"sync"
	"sync/atomic"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/tool/caught"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
)

// A Runner runs a part of a plan, each job on one thread and as many at a time as there are threads.
type Runner struct {
	Jobs    Part
	Threads int // 0 for all cores
	// Open opens a job's target, with its reference if the job asks for one. A job
	// whose data are Absent is skipped. Several goroutines call Open.
	Open func(context.Context, Job) (*targets.Problem, error)
	// Command writes the command line that gives the job's digits; nil to keep none.
	Command func(Job, *targets.Problem) string
	// Sink makes the sink of a job's kept draws; nil for none.
	Sink  func(Job) engine.Sink
	Store *Store // nil to keep the outcomes in memory alone
	// Predictions takes those of jobs that keep them, be they run or known; nil to keep none.
	Predictions *Predictions
	// Known are outcomes of earlier runs, by their jobs' hashes. These jobs are not
	// run again, but for those whose digits have changed since.
	Known map[string]Outcome
	// DoneOnly runs nothing: the outcomes are those that the store or Known has, also those that are Outdated.
	DoneOnly bool
	// Each is called after every job, one at a time; nil for nobody. A job is fresh if it was run now and not before.
	Each func(j Job, o Outcome, fresh bool)
	// Next chooses the job that a thread runs next, by its place in Jobs, and reports
	// whether there is one. It may wait until ctx ends. Without it the jobs run in order.
	Next func(ctx context.Context) (k int, ok bool)

	// For is how long jobs run at most; 0 for no end. The jobs that are worth more (worth) come first. A job
	// that would take longer than what is left of it is not begun, and one that does so nevertheless is given up.
	For time.Duration
	// Estimate is how long a job takes, and whether that is known; nil for no job.
	Estimate func(Job) (time.Duration, bool)

	running atomic.Int32

	mu sync.Mutex
}

// Running is how many sessions run now. Any goroutine may ask.
func (r *Runner) Running() int { return int(r.running.Load()) }

// Run runs the jobs that the store does not have, and returns the outcomes of all jobs
// in order. If ctx ends first, it returns those that are whole. The error is that of the
// first job or write that failed; what was done before it is in the store.
func (r *Runner) Run(ctx context.Context) ([]Outcome, error) {
	ctx, stop := context.WithCancel(ctx)
	defer stop()
	all := make([]*Outcome, r.Jobs.Len())
	threads := cmp.Or(r.Threads, runtime.GOMAXPROCS(0))
	next := r.Next
	if r.For > 0 {
		var over context.CancelFunc
		ctx, over = context.WithTimeout(ctx, r.For)
		defer over()
		next = newBudget(r).next
	}
	if next == nil {
		var taken atomic.Int64
		next = func(context.Context) (int, bool) {
			k := int(taken.Add(1) - 1)
			return k, k < len(all)
		}
	}
	var (
		wg    sync.WaitGroup
		once  sync.Once
		fault error
	)
	for range min(threads, len(all)) {
		wg.Go(func() {
			for ctx.Err() == nil {
				k, ok := next(ctx)
				if !ok {
					return
				}
				j := r.Jobs.Job(k)
				var o Outcome
				var err error
				if panicked := caught.In(j.ID, func() { o, err = r.one(ctx, j) }); panicked != nil {
					err = panicked // whoever has a terminal can restore it
				}
				if errors.Is(err, errNotDone) {
					continue
				}
				if err != nil {
					if cause := ctx.Err(); cause == nil || !errors.Is(err, cause) { // another deadline is a fault
						once.Do(func() { fault = err })
						stop()
					}
					return
				}
				all[k] = &o
			}
		})
	}
	wg.Wait()
	if r.Store != nil && fault == nil {
		fault = r.Store.Stay()
	}
	if fault != nil {
		return nil, fault
	}
	ran := list.Filter(all, func(o *Outcome) bool { return o != nil })
	return list.Map(ran, func(o *Outcome) Outcome { return *o }), nil
}

// errNotDone is the error of a job that is not to be run now.
var errNotDone = errors.New("the job is not done")

// one returns the outcome of a job: from the store, from Known, or of its session.
func (r *Runner) one(ctx context.Context, j Job) (o Outcome, err error) {
	kept := false
	if r.Store != nil {
		o, kept = r.Store.Done(j)
	}
	fresh := !kept || o.Skipped != "" // a skipped job's data may be here by now
	if !fresh && r.predicts(j) {
		if err := r.Predictions.Take(o); err != nil {
			return o, err
		}
	}
	if fresh {
		before := o
		if o, fresh, err = r.job(ctx, j); err != nil {
			return o, err
		}
		if r.Store != nil && (!kept || o.Skipped != before.Skipped) && !o.Outdated(j) {
			if err := r.Store.Add(o); err != nil {
				return o, err
			}
		}
	}
	if r.Each != nil {
		r.mu.Lock()
		defer r.mu.Unlock()
		r.Each(j, o, fresh)
	}
	return o, nil
}

// job runs one session, unless its outcome is known.
func (r *Runner) job(ctx context.Context, j Job) (o Outcome, fresh bool, err error) {
	o = Outcome{ID: j.ID, At: j.at, Job: j.Hash()}
	known, isKnown := r.Known[o.Job]
	isKnown = isKnown && (r.DoneOnly || !known.Outdated(j))
	known.ID, known.At = o.ID, o.At
	if isKnown {
		if err := known.fits(j); err != nil {
			return o, false, err
		}
	}
	if isKnown && r.predicts(j) {
		if err := r.Predictions.Take(known); err != nil {
			return o, false, err
		}
	}
	if isKnown {
		return known, false, nil
	}
	if r.DoneOnly {
		return o, false, errNotDone
	}
	p, err := r.Open(ctx, j)
	if err != nil {
		if Absent(err) {
			o.Skipped = err.Error()
			return o, true, nil
		}
		return o, true, fmt.Errorf("%s: %w", j.ID, err)
	}
	if r.Command != nil {
		o.Command = r.Command(j, p)
	}
	r.running.Add(1)
	defer r.running.Add(-1)
	start := time.Now()
	rt := session.Runtime{Threads: 1, Parts: r.predicts(j)}
	if r.Sink != nil {
		rt.Sink = func(engine.ChainID, *targets.Problem, state.Setting) (engine.Sink, error) { return r.Sink(j), nil }
	}
	s, err := session.New(j.Config, p, rt)
	if err != nil {
		return o, true, fmt.Errorf("%s: %w", j.ID, err)
	}
	if j.Keep.Weights {
		s.Send(state.Watch{Y: 1, Weights: true})
	}
	if err := play(ctx, j.ID, s); err != nil {
		return o, true, err
	}
	o.Seconds = time.Since(start).Seconds()
	if o.Lanes = trim(s.Result("").Lanes); engine.Failure(o.Lanes) != nil {
		return o, true, fmt.Errorf("%s: %w", j.ID, engine.Failure(o.Lanes))
	}
	if j.Keep != (Keep{}) {
		o.keep(j.Keep, s.Snapshot())
	}
	if k := s.Predicted()[0]; k != nil && r.predicts(j) {
		// Before the outcome: of a job that is done they are there.
		if err := r.Predictions.Keep(o, k); err != nil {
			return o, true, err
		}
	}
	return o, true, nil
}

// play runs the session of a job. Where ctx ends it is given up at once: a step, or the evaluation
// of its draws, may take seconds more.
func play(ctx context.Context, id string, s *session.Session) error {
	ended := make(chan error, 1)
	go func() {
		var err error
		switch p := caught.In(id, func() { err = s.Run(ctx) }); {
		case p != nil:
			err = p
		case err != nil:
			err = fmt.Errorf("%s: %w", id, err)
		}
		ended <- err
	}()
	select {
	case err := <-ended:
		return err
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Outdated is how many jobs are known with digits that have changed since: they are run again.
func (r *Runner) Outdated() int {
	if len(r.Known) == 0 {
		return 0
	}
	return outdated(r.Jobs, func(j Job) int { return r.Known[j.Hash()].numerics })
}

// predicts reports whether a job's predictions are kept.
func (r *Runner) predicts(j Job) bool { return r.Predictions != nil && j.Keep.Predictions }

// Targets opens each target once, and reads the images of networks once for all of them. Several goroutines may use it.
type Targets struct {
	Options targets.Options

	mu     sync.Mutex
	have   map[opened]*targets.Problem
	images targets.Images
}

// opened is what a target was opened with.
type opened struct {
	spec, dataset          string
	standardize, intercept targets.Tri
}

// Open opens the target of a spec and a data set. The latter is "" for none or the usual one.
func (t *Targets) Open(spec, dataset string) (*targets.Problem, error) {
	return t.open(opened{spec, dataset, t.Options.Standardize, t.Options.Intercept})
}

// OpenJob is a Runner's Open, for jobs without a truth.
func (t *Targets) OpenJob(_ context.Context, j Job) (*targets.Problem, error) {
	c := j.Config
	return t.open(opened{c.Target, c.Dataset, c.Standardize, c.Intercept})
}

func (t *Targets) open(with opened) (*targets.Problem, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if p, ok := t.have[with]; ok {
		return p, nil
	}
	o := t.Options
	o.Images, o.Standardize, o.Intercept = &t.images, with.standardize, with.intercept
	if with.dataset != "" {
		o.Dataset = with.dataset
	}
	p, err := targets.Open(with.spec, o)
	if err != nil {
		return nil, err
	}
	if t.have == nil {
		t.have = map[opened]*targets.Problem{}
	}
	t.have[with] = p
	return p, nil
}

// Absent reports whether an error is that of data that are not here.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }

// truthSeed is the seed of every truth, whatever the session's own: the repeats of a
// session are held to the same truth.
const truthSeed = 1

// Truths finds the truths that sessions are held to, each once. Several goroutines may use it.
type Truths struct {
	Cache   string // the folder of truths found before; empty for none
	Threads int    // chains at a time; 0 for all cores

	have sync.Map // of a *foundTruth, by what it depends on
}

// foundTruth is a truth that is being looked for, or was found.
type foundTruth struct {
	mu   sync.Mutex
	ref  *targets.Reference
	note TruthNote
}

// Of returns the truth that a config asks for on its opened target; nil if it asks for none. If the truth is not known
// yet, started is called before it is looked for; it may be nil. The error may be a *TruthFault.
func (t *Truths) Of(ctx context.Context, c state.Config, p *targets.Problem, started func(*Truth)) (
	ref *targets.Reference, note TruthNote, err error,
) {
	if !c.Truth.Wanted() {
		return nil, note, nil
	}
	prior := fmt.Sprint(c.PriorVar(p)) // NaN without data
	key := hashOf([]any{c.Target, c.Dataset, c.Standardize, c.Intercept, c.Truth, prior})
	known, _ := t.have.LoadOrStore(key, &foundTruth{})
	f := known.(*foundTruth)
	f.mu.Lock() // the others wait for the first
	defer f.mu.Unlock()
	if f.ref == nil {
		c.Seed = truthSeed
		look := &Truth{Config: c, Problem: p, Threads: t.Threads, Cache: t.Cache}
		if started != nil {
			started(look)
		}
		if f.ref, f.note, err = look.Run(ctx); err != nil {
			f.ref = nil
			return nil, note, err
		}
	}
	return f.ref, f.note, nil
}

// On is a target with the truth that a config asks for, or as it is. With nil Truths it has none.
func (t *Truths) On(ctx context.Context, c state.Config, p *targets.Problem) (*targets.Problem, error) {
	if t == nil || !c.Truth.Wanted() {
		return p, nil
	}
	ref, _, err := t.Of(ctx, c, p, nil)
	if err != nil {
		return nil, err
	}
	q := *p // others sample the same target without it
	q.Hold(ref)
	return &q, nil
}
