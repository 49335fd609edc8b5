package panel

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/view/stage"
)

func picture(f pane.Frame, v pane.View, w, h int) string {
	p := plane.NewPlane(w, h)
	p.ASCII = f.Theme.ASCII
	Screen(p, v, f, someHints)
	return p.RenderPlain()
}

// TestCompactPictures are screens without room for a pane.
func TestCompactPictures(t *testing.T) {
	f := frameOf(scenes.Of("tweaked"))
	golden.Text(t, "tweaked-Stage-10x3", picture(f, stage.New(), 10, 3))
	golden.Text(t, "tweaked-Stage-1x1", picture(f, stage.New(), 1, 1))
}

var frameOf = viewtest.Frame
