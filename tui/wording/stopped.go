package wording

import (
	"fmt"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/state"
)

// Stopped is what became of a lane that has stopped: it diverged, or there was no gradient.
func Stopped(d *state.Divergence) string {
	if d.Failed != "" {
		return "stopped"
	}
	return "diverged"
}

// Rescue says what the key does that takes a diverged lane back.
func Rescue(v *engine.LaneView) string {
	with := " with half the ε"
	switch {
	case v.Diverged != nil && v.Diverged.Failed != "":
		with = ", and ask again"
	case state.RescueFactor(v.Setting, v.Diverged) == 1:
		with = " with the new ε"
	}
	return fmt.Sprintf("back %d steps", state.RewindSteps) + with
}
