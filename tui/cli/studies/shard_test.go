package studies

import (
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
	return slurmID + "=" + id + " " + slurmMin + "=" + least + " " + slurmMax + "=" + most + " " + slurmStep + "=" +
		step + " " + slurmCount + "=" + count
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
		s, from, err := ParseShard(c.flag, environment(c.env))
		if err != nil || s != c.want || from != c.from {
			t.Errorf("%q with %s: %v from %q, %v", c.flag, c.env, s, from, err)
		}
	}
	for _, c := range []struct{ flag, env, want string }{
		{"3/2", "", `--shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got "3/2"`},
		{"0/2", "", `--shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got "0/2"`},
		{"", slurmTask("two", "1", "8", "1", "8"),
			`SLURM_ARRAY_TASK_ID must be a whole number from 0 to 10000000, got "two"`},
		{"", slurmTask("9", "1", "8", "1", "8"),
			"SLURM_ARRAY_TASK_ID must be from SLURM_ARRAY_TASK_MIN = 1 to SLURM_ARRAY_TASK_MAX = 8, got 9"},
		{"", slurmTask("5", "1", "5", "1", "3"),
			"SLURM_ARRAY_TASK_ID is 5, of 3 tasks from 1 to 5 by 1, which are not evenly spaced: set PSGLD_SHARDS " +
				"to the number of shards, and the IDs are theirs"},
		{"", slurmTask("1", "1", "8", "0", "8"),
			`SLURM_ARRAY_TASK_STEP must be a whole number from 1 to 10000000, got "0"`},
		{"", slurmTask("1", "1", "8", "1", ""),
			`SLURM_ARRAY_TASK_COUNT must be a whole number from 1 to 100000, got ""`},
		{"", slurmTask("9", "9", "9", "1", "1") + " PSGLD_SHARDS=8",
			"SLURM_ARRAY_TASK_ID must be from 1 to PSGLD_SHARDS = 8, got 9"},
		{"", slurmTask("0", "0", "0", "1", "1") + " PSGLD_SHARDS=8",
			"SLURM_ARRAY_TASK_ID must be from 1 to PSGLD_SHARDS = 8, got 0"},
		{"", "JOB_COMPLETION_INDEX=3",
			`JOB_COMPLETION_INDEX is "3" and PSGLD_SHARDS is not set: set it to the Job's completions`},
		{"", "JOB_COMPLETION_INDEX=4 PSGLD_SHARDS=4", "JOB_COMPLETION_INDEX must be below PSGLD_SHARDS = 4, got 4"},
		{"", "JOB_COMPLETION_INDEX=0 PSGLD_SHARDS=many",
			`PSGLD_SHARDS must be a whole number from 1 to 100000, got "many"`},
		{"", "PSGLD_SHARDS=4",
			`PSGLD_SHARDS is "4", and neither SLURM_ARRAY_TASK_ID nor JOB_COMPLETION_INDEX says which of them this is; give --shard i/n`},
	} {
		if s, _, err := ParseShard(c.flag, environment(c.env)); err == nil || err.Error() != c.want {
			t.Errorf("%q with %s: %v, %v", c.flag, c.env, s, err)
		}
	}
}
