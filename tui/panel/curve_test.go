package panel

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A title that leaves the room of titleEdge has a legend beside it.
func TestTitlesLeaveRoomForALegend(t *testing.T) {
	f := frameOf(scenes.Of("four"))
	for _, title := range []string{"cov. error, exact bias (log)", "NLL: averaged, newest draw (log)", "training error in % (log)"} {
		for w := 30; w < 60; w++ {
			var series []chart.Series
			for _, glyph := range "●▲■◆" {
				series = append(series, chart.Series{Name: "a long name of a lane", Glyph: glyph})
				brief := besideLegend(title, w-titleEdge(series))
				got := drawn(w, 3, func(g plane.Region) {
					g.Box(f.Theme, plane.Box{Title: brief})
					legend(g, &f, brief, series)
				})
				for _, s := range series {
					if !strings.ContainsRune(got, s.Glyph) {
						t.Fatalf("no legend of %d at %d:\n%s", len(series), w, got)
					}
				}
			}
		}
	}
}
