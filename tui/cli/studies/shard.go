package studies

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"
	"strconv"
	"strings"

	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/engine/tool/atomicfile"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// The variables that say which shard is to be run where --shard does not: those of a Slurm array's tasks and of an
// indexed Kubernetes Job's pods. Kubernetes does not tell a pod how many there are, so shardsVar has to.
const (
	slurmID    = "SLURM_ARRAY_TASK_ID"
	slurmMin   = "SLURM_ARRAY_TASK_MIN"
	slurmMax   = "SLURM_ARRAY_TASK_MAX"
	slurmStep  = "SLURM_ARRAY_TASK_STEP"
	slurmCount = "SLURM_ARRAY_TASK_COUNT"
	kubeIndex  = "JOB_COMPLETION_INDEX"
	shardsVar  = "PSGLD_SHARDS"
)

// Submitters are what says which shard is to be run, with their variables.
const Submitters = "a Slurm array ($" + slurmID + ") or an indexed Kubernetes Job ($" + kubeIndex + " and $" +
	shardsVar + ")"

// ParseShard reads --shard or, without it, the environment. from is the variable
// that said so, empty for none. Everything is one shard where nobody says anything.
func ParseShard(text string, getenv func(string) string) (s study.Shard, from string, err error) {
	switch {
	case text != "":
		if s, err = study.ParseShard(text); err != nil {
			return s, "", fmt.Errorf("--shard %w", err)
		}
		return s, "", nil
	case getenv(slurmID) != "":
		s, err = slurmShard(getenv)
		return s, slurmID, err
	case getenv(kubeIndex) != "":
		s, err = kubeShard(getenv)
		return s, kubeIndex, err
	case getenv(shardsVar) != "":
		return s, "", fmt.Errorf("%s is %q, and neither %s nor %s says which of them this is; give --shard i/n",
			shardsVar, getenv(shardsVar), slurmID, kubeIndex)
	}
	return study.All, "", nil
}

// slurmShard is the shard of an array's task. An array's IDs may begin anywhere and be any step apart; task ID is the
// ((ID - min)/step + 1)-th of count. With shardsVar the ID itself is the shard's number, so that a part of an array can
// be submitted again.
func slurmShard(getenv func(string) string) (study.Shard, error) {
	e := numbers{get: getenv}
	id := e.number(slurmID, 0)
	if getenv(shardsVar) != "" {
		n := e.number(shardsVar, 1)
		if e.err == nil && (id < 1 || id > n) {
			e.err = fmt.Errorf("%s must be from 1 to %s = %d, got %d", slurmID, shardsVar, n, id)
		}
		return study.Shard{I: id, N: n}, e.err
	}
	least, most, step, count := e.number(slurmMin, 0), e.number(slurmMax, 0), e.number(slurmStep, 1),
		e.number(slurmCount, 1)
	switch {
	case e.err != nil:
		return study.Shard{}, e.err
	case id < least || id > most:
		return study.Shard{}, fmt.Errorf("%s must be from %s = %d to %s = %d, got %d", slurmID, slurmMin, least,
			slurmMax, most, id)
	case (id-least)%step != 0 || (most-least)/step+1 != count:
		return study.Shard{}, fmt.Errorf("%s is %d, of %d tasks from %d to %d by %d, which are not evenly spaced: "+
			"set %s to the number of shards, and the IDs are theirs",
			slurmID, id, count, least, most, step, shardsVar)
	}
	return study.Shard{I: (id-least)/step + 1, N: count}, nil
}

// kubeShard is the shard of a pod: its index is from 0.
func kubeShard(getenv func(string) string) (study.Shard, error) {
	if getenv(shardsVar) == "" {
		return study.Shard{}, fmt.Errorf("%s is %q and %s is not set: set it to the Job's completions", kubeIndex,
			getenv(kubeIndex), shardsVar)
	}
	e := numbers{get: getenv}
	i, n := e.number(kubeIndex, 0), e.number(shardsVar, 1)
	if e.err == nil && i >= n {
		e.err = fmt.Errorf("%s must be below %s = %d, got %d", kubeIndex, shardsVar, n, i)
	}
	return study.Shard{I: i + 1, N: n}, e.err
}

// numbers are those that an environment has. They keep the first error in reading them.
type numbers struct {
	get func(name string) string
	err error
}

// number reads a variable that must be set. Slurm's array IDs go to 4,000,000 at most.
func (e *numbers) number(name string, least int) int {
	text, most := e.get(name), 100*study.MaxCells
	if name == shardsVar || name == slurmCount {
		most = study.MaxCells
	}
	n, err := strconv.Atoi(text)
	if (err != nil || n < least || n > most) && e.err == nil {
		e.err = fmt.Errorf("%s must be a whole number from %d to %d, got %q", name, least, most, text)
	}
	return n
}

