package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
)

// The shards of a sweep, joined, print what the sweep prints.
func TestSweepInShards(t *testing.T) {
	innerlooptest.Skip(t, "several sweeps")
	dir := t.TempDir()
	t.Chdir(dir)
	args := []string{"sweep", "--steps", "500", "--seed", "5", "--grid", "eps=0.1,0.3", "--grid", "gamma=on,off",
		"--repeats", "3"}
	var want studies.SweepDoc
	document(t, &want, args...)
	for i, s := range []string{"1/3", "2/3", "3/3"} {
		if i == 1 { // as Slurm says it
			for k, v := range map[string]string{"SLURM_ARRAY_TASK_ID": "14", "SLURM_ARRAY_TASK_MIN": "10",
				"SLURM_ARRAY_TASK_MAX": "18", "SLURM_ARRAY_TASK_STEP": "4", "SLURM_ARRAY_TASK_COUNT": "3"} {
				t.Setenv(k, v)
			}
			s = ""
		}
		more := []string{"--out", "cells"}
		if s != "" {
			more = append(more, "--shard", s)
		}
		out := ok(t, append(args, more...)...)
		if i == 2 {
			w := "shard 3/3: 4 of 4 cells in cells/results-3-of-3.jsonl\nwhen all 3 are done: psgld-tui merge " +
				"cells/results-*-of-3.jsonl\n"
			if out != w {
				t.Errorf("it says %q", out)
			}
		}
	}
	files, err := filepath.Glob("cells/*")
	if err != nil || len(files) != 3 {
		t.Fatalf("files %v, %v", files, err)
	}
	var got studies.SweepDoc
	document(t, &got, "merge", files[2], files[0], files[1])
	if !reflect.DeepEqual(got.Grid, want.Grid) || len(got.Cells) != len(want.Cells) ||
		!reflect.DeepEqual(got.Config, want.Config) || got.Version != want.Version {
		t.Fatalf("merged\n%+v\nwant\n%+v", got, want)
	}
	for i := range got.Cells {
		if got.Cells[i].Seed != want.Cells[i].Seed || !reflect.DeepEqual(got.Cells[i].Values, want.Cells[i].Values) {
			t.Errorf("cell %d is %+v", i, got.Cells[i])
		}
		same(t, got.Cells[i].Lanes, want.Cells[i].Lanes)
	}
	head := func(s string) string { a, _, _ := strings.Cut(s, "\n"); return a }
	t.Setenv("SLURM_ARRAY_TASK_ID", "")
	if a, b := ok(t, append([]string{"merge"}, files...)...), ok(t, args...); head(a) != head(b) {
		t.Errorf("the table begins %q, want %q", head(a), head(b))
	}
	// Each cell names the command that gives it.
	b, err := os.ReadFile(files[0])
	if err != nil || strings.Count(string(b), `"command":"psgld-tui run `) != 4 {
		t.Errorf("%s, %v", b, err)
	}
}

// A shard has to go somewhere.
func TestShardUsage(t *testing.T) {
	t.Chdir(t.TempDir())
	for _, c := range []struct{ args, want string }{
		{"sweep --grid eps=0.1 --shard 1/2", "--shard 1/2 needs --out, where merge finds it"},
		{"sweep --grid eps=0.1 --shard 3/2 --out x", `--shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got "3/2"`},
		{"merge", "merge needs the results files of all shards, such as psgld-results/results-*-of-8.jsonl"},
	} {
		r := runArgs(t, strings.Fields(c.args)...)
		if r.status != console.ExitUsage || r.err != "psgld-tui: "+c.want+"\n" || r.out != "" {
			t.Errorf("%s: status %d, %q", c.args, r.status, r.err)
		}
	}
	t.Setenv("JOB_COMPLETION_INDEX", "1")
	t.Setenv("PSGLD_SHARDS", "4")
	r := runArgs(t, "sweep", "--grid", "eps=0.1")
	if want := "psgld-tui: shard 2/4, which JOB_COMPLETION_INDEX asks for, needs --out, where merge finds it; --shard 1/1 is the whole sweep\n"; r.status != console.ExitUsage || r.err != want {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	empty(t, ".")
}
