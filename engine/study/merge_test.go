package study

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
)

// shardFiles runs a sweep in n shards, each into its own file.
func shardFiles(t *testing.T, n int) (files []string, want []Outcome) {
	t.Helper()
	s := gaussianSweep(t, 2)
	want, err := s.Runner(All).Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	dir := t.TempDir()
	for i := 1; i <= n; i++ {
		plan := s.Plan()
		plan.Request = NewRequest(RequestedSweep, s.Request("a title", nil))
		files = append(files, filepath.Join(dir, fmt.Sprintf("%d.jsonl", i)))
		r := s.Runner(Shard{i, n})
		r.Store = wantStore(t, files[i-1], plan, Shard{i, n})
		if _, err := r.Run(context.Background()); err != nil {
			t.Fatal(err)
		}
		_ = r.Store.Close()
	}
	return files, want
}

// Shards in any order are the whole, and say what was asked for.
func TestMerge(t *testing.T) {
	files, want := shardFiles(t, 5)
	files[0], files[3] = files[3], files[0]
	m, err := Merge(files)
	if err != nil {
		t.Fatal(err)
	}
	if !reflect.DeepEqual(digests(m.Outcomes), digests(want)) || m.Version != "v1" || m.Plan != "sweep of gaussian" {
		t.Errorf("merged %v of %s by %s", digests(m.Outcomes), m.Plan, m.Version)
	}
	for i, o := range m.Outcomes {
		if o.At != i || o.ID != want[i].ID {
			t.Errorf("outcome %d is %q at %d", i, o.ID, o.At)
		}
	}
	again, _, err := m.Sweep()
	if err != nil {
		t.Fatal(err)
	}
	s := gaussianSweep(t, 1)
	if got, want := again.Cells(m.Outcomes), s.Cells(want); len(got) != len(want) {
		t.Errorf("%d cells", len(got))
	} else {
		for i := range got {
			if got[i].Seed != want[i].Seed || !reflect.DeepEqual(got[i].Values, want[i].Values) {
				t.Errorf("cell %d is %+v, want %+v", i, got[i], want[i])
			}
		}
	}
}

// Files of several versions are one where their jobs have the same digits, and are refused where a job has not.
func TestMergeOfVersions(t *testing.T) {
	plan := Plan{Name: "networks"}
	for _, spec := range []string{"gaussian", "cnn"} {
		l := state.Setting{Sampler: "sgld"}
		plan.Jobs = append(plan.Jobs,
			Job{ID: spec, Config: state.Config{Target: spec, Steps: 1, Lanes: []state.Setting{l}}})
	}
	merge := func(first, second int) error {
		var files []string
		for i, version := range []int{first, second} {
			j := plan.Job(i)
			h := header{storeForm, fmt.Sprint("v", version), plan.Name, plan.Hash(), Shard{i + 1, 2}.String(), 1,
				version, nil}
			o := Outcome{ID: j.ID, At: i, Job: j.Hash(), Lanes: []engine.LaneResult{{Sampler: "sgld"}}}
			var text []byte
			for _, v := range []any{h, o} {
				b, err := json.Marshal(v)
				if err != nil {
					t.Fatal(err)
				}
				text = append(append(text, b...), '\n')
			}
			files = append(files, filepath.Join(t.TempDir(), "x.jsonl"))
			if err := os.WriteFile(files[i], text, 0o666); err != nil {
				t.Fatal(err)
			}
		}
		m, err := Merge(files)
		if err != nil {
			return err
		}
		if first != second && m.Version != fmt.Sprintf("v%d, v%d", first, second) {
			t.Errorf("it is by version %s", m.Version)
		}
		return m.Check(plan)
	}
	for _, same := range [][2]int{{1, 1}, {1, 2}, {2, 2}} { // a Gaussian has the same digits by both
		if err := merge(same[0], same[1]); err != nil {
			t.Errorf("%v: %v", same, err)
		}
	}
	if err := merge(2, 1); err == nil ||
		err.Error() != `"cnn" has the digits of numerics version 1, which are others by version 2: run its shard again` {
		t.Error(err)
	}
}

