package paper

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/sampler"
	"github.com/psgld/psgld-tui/targets"
)

// set is what a lane's values differ in from its sampler's defaults on a target,
// by key; "lr" is h.
type Values map[string]float64

// keyLR stands for h = εN/2 in a set.
const KeyLR = "lr"

// lane is a sampler's lane with values of its own.
func Lane(p *targets.Problem, name string, s sampler.Schedule, values Values) engine.Lane {
	l := engine.DefaultLane(p, name)
	l.Schedule = s
	for key, v := range values {
		if key == KeyLR {
			key, v = sampler.KeyEps, engine.EpsOfLR(v, p.N())
		}
		if !l.Has(key) {
			panic(fmt.Sprintf("paper: %s has no %s", name, key))
		}
		l.Values[key] = v // DefaultLane made the map
	}
	return l
}

// session is the config of lanes on an opened target.
func Session(p *targets.Problem, seed uint64, lanes ...engine.Lane) engine.Config {
	return engine.Config{Target: p.Spec, Dataset: p.Dataset, Lanes: lanes, Seed: seed, Init: "random"}
}

// halving is the schedule that halves the step size after so many epochs.
func Halving(epochs float64) sampler.Schedule {
	return sampler.Schedule{Kind: "halve", Every: epochs, Epochs: true}
}

// repeats is the number of seeds that o asks for, or that of the experiment.
func (o Options) RepeatsOr(usual int) int {
	if o.Repeats > 0 {
		return o.Repeats
	}
	return usual
}
