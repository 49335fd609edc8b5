// Package sessiontest has what tests of sessions and of their lanes begin with.
package sessiontest

import (
	"os"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Open opens a target, or fails the test. A network learns the digits that the program draws, which are fewer than
// MNIST's; other targets have the data of PSGLD_DATA.
func Open(t testing.TB, spec string) *targets.Problem {
	t.Helper()
	o := targets.Options{DataDir: os.Getenv("PSGLD_DATA")}
	if strings.HasPrefix(spec, "mlp:") {
		o = targets.Options{Dataset: "strokes"}
	}
	p, err := targets.Open(spec, o)
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// Config makes a session's config of lanes with default settings but for the values given.
func Config(p *targets.Problem, steps uint64, values map[string]float64, samplers ...string) state.Config {
	c := state.Config{Target: p.Spec, Seed: 1, Init: "random", Steps: steps}
	for _, name := range samplers {
		l := state.DefaultSetting(p, name)
		for k, v := range values {
			if l.Has(k) {
				l = l.With(k, v)
			}
		}
		c.Lanes = append(c.Lanes, l)
	}
	return c
}
