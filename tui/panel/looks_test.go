package panel

import (
	"fmt"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/frames"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// viewFrames are frames in which each of the views has all that it can show.
func viewFrames() []pane.Frame {
	gaussian, network := frameOf(scenes.Of("tweaked")), frameOf(scenes.Of("mlp"))
	return []pane.Frame{gaussian, gaussian, network, network, network, gaussian}
}

// inLooks writes a screen down with its styles in each of the looks.
func inLooks(f pane.Frame, v pane.View, w, h int, looks ...theme.Look) string {
	var drawn []string
	for _, l := range looks {
		f.Theme = theme.Of(l)
		p := plane.NewPlane(w, h)
		Screen(p, v, f, someHints)
		drawn = append(drawn, p.Render())
	}
	return frames.Notation(w, h, drawn...)
}

// Every view at the sizes that the design names, in the colours of a dark and of a
// light background, and without colour.
func TestViewsInEveryLook(t *testing.T) {
	for i, f := range viewFrames() {
		for _, size := range goldenSizes {
			v := Views(&sweepFrameOf("tweaked", 41).Grid)[i]
			golden.Text(t, fmt.Sprintf("view-%s-%dx%d", v.Name, size[0], size[1]),
				inLooks(f, v, size[0], size[1], theme.Look{Dark: true}, theme.Look{}, theme.Look{NoColor: true}))
		}
	}
}
