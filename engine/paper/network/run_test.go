package network

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/claim"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/study"
)

// A small run on the embedded set goes through the Runner to a report without any
// comparison with the paper.
func TestNetworkRun(t *testing.T) {
	small := experiment{id: "fig4", title: "small", curves: true, table: func() *table {
		t := tableIn("table2")()
		t.Brief = brief{"8", 24, 4}
		return t
	}, report: func(n *report) paper.Report {
		r := reportTable(n)
		r.Figures = reportFig4(n).Figures
		return r
	}}
	e := small.experiment()
	o := paper.Options{Reading: paper.Authors, Scale: paper.Quick, Seed: 1, Targets: papertest.WithoutData()}
	jobs, err := e.Jobs(o)
	if err != nil {
		t.Fatal(err)
	}
	r := e.Report(o, paper.NewResults(jobs, papertest.Run(t, o, jobs)))
	for _, row := range r.Tables[0].Rows {
		if row[3] != claim.NoNumber || row[4] == claim.NoNumber || row[6] == claim.NoNumber || row[8] != "quick run" {
			t.Errorf("row %q", row)
		}
	}
	if len(r.Tables[0].Rows) != 5 || r.Tables[0].Scores != nil || !strings.Contains(r.Remarks[0], "Quick run") ||
		!strings.Contains(r.Remarks[1], "strokes and not MNIST") {
		t.Errorf("%d rows, %q", len(r.Tables[0].Rows), r.Remarks)
	}
	for _, p := range r.Figures[0].Panels {
		if len(p.Series) != 5 {
			t.Errorf("%s has %d series", p.Title, len(p.Series))
		}
		for _, s := range p.Series {
			if len(s.Y) == 0 {
				t.Errorf("%s: no %s", p.Title, s.Name)
			}
		}
	}
}

// A histogram on other bins keeps what lies within them.
func TestWeightsHistogram(t *testing.T) {
	layers := []study.Layer{{Lo: -1, Hi: 1, Counts: []uint32{0, 30, 50, 0}},
		{Lo: 0, Hi: 4, Counts: []uint32{0, 0, 0, 20}}}
	if got := weightsWithin(layers[0], -0.25, 0.5); got != 65 { // half of 30 and all of 50
		t.Errorf("%v weights, want 65", got)
	}
	// 1% of 100 lie beyond 3.95 in the bin from 3 to 4.
	if got := weightsReach(layers); math.Abs(got-3.95) > 1e-6 {
		t.Errorf("reach %v, want 3.95", got)
	}
	d := weightsDensity(layers, []float64{-1, 0, 4})
	if want := []float64{0.30, 0.70 / 4}; math.Abs(d[0]-want[0]) > 1e-12 || math.Abs(d[1]-want[1]) > 1e-12 {
		t.Errorf("densities %v, want %v", d, want)
	}
	if got := pooledSD([]study.Layer{{N: 3, SD: 1}, {N: 1, SD: 3}}); got != math.Sqrt(3) {
		t.Errorf("pooled standard deviation %v, want √3", got)
	}
}
