// Package sessiontest has what tests of sessions and of their lanes begin with.
package sessiontest

import (
	"os"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
)

// Open opens a target, with the data of PSGLD_DATA, or fails the test.
func Open(t testing.TB, spec string) *targets.Problem {
	t.Helper()
	p, err := targets.Open(spec, targets.Options{DataDir: os.Getenv("PSGLD_DATA")})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Config makes a session's config of lanes with default settings but for the values given.
func Config(p *targets.Problem, steps uint64, values map[string]float64, samplers ...string) engine.Config {
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
