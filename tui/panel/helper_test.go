package panel

import (
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/control"
	"github.com/psgld/psgld-tui/tui/control/steer"
	"github.com/psgld/psgld-tui/tui/control/tape"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// strip and tapeBar draw parts that belong to controllers.
var strip, tapeBar = steer.Strip, tape.Draw

// someHints are what the footer of the pictures says.
var someHints = []control.Hint{
	{Keys: []string{"space"}, Does: "pause", Names: []string{"pause"}}, {Keys: []string{"tab"}, Does: "lane"}, {Keys: []string{"←", "→"}, Does: "turn"},
	{Keys: []string{"enter"}, Does: "type"}, {Keys: []string{"t"}, Does: "target"}, {Keys: []string{"s"}, Does: "sampler"}, {Keys: []string{"1", "2", "3", "4", "5"}, Does: "view"},
	{Keys: []string{":"}, Does: "command"}, {Keys: []string{"?"}, Does: "help"}, {Keys: []string{"q"}, Does: "quit", Names: []string{"quit"}},
}

// stripHit says which parameter answers at (x, y) of the plane, and where on its slider.
func stripHit(p *plane.Plane, f *pane.Frame, x, y int) (param int, frac float64, slider, ok bool) {
	z, ok := p.ZoneAt(x, y)
	if !ok || len(z.Click.Args) == 0 {
		return 0, 0, false, false
	}
	for i, q := range f.FocusedParams() {
		if q.Key == z.Click.Args[0] {
			return i, chart.SliderFrac(x-z.Rect.X, z.Rect.W), z.Drag.IsSet(), true
		}
	}
	return 0, 0, false, false
}