// ResultsExt ends the name of a results file.
const ResultsExt = ".jsonl"

// Known reads the results files of --from.
func (e *Env) Known(from []string) (map[string]study.Outcome, error) {
	if len(from) == 0 {
		return nil, nil
	}
	known, versions, err := study.ReadKnown(from)
	if err != nil {
		return nil, console.Failed(fmt.Errorf("--from: %w", err))
	}
	for _, v := range versions {
		if v != version.String() {
			e.Tell(fmt.Sprintf("--from takes over results of version %s of the program; this is %s", v,
				version.String()))
		}
	}
	return known, nil
}

// shardName is the name of a shard's results file.
func shardName(s study.Shard) string {
	return fmt.Sprintf("results-%d-of-%d%s", s.I, s.N, ResultsExt)
}

// ShardNames stands for the names of all shards in a shell.
func ShardNames(n int) string { return fmt.Sprintf("results-*-of-%d%s", n, ResultsExt) }

// ResultsPath is where the results of a shard go: out itself, if that is a file's name, or a file in it.
func ResultsPath(out string, s study.Shard) string {
	info, err := os.Stat(out)
	if err == nil && !info.IsDir() || err != nil && strings.HasSuffix(out, ResultsExt) {
		return out
	}
	return filepath.Join(out, shardName(s))
}

// OpenResults opens a shard's results file, and makes its folder.
func OpenResults(path string, p study.Plan, s study.Shard) (*study.Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, console.Failed(fmt.Errorf("--out: %w", atomicfile.CannotWrite(filepath.Dir(path), err)))
	}
	st, err := study.OpenStore(path, version.String(), p, s)
	if other := (*study.OtherResults)(nil); errors.As(err, &other) {
		what := "what it has"
		if other.Foreign {
			what = "the sessions that both have"
		}
		err = fmt.Errorf("%w; use another --out, with --from %s to take over %s", err, path, what)
	}
	return st, console.Failed(err)
}

// CellCommand writes the command line that gives a job's digits by itself.
func CellCommand(again []string) func(study.Job, *targets.Problem) string {
	return func(j study.Job, p *targets.Problem) string {
		return grammar.CommandLine(j.Config, p, append([]string{"run"}, again...)...)
	}
}

// allShards stands for the results files of all shards in a shell.
func allShards(path string, s study.Shard) string {
	if filepath.Base(path) != shardName(s) {
		return "FILE…"
	}
	dir, _ := filepath.Split(path)
	if dir != "" {
		dir = grammar.Quote(dir)
	}
	return dir + ShardNames(s.N)
}

// manifest is an indexed Kubernetes Job (batch/v1), whose pods run a shard each. What is within ⟨⟩ is filled in.
const manifest = `apiVersion: batch/v1
kind: Job
metadata: {name: psgld}
spec:
  completionMode: Indexed
  completions: ⟨pods⟩
  parallelism: ⟨pods⟩
  template:
    spec:
      restartPolicy: OnFailure                 # a pod that begins again goes on where it stopped
      containers:
      - name: psgld
        image: YOUR/psgld-tui                  # an image with the program in its PATH
        command: ⟨command⟩
        env:
        - {name: ⟨shards⟩, value: "⟨pods⟩"}    # = completions
        - {name: PSGLD_DATA, value: /work/data}
        resources: {requests: {cpu: "⟨cores⟩"}, limits: {cpu: "⟨cores⟩"}}
        volumeMounts: [{name: work, mountPath: /work}]
      volumes: [{name: work, persistentVolumeClaim: {claimName: psgld}}]
# When all pods are done: psgld-tui merge /work/report/⟨files⟩
`

// Manifest prints the Kubernetes Job of a reproduction: so many pods, which run a shard each with so many threads.
func (e *Env) Manifest(r reproduce.Request, pods, threads int) error {
	command, err := json.Marshal(append(reproduceCommand(r, nil, Options{}), "--threads", strconv.Itoa(threads),
		"--out", "/work/report"))
	console.Must(err)
	_, err = io.WriteString(e.Out, strings.NewReplacer(
		"⟨pods⟩", strconv.Itoa(pods), "⟨command⟩", string(command), "⟨shards⟩", shardsVar,
		"⟨cores⟩", strconv.Itoa(threads), "⟨files⟩", ShardNames(pods),
	).Replace(manifest))
	return console.Failed(err)
}
