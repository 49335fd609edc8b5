// Package papertest helps to test experiments.
package papertest

import (
	"context"
	"math"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// Run runs jobs on two threads and returns their outcomes by ID.
func Run(t *testing.T, o paper.Options, jobs []study.Job) map[string]study.Outcome {
	t.Helper()
	opener := study.Opener{Targets: o.Targets}
	r := study.Runner{Jobs: study.Plan{Jobs: jobs}.Part(study.All), Threads: 2, Open: opener.Open}
	all, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return study.ByID(all)
}

// Jobs are the jobs of an experiment of which want is true, or all with a nil want, after
// checking all of them.
func Jobs(t *testing.T, e paper.Experiment, o paper.Options, want func(study.Job) bool) []study.Job {
	t.Helper()
	jobs, err := e.Jobs(o)
	if err != nil {
		t.Fatal(err)
	}
	seen := map[string]bool{}
	var some []study.Job
	for _, j := range jobs {
		if seen[j.ID] {
			t.Errorf("%s: %s is there twice", e.ID, j.ID)
		}
		seen[j.ID] = true
		p, err := o.Targets.Open(j.Config.Target, j.Config.Dataset)
		if err != nil {
			t.Fatal(err)
		}
		if err := j.Config.Validate(p); err != nil {
			t.Errorf("%s: %v", j.ID, err)
		}
		if want == nil || want(j) {
			some = append(some, j)
		}
	}
	return some
}

// Check checks what every report must be: rows as wide as their head, series of
// one length, panels in their axes, and no number that is not finite in words.
func Check(t *testing.T, rep paper.Report) {
	t.Helper()
	for _, tab := range rep.Tables {
		for _, row := range tab.Rows {
			if len(row) != len(tab.Head) {
				t.Errorf("%s: a row of %d cells under %d heads: %q", tab.Title, len(row), len(tab.Head), row)
			}
			for _, c := range row {
				if c == "" || strings.Contains(c, "NaN") || strings.Contains(c, "Inf") {
					t.Errorf("%s: cell %q in %q", tab.Title, c, row)
				}
			}
		}
		for _, s := range tab.Scores {
			if math.IsNaN(float64(s.Ours)) || math.IsInf(float64(s.Ours), 0) || math.IsNaN(float64(s.Paper)) || s.Verdict == "" || s.Seeds == 0 {
				t.Errorf("%s: score %+v", tab.Title, s)
			}
		}
	}
	for _, f := range rep.Figures {
		if f.ID == "" || len(f.Panels) == 0 || f.Columns == 0 {
			t.Errorf("figure %q has %d panels in %d columns", f.ID, len(f.Panels), f.Columns)
		}
		for _, p := range f.Panels {
			for _, s := range p.Series {
				if len(s.X) != len(s.Y) || s.Err != nil && len(s.Err) != len(s.Y) {
					t.Errorf("%s, %s: %d, %d and %d numbers", f.ID, s.Name, len(s.X), len(s.Y), len(s.Err))
				}
			}
		}
	}
	for _, f := range rep.Findings {
		if strings.Contains(f, "NaN") || strings.Contains(f, "Inf") || strings.Contains(f, "%!") {
			t.Errorf("finding %q", f)
		}
	}
}

// Quick are options of a look on seed 1.
func Quick(r paper.Reading) paper.Options {
	return paper.Options{Reading: r, Scale: paper.Quick, Seed: 1, Targets: &study.Targets{}}
}

// WithoutData opens the embedded sets alone.
func WithoutData() *study.Targets {
	return &study.Targets{Options: targets.Options{DataDir: "nowhere"}}
}
