package lane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// open opens a target or fails the test.
func open(t testing.TB, spec string) *targets.Problem {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// config makes a config of lanes with default settings but for the
// values given.
func config(p *targets.Problem, steps uint64, values map[string]float64, samplers ...string) engine.Config {
	c := engine.Config{Target: p.Spec, Seed: 1, Init: "random", Steps: steps}
	for _, name := range samplers {
		l := engine.DefaultLane(p, name)
		for k, v := range values {
			if l.Has(k) {
				l = l.With(k, v)
			}
		}
		c.Lanes = append(c.Lanes, l)
	}
	return c
}

// oneLane makes the lane of a setting.
func oneLane(t testing.TB, c engine.Config, set engine.Lane, p *targets.Problem) Runner {
	t.Helper()
	plan := Plan{Config: c, Problem: p, Setting: set, Poke: func() {}}
	if err := plan.Prepare(); err != nil {
		t.Fatal(err)
	}
	return New(plan)
}
