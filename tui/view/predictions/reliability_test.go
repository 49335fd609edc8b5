package predictions

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/pane"
	"github.com/psgld/psgld-tui/tui/plane"
)

// Confidences and counts of four lanes are whole where they have few columns.
func TestCountsOfFourLanes(t *testing.T) {
	s := *scenetest.Of("blr")
	s.Lanes = append(s.Lanes[:len(s.Lanes):len(s.Lanes)], s.Lanes...)
	f := viewtest.Frame(&s)
	for _, w := range []int{40, 46, 60, 100} {
		p := plane.NewPlane(w, 8)
		pane.Of("counts", drawCounts).Draw(p.Region(), &f)
		got := p.RenderPlain()
		if strings.ContainsAny(got, "…#") {
			t.Errorf("%d columns cut a number:\n%s", w, got)
		}
		for _, want := range []string{"0.55", "216", "0.94", "113", "309", "42"} {
			if strings.Count(got, want) != 2 && want != "0.55" || !strings.Contains(got, want) {
				t.Errorf("%d columns: want %s twice in\n%s", w, want, got)
			}
		}
	}
}
