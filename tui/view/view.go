// Package view lists the views of the screen.
package view

import (
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/tool/list"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/sweep"
	"github.com/psgld/psgld-tui/tui/view/weights"
)

// The views, by their places.
const (
	Stage = iota
	Diagnostics
	Learning
	Weights
	Predictions
	Sweep
)

// All returns the views in the order of their numbers. The last one shows a grid.
func All(grid *sweep.Shown) []pane.View {
	return []pane.View{
		Stage:       stage.New(),
		Diagnostics: diagnostics.New(),
		Learning:    learning.New(),
		Weights:     weights.New(),
		Predictions: predictions.New(),
		Sweep:       sweep.New(grid),
	}
}

// Names lists the views' names in that order.
func Names() []string {
	return list.Map(ungridded, func(v pane.View) string { return v.Name })
}

// Lacking is why a view has nothing to show for a target, empty where it has. A grid is none of the reasons.
func Lacking(at int, p *targets.Problem) string { return ungridded[at].Lacking(p) }

var ungridded = All(nil)
