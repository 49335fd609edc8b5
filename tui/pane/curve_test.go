package pane

import (
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/scenes"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A title that leaves the room of titleEdge has a legend beside it.
func TestTitlesLeaveRoomForALegend(t *testing.T) {
	f := markFrame(scenes.Of("four"))
	for _, title := range []string{"cov. error, exact bias (log)", "NLL: averaged, newest draw (log)", "training error in % (log)"} {
		for w := 30; w < 60; w++ {
			var series []chart.Series
			for _, glyph := range "●▲■◆" {
				series = append(series, chart.Series{Name: "a long name of a lane", Glyph: glyph})
				brief := besideLegend(title, w-TitleEdge(series))
				got := boxed(w, 3, func(g plane.Region) {
					g.Box(f.Theme, plane.Box{Title: brief})
					Legend(g, &f, brief, series)
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

func boxed(w, h int, draw func(g plane.Region)) string {
	p := plane.NewPlane(w, h)
	draw(p.Region())
	return p.RenderPlain()
}
