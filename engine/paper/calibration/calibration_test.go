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

// The first settings of a quick run, one Gaussian and one banana, from session to report.
func TestBias(t *testing.T) {
	o := papertest.Quick(paper.Text)
	o.Repeats = 2
	e := Experiments()[0]
	jobs := papertest.Jobs(t, e, o, nil)
	if want := 2 + runs; len(jobs) != want { // SGLD on a Gaussian needs no other runs
		t.Fatalf("%d jobs, want %d", len(jobs), want)
	}
	rep := e.ReportOf(o, jobs, papertest.Run(t, o, jobs))
	for _, row := range rep.Tables[1].Rows {
		if row[8] == "0 of 2" {
			t.Errorf("nothing is told of the variance: %q", row)
		}
	}
	text := papertest.Said(rep)
	if !strings.Contains(text, "intervals 100.0 ± 0.0% cover the bias of the mean") ||
		strings.Contains(text, "left out") {
		t.Error(text)
	}
	if f := rep.Figures[0]; len(f.Panels) != 3 || len(f.Panels[1].Series[0].X) != 2 {
		t.Errorf("figure %+v", f)
	}
}

// A setting is the same at every scale, and its sessions' seeds are its own. Of SGLD on a
// Gaussian ε is what the widening asks for, and the chain has a stationary distribution.
func TestSettings(t *testing.T) {
	o := papertest.Quick(paper.Text)
	quick := biasOf(o)
	o.Scale = paper.Full
	full := biasOf(o)
	if len(quick.settings) != 16 || len(full.settings) != 200 {
		t.Fatalf("%d and %d settings", len(quick.settings), len(full.settings))
	}
	seeds := map[uint64]bool{}
	for i, s := range full.settings {
		if i < len(quick.settings) && full.name(quick.settings[i]) != full.name(s) {
			t.Errorf("setting %d is %s and %s", i, full.name(quick.settings[i]), full.name(s))
		}
		for k := range runs + 1 {
			if at := full.seed(s) + uint64(k); seeds[at] {
				t.Errorf("seed %d is there twice", at)
			} else {
				seeds[at] = true
			}
		}
		if s.batch > 0 && (s.batch < leastBatch || s.batch > s.target.n) {
			t.Errorf("a batch of %d", s.batch)
		}
		if !s.exactly() {
			continue
		}
		if !s.target.plane.SGLDCov(make([]float64, 4), s.eps(), 1) {
			t.Errorf("%s has no stationary distribution", full.name(s))
		}
		// ε has four digits
		if first := s.eps() * (s.target.h + s.target.noise*s.target.noise) / 4; math.Abs(first/s.widening-1) > 1e-3 {
			t.Errorf("%s: %v to first order, want %v", full.name(s), first, s.widening)
		}
	}
}

// Moments of runs whose numbers are known: the spread of the runs' means is in the variance.
func TestMomentsOf(t *testing.T) {
	all := paper.Runs{Name: "x", Seed: 1, N: 2}
	outcomes := map[string]study.Outcome{}
	for k, id := range all.IDs() {
		var c quantity.CoordValues
		c[quantity.Mean], c[quantity.SD] = metrics.Exact(float64(2*k)), metrics.Exact(2) // means 0 and 2
		outcomes[id] = study.Outcome{ID: id, Lanes: []engine.LaneResult{{Coords: []quantity.CoordValues{c}}}}
	}
	m := momentsOf(paper.NewResults(nil, outcomes), all)
	if m.mean[0].X != 1 || math.Abs(m.mean[0].SE-student) > 1e-15 || m.variance[0].X != 5 || m.variance[0].SE != 0 {
		t.Errorf("%+v", m)
	}
	delete(outcomes, all.IDs()[1])
	if m := momentsOf(paper.NewResults(nil, outcomes), all); m.mean != nil {
		t.Errorf("moments of half of the runs: %+v", m)
	}
}

// Shares are means over settings, of intervals that are told and that can be compared.
func TestSummary(t *testing.T) {
	nan := number{X: math.NaN()}
	in := interval{told: number{0.3, 0.03}, truth: number{0.25, 0.04}, why: metrics.OK} // 1 standard error off
	out := interval{told: number{0.3, 0.03}, truth: number{0.2, 0.04}, why: metrics.OK} // 2
	silent := interval{told: nan, truth: number{0.2, 0}, why: metrics.CannotTell}
	unknown := interval{told: number{0.3, 0.03}, truth: nan, why: metrics.OK}
	all := []outcome{{of: [2][]interval{ofMean: {in, out, silent, unknown}}}, {of: [2][]interval{ofMean: {in, in}}}}
	s := summaryOf(all, ofMean)
	if s.told.Mean != 0.875 || s.covered.Mean != 0.75 || math.Abs(s.err-0.05) > 1e-15 || s.se != 0.03 ||
		s.truthSE != 0.04 || s.sharp != 0 {
		t.Errorf("%+v", s)
	}
	sharp := interval{told: number{0.3, 0.03}, truth: number{X: 0.2}, why: metrics.OK} // 3.3 standard errors off
	if s := summaryOf([]outcome{{of: [2][]interval{ofMean: {sharp, in}}}}, ofMean); s.sharp != 1 ||
		s.sharplyCovered != 0 {
		t.Errorf("%+v", s)
	}
	told, judged, covered, far := all[0].count(ofMean)
	if told != 3 || judged != 2 || covered != 1 || math.Abs(far-2) > 1e-12 {
		t.Errorf("%d told, %d judged, %d covered, %v off", told, judged, covered, far)
	}
	got, want := untold(all), "Intervals that are not given: 1 of 6, by their reasons 1 (cannot tell)."
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// Settings whose data are not here are left out, and the report says so.
func TestBiasWithoutData(t *testing.T) {
	o := papertest.Quick(paper.Text)
	o.Repeats, o.Targets = 4, papertest.WithoutData()
	e := Experiments()[0]
	jobs := papertest.Jobs(t, e, o, nil)
	for _, j := range jobs {
		if j.Config.Target == australian {
			t.Errorf("%s is there", j.ID)
		}
	}
	if text := strings.Join(e.ReportOf(o, jobs, nil).Remarks, "\n"); !strings.Contains(text, "Settings left out: 1.") {
		t.Error(text)
	}
}
