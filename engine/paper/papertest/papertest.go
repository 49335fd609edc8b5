// Package papertest helps to test experiments.
package papertest

import (
	"context"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
)

// Run runs jobs on two threads and returns their outcomes by ID.
func Run(t *testing.T, o paper.Options, jobs []study.Job) map[string]study.Outcome {
	t.Helper()
	r := study.Runner{Jobs: study.Plan{Jobs: jobs}.Part(study.All), Threads: 2, Open: o.Targets.OpenJob}
	all, err := r.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	return study.ByID(all)
}

// Jobs are the jobs of an experiment of which want is true, or all with a nil want.
func Jobs(t *testing.T, e paper.Experiment, o paper.Options, want func(study.Job) bool) []study.Job {
	t.Helper()
	jobs, err := e.Jobs(o)
	if err != nil {
		t.Fatal(err)
	}
	return slices.DeleteFunc(jobs, func(j study.Job) bool { return want != nil && !want(j) })
}

// Quick are options of a look on seed 1.
func Quick(r paper.Reading) paper.Options {
	return paper.Options{Reading: r, Scale: paper.Quick, Seed: 1, Targets: &study.Targets{}}
}

// WithoutData opens the embedded sets alone.
func WithoutData() *study.Targets {
	return &study.Targets{Options: targets.Options{DataDir: "nowhere"}}
}

// Said is a report's verdict, what holds instead and its remarks, each on a line.
func Said(r paper.Report) string {
	return strings.Join(append([]string{r.Verdict, r.Instead}, r.Remarks...), "\n")
}
