package study

import (
	"errors"
	"io/fs"
	"sync"

	"github.com/psgld/psgld-tui/targets"
)

// Targets opens each target once, and reads the images of networks once for all of them.
// Several goroutines may use it.
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

// Open opens the target of a spec and a data set. The latter is "" for none or the usual
// one.
func (t *Targets) Open(spec, dataset string) (*targets.Problem, error) {
	return t.open(opened{spec, dataset, t.Options.Standardize, t.Options.Intercept})
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

// OrElse opens a target or, if its data are absent, the one that stands in for it.
func (t *Targets) OrElse(spec, instead string) (*targets.Problem, error) {
	p, err := t.Open(spec, "")
	if err != nil && Absent(err) {
		return t.Open(instead, "")
	}
	return p, err
}

// Absent reports whether an error is that of data that are not here.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
