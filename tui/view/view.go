// Package view lists the views of the screen.
package view

import (
	"github.com/psgld/psgld-tui/targets/list"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/sweep"
	"github.com/psgld/psgld-tui/tui/view/weights"
)

// All returns the views in the order of their numbers. The last one shows a grid.
func All(grid *sweep.Shown) []pane.View {
	return []pane.View{stage.New(), diagnostics.New(), learning.New(), weights.New(), predictions.New(), sweep.New(grid)}
}

// Names lists the views' names in that order.
func Names() []string {
	return list.Map(All(nil), func(v pane.View) string { return v.Name })
}
