package view

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
)

// BenchmarkFrame is every view, and what all of them can show, of 200×60 in colour.
func BenchmarkFrame(b *testing.B) {
	for _, scene := range []string{"four", "blr", "mlp"} {
		for _, v := range All(nil)[:5] {
			viewtest.Bench(b, v.Name+" "+scene, viewtest.Frame(scenetest.Of(scene)), v)
		}
	}
	f := viewtest.Frame(scenetest.Of("four"))
	f.Pane, f.Cross = "covariance error", pane.Cross{AxisX: pane.Progress, X: 4000}
	viewtest.Bench(b, "Diagnostics values", f, diagnostics.New())
}
