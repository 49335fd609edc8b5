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

// Experiments lists all experiments: the paper's in its order, then those on its theory.
func Experiments() []paper.Experiment {
	return slices.Concat(simulation.Experiments(), regression.Experiments(), network.Experiments(), theory.Experiments())
}

// Find returns the experiment of an ID. The error is *Unknown.
func Find(id string) (paper.Experiment, error) {
	var ids []string
	for _, e := range Experiments() {
		if e.ID == id {
			return e, nil
		}
		ids = append(ids, e.ID)
	}
	near, _ := targets.Nearest(id, ids)
	return paper.Experiment{}, &Unknown{id, near}
}

// Unknown is the error for an ID that no experiment has. Near is an ID that is spelt much
// alike, "" if there is none.
type Unknown struct{ ID, Near string }

func (u *Unknown) Error() string {
	if u.Near != "" {
		return fmt.Sprintf("unknown experiment %q (did you mean %q?)", u.ID, u.Near)
	}
	return fmt.Sprintf("unknown experiment %q", u.ID)
}
