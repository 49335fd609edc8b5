package studies

import (
	"bytes"
	"encoding/json"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// The command of a report names each results file that it takes over once.
func TestReproduceCommandLine(t *testing.T) {
	r := reproduce.Request{IDs: []string{"fig1a"}, Scale: paper.Full, Seed: grammar.DefaultSeed}
	o := Options{From: []string{"a/results-1-of-1.jsonl", "b/results-1-of-1.jsonl", "networks.jsonl"}, Done: true}
	got, want := grammar.Quote(reproduceCommand(r, nil, o)...),
		"psgld-tui reproduce fig1a --scale full --only-done --from results-1-of-1.jsonl --from networks.jsonl"
	if got != want {
		t.Errorf("%q, want %q", got, want)
	}
}

// The list has every experiment with a time, and times nothing for it.
func TestListExperiments(t *testing.T) {
	var out bytes.Buffer
	e := &Env{Console: &console.Console{Out: console.NewOutput(&out, false), Err: &bytes.Buffer{}}}
	asked, err := reproduce.New([]string{"fig1a", "theory-risk"}, "", paper.Quick, 1, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.List(asked, session.Runtime{Threads: 2}, true); err != nil {
		t.Fatal(err)
	}
	var list []listedExperiment
	if err := json.Unmarshal(out.Bytes(), &list); err != nil || len(list) != 2 {
		t.Fatalf("%d experiments, %v", len(list), err)
	}
	for _, l := range list {
		q, f := l.Quick, l.Full
		if q.Sessions == 0 || f.Sessions < q.Sessions || !(q.Seconds > 0) || !(f.Seconds > q.Seconds) {
			t.Errorf("%s: %+v, %+v", l.ID, q, f)
		}
	}
	first := out.String()
	out.Reset()
	if err := e.List(asked, session.Runtime{Threads: 2}, true); err != nil || out.String() != first {
		t.Errorf("%v: it lists\n%s\nthen\n%s", err, first, out.String())
	}
	out.Reset()
	if err := e.List(asked, session.Runtime{}, false); err != nil || !strings.Contains(out.String(), "\nfig1a ") {
		t.Errorf("%v:\n%s", err, out.String())
	}
}

func TestRoughly(t *testing.T) {
	for s, want := range map[float64]string{0: "< 1 s", 0.9: "< 1 s", 1.4: "1 s", 99: "99 s", 100: "2 min",
		5999: "100 min", 6000: "2 h", 360000: "100 h"} {
		if got := roughly(s); got != want {
			t.Errorf("%g s is %q, want %q", s, got, want)
		}
	}
}

// The label of many sessions names the best of those that sample what the newest
// does, and the time left.
func TestCellsLabel(t *testing.T) {
	job := func(target string, steps uint64) study.Job {
		return study.Job{ID: target,
			Config: state.Config{Target: target, Steps: steps, Lanes: []state.Setting{{Sampler: "sgld"}}}}
	}
	p := study.Plan{Jobs: []study.Job{job("a", 100), job("a", 300), job("b", 10), job("b", 10)}}
	c := newCells(&study.Runner{Jobs: p.Part(study.All)}, 1)
	if done, label := c.look(); done != 0 || label != "0 of 4 cells, 0 running, 4 to run" {
		t.Errorf("%g, %q", done, label)
	}
	c.each(p.Jobs[0], study.Outcome{ID: "first", Seconds: 10,
		Lanes: []engine.LaneResult{{Values: quantity.Values{quantity.TestError: metrics.Exact(0.02),
			quantity.CovError: metrics.Exact(0.5)}}}}, true)
	// 300 steps more at a tenth of a second, and two jobs that are not known to be shorter.
	if done, label := c.look(); done != 10./60 ||
		label != "1 of 4 cells, 0 running, 3 to run, 50s left, best test error 2.00%: first" {
		t.Errorf("%g, %q", done, label)
	}
	c.each(p.Jobs[2], study.Outcome{ID: "other", Seconds: 1,
		Lanes: []engine.LaneResult{{Values: quantity.Values{quantity.CovError: metrics.Withheld(metrics.TooShort, 9)}},
			{Values: quantity.Values{quantity.CovError: metrics.Exact(0.25)}}}}, true)
	if done, label := c.look(); done != 11./42 ||
		label != "2 of 4 cells, 0 running, 2 to run, 31s left, best covariance error 0.250: other" {
		t.Errorf("%g, %q", done, label)
	}
	c.each(p.Jobs[1], study.Outcome{ID: "worse", Seconds: 30,
		Lanes: []engine.LaneResult{{Values: quantity.Values{quantity.TestError: metrics.Exact(0.03)}}}}, true)
	c.each(p.Jobs[3], study.Outcome{ID: "skipped", Skipped: "no data"}, true)
	if done, label := c.look(); done != 1 ||
		label != "4 of 4 cells, 0 running, 0 to run, 0s left, best test error 2.00%: first" {
		t.Errorf("%g, %q", done, label)
	}
}

// The Kubernetes Job runs the command in as many shards as it has pods.
func TestManifest(t *testing.T) {
	var out bytes.Buffer
	e := &Env{Console: &console.Console{Out: console.NewOutput(&out, false)}}
	r, err := reproduce.New([]string{"fig1a"}, paper.Text, paper.Full, 7, 0)
	if err != nil {
		t.Fatal(err)
	}
	if err := e.Manifest(r, 12, 3); err != nil {
		t.Fatal(err)
	}
	for _, want := range []string{
		"  completions: 12\n",
		`command: ["psgld-tui","reproduce","fig1a","--protocol","paper","--scale","full","--seed","7","--threads","3","--out","/work/report"]`,
		`{name: PSGLD_SHARDS, value: "12"}`, `cpu: "3"`, "merge /work/report/results-*-of-12.jsonl\n",
	} {
		if !strings.Contains(out.String(), want) {
			t.Errorf("it lacks %q:\n%s", want, out.String())
		}
	}
}
