package calibration

import (
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/papertest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
)

// From session to report, on the Gaussian by SGLD at ε = 0.3: every quantity of a coordinate that may have an error is
// there, and the sd, which the step makes too large by 37%, is shown and wrong in all runs while its interval is right
// of the chain's own.
func TestCoverage(t *testing.T) {
	o := papertest.Quick(paper.Text)
	o.Repeats = 16
	e := Experiments()[1]
	jobs := papertest.Jobs(t, e, o, func(j study.Job) bool {
		return strings.HasPrefix(j.ID, "coverage gaussian SGLD eps=0.3 ")
	})
	if len(jobs) != o.Repeats {
		t.Fatalf("%d jobs", len(jobs))
	}
	rep := e.ReportOf(o, jobs, papertest.Run(t, o, jobs))
	rows := map[string][]string{}
	for _, row := range rep.Tables[0].Rows {
		rows[row[1]] = row
	}
	for _, q := range quantity.Coordinates {
		if q.HasError() && q.Needs&(quantity.Extrapolated|quantity.Quartered) == 0 && rows[q.Name+" of coordinate 1"] == nil {
			t.Errorf("nothing is said of %s", q.Name)
		}
	}
	sd := rows["standard deviation of coordinate 1"]
	if sd == nil || sd[2] != "100" || sd[3] < "80" && sd[3] != "100" || sd[4] != "100" {
		t.Errorf("the standard deviation: %q", sd)
	}
	if mean := rows["mean of coordinate 1"]; mean == nil || mean[4] != "0" {
		t.Errorf("the mean: %q", mean)
	}
}

// Counts of values that are known: of twelve runs one is withheld, and one is ten errors off.
func TestCoveredIn(t *testing.T) {
	c := coverageOf(papertest.Quick(paper.Text)).cells[0]
	c.N = 12
	outcomes := map[string]study.Outcome{}
	for k, id := range c.IDs() {
		var v quantity.CoordValues
		v[quantity.Mean] = metrics.Known(0.01*math.Copysign(1, float64(k%2)-0.5), 0.1, 1000)
		switch k {
		case 0:
			v[quantity.Mean] = metrics.Withheld(metrics.TooShort, 1000)
		case 1:
			v[quantity.Mean].Value = 1
		}
		outcomes[id] = study.Outcome{ID: id, Lanes: []engine.LaneResult{{Coords: []quantity.CoordValues{v}}}}
	}
	for _, k := range coveredIn(paper.NewResults(nil, outcomes), c) {
		if k.name == "mean of coordinate 1" &&
			(k.runs != 12 || k.shown != 11 || k.judged != 11 || k.right != 10 || k.wrong != 1 || !k.truth) {
			t.Errorf("%+v", k)
		}
	}
}
