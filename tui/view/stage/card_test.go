package stage

import (
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/goldentest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// What the newest change has done, on its card.
func TestCardPictures(t *testing.T) {
	draw := func(f *pane.Frame) string {
		p := plane.NewPlane(44, 10)
		pane.CardOf().Draw(p.Region(), f)
		return p.RenderPlain()
	}
	change := viewtest.Frame(scenetest.Of("turned"))
	s := frametest.Copy(change.Snap)
	w := &s.Lanes[1].Window
	for _, id := range []quantity.ID{quantity.MaxACT, quantity.MinESS, quantity.CovError, quantity.Temperature} {
		w.Values[id] = metrics.Withheld(metrics.TooShort, 37)
	}
	w.Values[quantity.Draws] = metrics.Exact(37)
	short := viewtest.Frame(s)
	short.Lane = 1
	goldentest.Text(t, "card", "== before and after\n"+draw(&change)+"\n== before and after, too short\n"+draw(&short))
}
