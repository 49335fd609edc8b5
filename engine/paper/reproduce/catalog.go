// Package reproduce makes the report of the experiments that are asked for.
package reproduce

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/network"
	"github.com/psgld/psgld-tui/engine/paper/regression"
	"github.com/psgld/psgld-tui/engine/paper/simulation"
	"github.com/psgld/psgld-tui/engine/paper/theory"
	"github.com/psgld/psgld-tui/targets"
)

// Experiments lists all of them in the paper's order, and then the theory's. To
// add one, write its file and name it in its group.
func Experiments() []paper.Experiment {
	return slices.Concat(simulation.Experiments(), regression.Experiments(), network.Experiments(), theory.Experiments())
}

// Find returns the experiment of an ID.
func Find(id string) (paper.Experiment, error) {
	var ids []string
	for _, e := range Experiments() {
		if e.ID == id {
			return e, nil
		}
		ids = append(ids, e.ID)
	}
	hint := ""
	if near, ok := targets.Nearest(id, ids); ok {
		hint = fmt.Sprintf(" (did you mean %q?)", near)
	}
	return paper.Experiment{}, fmt.Errorf("unknown experiment %q%s; see reproduce list", id, hint)
}
