package view

import (
	"math"
	"testing"

	"github.com/psgld/psgld-tui/engine/stein"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/internal/scenetest"
	"github.com/psgld/psgld-tui/tui/internal/viewtest"
	"github.com/psgld/psgld-tui/tui/view/diagnostics"
)

// The Stein discrepancy has a curve for each lane and the band of exact draws; a single point is written out, and where
// there is none stands why.
func TestDiscrepancyPictures(t *testing.T) {
	s := *scenetest.Of("turned")
	curve := func(n int, far float64) (l stein.LaneCurve) {
		l.Status = metrics.OK
		for k := range n {
			draws := 300 * math.Pow(1.25, float64(k))
			ksd := math.Hypot(far, 3*(1+0.2*math.Sin(float64(k)))/math.Sqrt(min(draws, 1000)))
			l.Points = append(l.Points, stein.Point{
				Step: 4000 + uint64(draws), Epoch: math.NaN(), Draws: int(min(draws, 1000)), KSD: ksd,
				From: 2 / math.Sqrt(min(draws, 1000)), To: 4.4 / math.Sqrt(min(draws, 1000)),
			})
		}
		return l
	}
	for name, lanes := range map[string][]stein.LaneCurve{
		"curves": {curve(14, 0.02), curve(14, 0.3)},
		"point":  {curve(1, 0), {Status: metrics.TooShort}},
		"short":  {{Status: metrics.TooShort}, {Status: metrics.Tempered}},
		"none":   {{Status: metrics.Tempered}, {Status: metrics.Tempered}},
	} {
		s.Discrepancy = &stein.View{Lanes: lanes}
		f := viewtest.Frame(&s)
		if name == "curves" {
			viewtest.Golden(t, "discrepancy-"+name, f, diagnostics.New(), 120, 32)
			viewtest.Golden(t, "discrepancy-"+name, f, diagnostics.New(), 200, 56)
		}
		f.Pane, f.Full = "Stein discrepancy", true
		viewtest.Golden(t, "discrepancy-"+name, f, diagnostics.New(), 60, 10)
	}
}
