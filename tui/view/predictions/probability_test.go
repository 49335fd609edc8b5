package predictions

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
	"github.com/psgld/psgld-tui/tui/theme"
)

// A whisker takes nothing of its bar away, wherever that ends.
func TestWhiskersLeaveTheBar(t *testing.T) {
	f := imageFrame(scenetest.Of("mlp"))
	for _, sd := range []float64{0.01, 0.05, 0.1, 0.3} {
		for mean := 0.01; mean < 1; mean += 0.01 {
			bar := func(sd float64) []rune {
				p := plane.NewPlane(9, 1)
				probability(p.Region(), &f, plane.Style{}, mean, sd)
				return []rune(p.RenderPlain())
			}
			plain, whisker := bar(0), bar(sd)
			end := int(math.Round(mean*72)) / 8 // of its full columns
			for x, r := range plain {
				if r == f.Theme.Glyphs.Bullet {
					break
				}
				if w := whisker[x]; w != r && (x >= end || w != f.Theme.Glyphs.Shade[3]) {
					t.Fatalf("%.2f ± %.2f: column %d of %q is %q with the whisker", mean, sd, x, string(plain), w)
				}
			}
		}
	}
}

func TestDisagreementIsRounded(t *testing.T) {
	f, p := imageFrame(scenetest.Of("mlp")), plane.NewPlane(80, 16)
	image := shownImage{Prediction: f.Snap.Predictions[0]}
	image.Disagreement = 0.999
	drawImage(p.Region(), &f, &image)
	if got := p.RenderPlain(); !strings.Contains(got, " lanes differ by 1.00 ") {
		t.Errorf("a distance of 0.999 is not written as 1.00:\n%s", got)
	}
}

func imageFrame(s *engine.Snapshot) pane.Frame {
	return pane.Frame{Snap: s, Theme: theme.New(true, true, false), Linked: true, LogY: true}
}
