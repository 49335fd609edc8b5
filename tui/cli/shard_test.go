package cli

import (
	"os"
	"path/filepath"
	"reflect"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/study"
)

// environment is a Getenv.
func environment(text string) func(string) string {
	env := map[string]string{}
	for _, f := range strings.Fields(text) {
		k, v, _ := strings.Cut(f, "=")
		env[k] = v
	}
	return func(name string) string { return env[name] }
}

// slurmTask is what Slurm tells a task of an array.
func slurmTask(id, least, most, step, count string) string {
	return slurmID + "=" + id + " " + slurmMin + "=" + least + " " + slurmMax + "=" + most + " " + slurmStep + "=" + step + " " + slurmCount + "=" + count
}

func TestShardOfTheEnvironment(t *testing.T) {
	for _, c := range []struct {
		flag, env string
		want      study.Shard
		from      string
	}{
		{"", "", study.All, ""},
		{"2/5", "", study.Shard{I: 2, N: 5}, ""},
		{"2/5", slurmTask("x", "", "", "", ""), study.Shard{I: 2, N: 5}, ""},
		{"", slurmTask("1", "1", "8", "1", "8"), study.Shard{I: 1, N: 8}, slurmID},
		{"", slurmTask("0", "0", "7", "1", "8"), study.Shard{I: 1, N: 8}, slurmID},
		{"", slurmTask("17", "10", "24", "7", "3"), study.Shard{I: 2, N: 3}, slurmID},
		{"", slurmTask("9", "1", "9", "4", "3"), study.Shard{I: 3, N: 3}, slurmID},
		{"", slurmTask("3", "3", "3", "1", "1") + " PSGLD_SHARDS=8", study.Shard{I: 3, N: 8}, slurmID},
		{"", "JOB_COMPLETION_INDEX=0 PSGLD_SHARDS=4", study.Shard{I: 1, N: 4}, kubeIndex},
		{"", "JOB_COMPLETION_INDEX=3 PSGLD_SHARDS=4", study.Shard{I: 4, N: 4}, kubeIndex},
		{"", slurmTask("2", "1", "2", "1", "2") + " JOB_COMPLETION_INDEX=9", study.Shard{I: 2, N: 2}, slurmID},
	} {
		s, from, err := parseShard(c.flag, environment(c.env))
		if err != nil || s != c.want || from != c.from {
			t.Errorf("%q with %s: %v from %q, %v", c.flag, c.env, s, from, err)
		}
	}
	for _, c := range []struct{ flag, env, want string }{
		{"3/2", "", `--shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got "3/2"`},
		{"0/2", "", `--shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got "0/2"`},
		{"", slurmTask("two", "1", "8", "1", "8"), `SLURM_ARRAY_TASK_ID must be a whole number from 0 to 10000000, got "two"`},
		{"", slurmTask("9", "1", "8", "1", "8"), "SLURM_ARRAY_TASK_ID must be from SLURM_ARRAY_TASK_MIN = 1 to SLURM_ARRAY_TASK_MAX = 8, got 9"},
		{"", slurmTask("5", "1", "5", "1", "3"), "SLURM_ARRAY_TASK_ID is 5, of 3 tasks from 1 to 5 by 1, which are not evenly spaced: set PSGLD_SHARDS to the number of shards, and the IDs are theirs"},
		{"", slurmTask("1", "1", "8", "0", "8"), `SLURM_ARRAY_TASK_STEP must be a whole number from 1 to 10000000, got "0"`},
		{"", slurmTask("1", "1", "8", "1", ""), `SLURM_ARRAY_TASK_COUNT must be a whole number from 1 to 100000, got ""`},
		{"", slurmTask("9", "9", "9", "1", "1") + " PSGLD_SHARDS=8", "SLURM_ARRAY_TASK_ID must be from 1 to PSGLD_SHARDS = 8, got 9"},
		{"", slurmTask("0", "0", "0", "1", "1") + " PSGLD_SHARDS=8", "SLURM_ARRAY_TASK_ID must be from 1 to PSGLD_SHARDS = 8, got 0"},
		{"", "JOB_COMPLETION_INDEX=3", `JOB_COMPLETION_INDEX is "3" and PSGLD_SHARDS is not set: set it to the Job's completions`},
		{"", "JOB_COMPLETION_INDEX=4 PSGLD_SHARDS=4", "JOB_COMPLETION_INDEX must be below PSGLD_SHARDS = 4, got 4"},
		{"", "JOB_COMPLETION_INDEX=0 PSGLD_SHARDS=many", `PSGLD_SHARDS must be a whole number from 1 to 100000, got "many"`},
		{"", "PSGLD_SHARDS=4", `PSGLD_SHARDS is "4", and neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX says which of them this is; give --shard i/n`},
	} {
		if s, _, err := parseShard(c.flag, environment(c.env)); err == nil || err.Error() != c.want {
			t.Errorf("%q with %s: %v, %v", c.flag, c.env, s, err)
		}
	}
}

// The shards of a sweep, joined, print what the sweep prints.
func TestSweepInShards(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	args := []string{"sweep", "--steps", "500", "--seed", "5", "--grid", "eps=0.1,0.3", "--grid", "gamma=on,off", "--repeats", "3"}
	var want sweepDoc
	document(t, &want, args...)
	for i, s := range []string{"1/3", "2/3", "3/3"} {
		if i == 1 { // as Slurm says it
			for k, v := range map[string]string{slurmID: "14", slurmMin: "10", slurmMax: "18", slurmStep: "4", slurmCount: "3"} {
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
			if w := "shard 3/3: 4 of 4 cells in cells/results-3-of-3.jsonl\nwhen all 3 are done: psgld-tui merge cells/results-*-of-3.jsonl\n"; out != w {
				t.Errorf("it says %q", out)
			}
		}
	}
	files, err := filepath.Glob("cells/*")
	if err != nil || len(files) != 3 {
		t.Fatalf("files %v, %v", files, err)
	}
	var got sweepDoc
	document(t, &got, "merge", files[2], files[0], files[1])
	if !reflect.DeepEqual(got.Grid, want.Grid) || len(got.Cells) != len(want.Cells) || !reflect.DeepEqual(got.Config, want.Config) || got.Version != want.Version {
		t.Fatalf("merged\n%+v\nwant\n%+v", got, want)
	}
	for i := range got.Cells {
		if got.Cells[i].Seed != want.Cells[i].Seed || !reflect.DeepEqual(got.Cells[i].Values, want.Cells[i].Values) {
			t.Errorf("cell %d is %+v", i, got.Cells[i])
		}
		same(t, got.Cells[i].Lanes, want.Cells[i].Lanes)
	}
	head := func(s string) string { a, _, _ := strings.Cut(s, "\n"); return a }
	t.Setenv(slurmID, "")
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
		if r.status != exitUsage || r.err != "psgld-tui: "+c.want+"\n" || r.out != "" {
			t.Errorf("%s: status %d, %q", c.args, r.status, r.err)
		}
	}
	t.Setenv(kubeIndex, "1")
	t.Setenv(shardsVar, "4")
	r := runArgs(t, "sweep", "--grid", "eps=0.1")
	if want := "psgld-tui: shard 2/4, which JOB_COMPLETION_INDEX asks for, needs --out, where merge finds it; --shard 1/1 is the whole sweep\n"; r.status != exitUsage || r.err != want {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	empty(t, ".")
}
