package experiment

import (
	"fmt"
	"slices"

	"github.com/psgld/psgld-tui/targets"
)

// Experiments lists all of them in the paper's order, and then the theory's. To
// add one, write its file and name it in its group.
func Experiments() []Experiment {
	return slices.Concat(simulations(), regressions(), networks(), theories())
}

// FindExperiment returns the experiment of an ID.
func FindExperiment(id string) (Experiment, error) {
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
	return Experiment{}, fmt.Errorf("unknown experiment %q%s; see reproduce list", id, hint)
}