// What does not belong together is refused by name.
func TestMergeRefuses(t *testing.T) {
	innerlooptest.Skip(t, "studies in shards")
	files, _ := shardFiles(t, 3)
	whole, _ := shardFiles(t, 1)
	read := func(path string) string {
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	second := read(files[1])
	with := func(content string) []string {
		path := filepath.Join(t.TempDir(), "x.jsonl")
		if err := os.WriteFile(path, []byte(content), 0o666); err != nil {
			t.Fatal(err)
		}
		return []string{files[0], path, files[2]}
	}
	lines := strings.SplitAfter(second, "\n")
	for _, c := range []struct {
		name  string
		files []string
		want  string
	}{
		{"none", nil, "no results file to merge"},
		{"not there", []string{files[0] + "x"}, "cannot read " + files[0] + "x: no such file or directory"},
		{"missing", files[:1], "no results of shard 2/3, 3/3 of sweep of gaussian"},
		{"double", []string{files[0], files[1], files[1]}, files[1] + " and " + files[1] + " are both shard 2/3"},
		{"divided otherwise", []string{files[0], whole[0]}, whole[0] + " is shard 1/1, and " + files[0] + " one of 3"},
		{"unfinished", with(strings.Join(lines[:3], "")),
			"x.jsonl has 2 of the 4 jobs of shard 2/3: run it again to its end"},
		{"torn", with(second[:len(second)-3]), "x.jsonl has 3 of the 4 jobs of shard 2/3: run it again to its end"},
		{"another plan", with(strings.Replace(second, `"hash":"`, `"hash":"0`, 1)),
			"x.jsonl is of another plan (sweep of gaussian, 0"},
		{"another form", with(strings.Replace(second, `"psgld_results":1`, `"psgld_results":3`, 1)),
			"x.jsonl is a results file of form 3, want 1"},
		{"another shard's job", with(strings.Replace(second, `"at":4`, `"at":5`, 1)),
			"x.jsonl holds job 5, which shard 2/3 does not have"},
		{"a bad shard", with(strings.Replace(second, `"shard":"2/3"`, `"shard":"4/3"`, 1)),
			"x.jsonl: shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got \"4/3\""},
		{"empty", with(""), "x.jsonl is empty"},
	} {
		_, err := Merge(c.files)
		if err == nil || !strings.Contains(err.Error(), c.want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v", c.name, err)
		}
	}
}

// A request that is not the one that the plan was made from is an error.
func TestSweepRequests(t *testing.T) {
	s := gaussianSweep(t, 1)
	var outcomes []Outcome
	for i := range s.Total() {
		j := s.Plan().Job(i)
		outcomes = append(outcomes,
			Outcome{ID: j.ID, At: i, Job: j.Hash(), Lanes: []engine.LaneResult{{Sampler: "psgld"}, {Sampler: "sgld"}}})
	}
	for name, spoil := range map[string]func(*SweepRequest){
		"nothing":        func(*SweepRequest) {},
		"no lanes":       func(r *SweepRequest) { r.Config.Lanes = nil },
		"no repeats":     func(r *SweepRequest) { r.Repeats = 0 },
		"no grid":        func(r *SweepRequest) { r.Grid = nil },
		"no values":      func(r *SweepRequest) { r.Grid[0].Values = nil },
		"other values":   func(r *SweepRequest) { r.Grid[0].Shown = r.Grid[0].Shown[:1] },
		"no parameter":   func(r *SweepRequest) { r.Grid[0].Param = "x" },
		"too many cells": func(r *SweepRequest) { r.Repeats = MaxCells },
		"other sampler":  func(r *SweepRequest) { r.Config.Lanes[0].Sampler = "x" },
	} {
		r := s.Request("a title", nil)
		r.Config.Lanes = slices.Clone(r.Config.Lanes)
		spoil(&r)
		m := Merged{Hash: s.Plan().Hash(), Request: NewRequest(RequestedSweep, r), Outcomes: outcomes}
		if _, _, err := m.Sweep(); (err != nil) != (name != "nothing") {
			t.Errorf("%s: error %v", name, err)
		}
	}
	for name, spoil := range map[string]func(o *Outcome){
		"no such cell":         func(o *Outcome) { o.At = 99 },
		"another's place":      func(o *Outcome) { o.At++ },
		"another name":         func(o *Outcome) { o.ID = "x" },
		"another job":          func(o *Outcome) { o.Job = "x" },
		"no lanes":             func(o *Outcome) { o.Lanes = nil },
		"a lane less":          func(o *Outcome) { o.Lanes = o.Lanes[:1] },
		"another lane's":       func(o *Outcome) { o.Lanes = []engine.LaneResult{{Sampler: "sgld"}, {}} },
		"a curve's value gone": func(o *Outcome) { o.Curves = []Curve{{Step: []uint64{1}, Seconds: []engine.Num{}}} },
		"a trail's value gone": func(o *Outcome) { o.Draws = []Trail{{X: []engine.Num{1}}} },
	} {
		m := Merged{Hash: s.Plan().Hash(), Request: NewRequest(RequestedSweep, s.Request("", nil)),
			Outcomes: slices.Clone(outcomes)}
		spoil(&m.Outcomes[1])
		if _, _, err := m.Sweep(); err == nil || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: error %v", name, err)
		}
	}
}
