package view

import (
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/theme"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
	"github.com/psgld/psgld-tui/tui/view/learning"
	"github.com/psgld/psgld-tui/tui/view/predictions"
	"github.com/psgld/psgld-tui/tui/view/stage"
	"github.com/psgld/psgld-tui/tui/view/weights"
)

// Every view of a target without data and of one with data, and the lanes' special
// states.
func TestPictures(t *testing.T) {
	for _, s := range []struct {
		scene string
		view  int
		w, h  int
	}{
		{"blr", 0, 120, 32}, {"blr", 1, 120, 32}, {"blr", 2, 120, 32}, {"blr", 4, 120, 32},
		{"mlp", 0, 120, 32}, {"mlp", 1, 120, 32},
		{"blr", 0, 79, 20}, {"blr", 0, 200, 56}, {"blr", 1, 80, 20}, {"blr", 4, 80, 20},
		{"diverged", 0, 40, 10}, {"diverged", 1, 120, 32},
		{"early", 0, 80, 20}, {"early", 1, 120, 32}, {"burning", 0, 80, 20}, {"burning", 2, 120, 32},
		{"burning", 4, 120, 32},
		{"four", 0, 60, 17}, {"four", 0, 80, 20}, {"four", 0, 120, 32}, {"four", 1, 120, 32}, {"three", 0, 120, 32},
		{"one", 0, 120, 32}, {"one", 0, 200, 56}, {"turned", 0, 40, 10}, {"modes", 1, 120, 32},
	} {
		v := All(nil)[s.view]
		viewtest.Golden(t, s.scene+"-"+v.Name, viewtest.Frame(scenetest.Of(s.scene)), v, s.w, s.h)
	}
	ascii := viewtest.Frame(scenetest.Of("turned"))
	ascii.Theme = theme.New(true, true, true)
	viewtest.Golden(t, "turned-Stage-ascii", ascii, stage.New(), 80, 20)
	ascii.Snap, ascii.Image = scenetest.Of("mlp"), 7
	viewtest.Golden(t, "mlp-Predictions-ascii", ascii, predictions.New(), 120, 32)
	viewtest.Golden(t, "mlp-Weights-ascii", ascii, weights.New(), 80, 20)
	ranks := viewtest.Frame(scenetest.Of("chains"))
	ranks.Pane, ranks.Full = "ranks 1", true
	viewtest.Golden(t, "chains-ranks", ranks, diagnostics.New(), 100, 28)
	log := viewtest.Frame(scenetest.Of("blr"))
	log.XAxis, log.LogX, log.LogY = pane.ByGradient, true, true
	viewtest.Golden(t, "blr-Learning-log-gradients", log, learning.New(), 120, 32)
}

// Every view in the colours of a dark and of a light background, and without colour;
// and at the other sizes.
func TestViewsInEveryLook(t *testing.T) {
	gaussian, network := viewtest.Frame(scenetest.Of("turned")), viewtest.Frame(scenetest.Of("mlp"))
	for i, f := range []pane.Frame{gaussian, gaussian, network, network, network} {
		v := All(nil)[i]
		viewtest.Looks(t, "view-"+v.Name, f, v, 120, 32, theme.Look{Dark: true}, theme.Look{},
			theme.Look{NoColor: true})
		viewtest.Golden(t, "view-"+v.Name, f, v, 80, 20)
		viewtest.Golden(t, "view-"+v.Name, f, v, 200, 56)
	}
}

// A view draws the same picture from the same frame, however much it has drawn
// before.
func TestPictureIsAFunctionOfTheFrame(t *testing.T) {
	views := All(nil)
	snaps := scenetest.All()
	for k, v := range views {
		fresh := All(nil)[k]
		for _, s := range snaps {
			viewtest.Picture(viewtest.Frame(s.Snap()), v, 90, 30)
			viewtest.Picture(viewtest.Frame(s.Snap()), v, 131, 41)
		}
		f := viewtest.Frame(snaps[0].Snap())
		if viewtest.Picture(f, v, viewtest.W, viewtest.H) != viewtest.Picture(f, fresh, viewtest.W, viewtest.H) {
			t.Errorf("%s draws otherwise after it drew other frames", v.Name)
		}
	}
}
