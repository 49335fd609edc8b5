package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/sweep"
)

// BenchmarkFrame is a whole screen of 200×60 in colour, down to the string for the
// terminal, in every view and in all that a view can show. The budget is 4 ms.
// Together with tui's benchmark of the same name it lists every kind of frame.
func BenchmarkFrame(b *testing.B) {
	grid := new(sweep.Shown)
	run := func(name string, view int, f pane.Frame) {
		b.Run(strings.ReplaceAll(name, " ", "-"), func(b *testing.B) {
			l := f.Theme.Look
			l.Dark, l.NoColor = true, false
			f.Theme, f.Panes, f.Params = theme.Of(l), new(pane.Panes), pane.Params(f)
			p, v := plane.NewPlane(200, 60), Views(grid)[view]
			Screen(p, v, f, someHints)
			b.ReportAllocs()
			for b.Loop() {
				Screen(p, v, f, someHints)
				_ = p.Render()
			}
		})
	}
	for _, scene := range []string{"four", "blr", "mlp"} {
		for k, v := range Views(nil)[:5] {
			run(v.Name+" "+scene, k, frameOf(scenes.Of(scene)))
		}
	}
	for _, n := range []int{41, 1000} {
		f := sweepFrameOf("four", n)
		*grid = f.Grid
		run("Sweep "+map[int]string{41: "four", 1000: "thousand"}[n], 5, f.Frame)
	}
	for _, c := range append(stageShots(), stageShot{"four-overlay", func() *engine.Snapshot { return scenes.Of("four") }, true}) {
		f := frameOf(c.snap())
		f.Overlay = c.overlay
		run("Stage "+c.name, 0, f)
	}
	four := frameOf(scenes.Of("four"))
	f := four
	f.Projector = true
	f.Theme = theme.Of(theme.Look{Dark: true, Thick: true})
	run("Stage projector", 0, f)
	f = four
	f.Pane, f.Full = "lane A", true
	run("Stage one pane", 0, f)
	f = four
	f.Pane, f.Cross = "lane A", pane.Cross{AxisX: pane.CoordX, AxisY: pane.CoordY, X: 0.5, Y: 0.5}
	run("Stage values", 0, f)
	f = four
	f.Pane, f.Cross = "covariance error", pane.Cross{AxisX: pane.Progress, X: 4000}
	run("Diagnostics values", 1, f)
	f = frameOf(scenes.Of("tweaked"))
	f.Card = pane.CardOver
	run("Stage card", 0, f)
	run("Stage tape", 0, taped())
	f = frameOf(shiftedScene(targets.ShiftRotate, 90))
	f.Browse = true
	run("Predictions shift", 4, f)
}
