package pane

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/chart"
	"github.com/psgld/psgld-tui/tui/internal/frametest"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/plane"
)

// A title that leaves the room of titleEdge has a legend beside it.
func TestTitlesLeaveRoomForALegend(t *testing.T) {
	f := markFrame(scenetest.Of("four"))
	for _, title := range []string{"cov. error, exact bias (log)", "NLL: averaged, newest draw (log)",
		"training error in % (log)"} {
		for w := 30; w < 60; w++ {
			var series []chart.Series
			for _, glyph := range "●▲■◆" {
				series = append(series, chart.Series{Name: "a long name of a lane", Glyph: glyph})
				brief := BesideLegend(title, w-TitleEdge(series))
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

// What stands in a region without a box is not written over.
func TestNoLegendWithoutABox(t *testing.T) {
	f := markFrame(scenetest.Of("four"))
	got := boxed(40, 1, func(g plane.Region) {
		g.Text(0, 0, "cov. error 0.167  max τ 7.56", plane.Style{})
		Legend(g, &f, "all lanes", []chart.Series{{Name: "pSGLD", Glyph: '●'}})
	})
	if strings.ContainsRune(got, '●') {
		t.Errorf("a legend without a box: %q", got)
	}
}

func boxed(w, h int, draw func(g plane.Region)) string {
	p := plane.NewPlane(w, h)
	draw(p.Region())
	return p.RenderPlain()
}

// The start of a running mean does not leave what it settles at without ticks.
func TestAxisIsOfWhereAMeanSettles(t *testing.T) {
	s := frametest.Copy(scenetest.Of("gaussian"))
	set := func(of func(lane, k, n int) float64) {
		for i := range s.Lanes {
			h := s.Lanes[i].History
			for k := range h {
				h[k].Values.Set(quantity.Temperature, metrics.Exact(of(i, k, len(h))))
			}
		}
	}
	f := markFrame(s)
	c := Curve{ID: quantity.Temperature, Linear: true, Settled: true}
	set(func(lane, k, n int) float64 {
		if k < n/10 {
			return -7
		}
		return 2.7 - float64(1-lane)*0.2
	})
	if y := c.curves(&f).Y; !y.Fix || !(y.Lo > -1 && y.Lo < 3 && y.Hi < 4) {
		t.Errorf("the axis is %+v", y)
	}
	f.Zoom[Progress] = Range{Lo: 0, Hi: 2000}
	if c.curves(&f).Y.Fix {
		t.Error("the start is cut where it is looked at")
	}
	f.Zoom[Progress] = Range{}
	set(func(_, k, _ int) float64 { return 1 + math.Sin(float64(k)) })
	if c.curves(&f).Y.Fix {
		t.Error("an axis is cut though the start is like the rest")
	}
}
