package study

import (
	"context"
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

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
func (t *Truths) Of(ctx context.Context, c state.Config, p *targets.Problem, started func(*Truth)) (ref *targets.Reference, note TruthNote, err error) {
	if !c.Truth.Wanted() {
		return nil, note, nil
	}
	key := hashOf([]any{c.Target, c.Dataset, c.Standardize, c.Intercept, c.Truth, fmt.Sprint(c.PriorVar(p))}) // NaN without data
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
