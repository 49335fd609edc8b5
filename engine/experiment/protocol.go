package experiment

import (
	"errors"
	"fmt"
	"io/fs"
	"sync"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// set is what a lane's values differ in from its sampler's defaults on a target,
// by key; "lr" is h.
type set map[string]float64

// keyLR stands for h = εN/2 in a set.
const keyLR = "lr"

// lane is a sampler's lane with values of its own.
func lane(p *targets.Problem, name string, s sampler.Schedule, values set) engine.Lane {
	l := engine.DefaultLane(p, name)
	l.Schedule = s
	for key, v := range values {
		if key == keyLR {
			key, v = sampler.KeyEps, engine.EpsOfLR(v, p.N())
		}
		if !l.Has(key) {
			panic(fmt.Sprintf("experiment: %s has no %s", name, key))
		}
		l.Values[key] = v // DefaultLane made the map
	}
	return l
}

// session is the config of lanes on an opened target.
func session(p *targets.Problem, seed uint64, lanes ...engine.Lane) engine.Config {
	return engine.Config{Target: p.Spec, Dataset: p.Dataset, Lanes: lanes, Seed: seed, Init: "random"}
}

// halving is the schedule that halves the step size after so many epochs.
func halving(epochs float64) sampler.Schedule {
	return sampler.Schedule{Kind: "halve", Every: epochs, Epochs: true}
}

// repeats is the number of seeds that o asks for, or that of the experiment.
func (o Options) repeats(usual int) int {
	if o.Repeats > 0 {
		return o.Repeats
	}
	return usual
}

// Targets opens each target once, and the images of networks once for all of
// them. It may be used by several goroutines.
type Targets struct {
	Options targets.Options

	mu     sync.Mutex
	have   map[string]*targets.Problem
	images targets.Images
}

// Open opens the target of a spec and a dataset, "" for none or the usual one.
func (t *Targets) Open(spec, dataset string) (*targets.Problem, error) {
	t.mu.Lock()
	defer t.mu.Unlock()
	key := spec + " " + dataset
	if p, ok := t.have[key]; ok {
		return p, nil
	}
	o := t.Options
	o.Images = &t.images
	if dataset != "" {
		o.Dataset = dataset
	}
	p, err := targets.Open(spec, o)
	if err != nil {
		return nil, err
	}
	if t.have == nil {
		t.have = map[string]*targets.Problem{}
	}
	t.have[key] = p
	return p, nil
}

// OrElse opens a target, or the one that stands in for it where its data are not
// here.
func (t *Targets) OrElse(spec, instead string) (*targets.Problem, error) {
	p, err := t.Open(spec, "")
	if err != nil && Absent(err) {
		return t.Open(instead, "")
	}
	return p, err
}

// Absent reports whether an error is that of data that are not here.
func Absent(err error) bool { return errors.Is(err, fs.ErrNotExist) }
