package wording

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
)

// Stopped is what became of a lane that has stopped: it diverged, or there was no gradient.
func Stopped(d *state.Divergence) string {
	if d.Failed != "" {
		return "stopped"
	}
	return "diverged"
}

// Rescue says what the key does that takes a diverged lane back.
func Rescue(p *targets.Problem, v *engine.LaneView) string {
	with := " with half the ε"
	switch factor := state.RescueFactor(p, v.Setting, v.Diverged); {
	case v.Diverged != nil && v.Diverged.Failed != "":
		with = ", and ask again"
	case factor == 1:
		with = " with the new ε"
	case factor < 0.5:
		with = " with the target's own ε"
	}
	return fmt.Sprintf("back %d steps", state.RewindSteps) + with
}
