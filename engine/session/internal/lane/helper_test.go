package lane

import (
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session/internal/record"
	"github.com/psgld/psgld-tui/engine/session/internal/sessiontest"
	"github.com/psgld/psgld-tui/targets"
)

var open, config = sessiontest.Open, sessiontest.Config

// oneLane makes the lane of a setting.
func oneLane(t testing.TB, c engine.Config, set engine.Setting, p *targets.Problem) Runner {
	t.Helper()
	plan := Plan{Config: c, Problem: p, Setting: set, Asked: record.Asked{Poke: func() {}}}
	if err := plan.Prepare(); err != nil {
		t.Fatal(err)
	}
	return New(plan)
}
