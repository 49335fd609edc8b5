package panel

import (
	"fmt"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/internal/golden"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/weights"
	"github.com/psgld/psgld-tui/tui/wording"
)

func picture(f pane.Frame, v pane.View, w, h int) string {
	p := plane.NewPlane(w, h)
	p.ASCII = f.Theme.ASCII
	Screen(p, v, f, someHints)
	return p.RenderPlain()
}

// Every view of a target without data and of one with data, at the sizes that
// the design names, and the lanes' special states.
func TestPictures(t *testing.T) {
	snaps := map[string]*engine.Snapshot{}
	for _, s := range scenes.All() {
		snaps[s.Name] = s.Snap()
	}
	type shot struct {
		scene string
		view  int
		w, h  int
	}
	var shots []shot
	for _, size := range goldenSizes { // what TestViewsInEveryLook does not show
		for scene, views := range map[string][]int{"tweaked": {2, 3, 4}, "blr": {0, 1, 2, 3, 4}, "mlp": {0, 1}} {
			for _, view := range views {
				shots = append(shots, shot{scene, view, size[0], size[1]})
			}
		}
	}
	shots = append(shots, []shot{
		{"diverged", 1, 120, 36},
		{"early", 0, 80, 24}, {"early", 1, 120, 36}, {"burning", 0, 80, 24}, {"burning", 2, 120, 36},
		{"four", 0, 80, 24}, {"four", 0, 120, 36}, {"four", 1, 120, 36}, {"three", 0, 120, 36},
		{"one", 0, 120, 36}, {"one", 0, 200, 60},
		{"tweaked", 0, 40, 12}, {"tweaked", 0, 10, 3}, {"tweaked", 0, 1, 1}, {"four", 0, 60, 20}, {"diverged", 0, 40, 12},
		{"blr", 0, 79, 23}, {"one", 4, 120, 36}, {"burning", 4, 120, 36},
	}...)
	for _, s := range shots {
		view := Views(nil)[s.view]
		name := fmt.Sprintf("%s-%s-%dx%d", s.scene, view.Name, s.w, s.h)
		golden.Text(t, name, picture(frameOf(snaps[s.scene]), view, s.w, s.h))
	}
	ascii := frameOf(snaps["tweaked"])
	ascii.Theme = theme.New(true, true, true)
	golden.Text(t, "tweaked-Stage-ascii-80x24", picture(ascii, stage.New(), 80, 24))
	ascii.Snap, ascii.Note, ascii.Image = snaps["mlp"], pane.Note{}, 7
	golden.Text(t, "mlp-Predictions-ascii-120x36", picture(ascii, predictions.New(), 120, 36))
	golden.Text(t, "mlp-Weights-ascii-80x24", picture(ascii, weights.New(), 80, 24))
	log := frameOf(snaps["blr"])
	log.XAxis, log.LogX, log.LogY = pane.ByGradient, true, true
	golden.Text(t, "blr-Learning-log-gradients-120x36", picture(log, learning.New(), 120, 36))
}

// A view draws the same picture from the same frame, however much it has drawn
// before.
func TestPictureIsAFunctionOfTheFrame(t *testing.T) {
	views := Views(nil)
	snaps := scenes.All()
	for k, v := range views {
		fresh := Views(nil)[k]
		for _, s := range snaps {
			picture(frameOf(s.Snap()), v, 90, 30)
			picture(frameOf(s.Snap()), v, 131, 41)
		}
		f := frameOf(snaps[0].Snap())
		if picture(f, v, 120, 36) != picture(f, fresh, 120, 36) {
			t.Errorf("%s draws otherwise after it drew other frames", v.Name)
		}
	}
}

func frameOf(s *engine.Snapshot) pane.Frame {
	return pane.Frame{
		Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true,
		Note: pane.Note{Text: wording.Notice(s.Notice), Bad: s.Notice.Err() != nil},
		Keys: keyOf,
	}
}
