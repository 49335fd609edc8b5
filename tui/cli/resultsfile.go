package cli

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/spf13/cobra"

	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/study"

	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// resultsExt ends the name of a results file.
const resultsExt = ".jsonl"

// shardFlags are those of the commands that run many sessions.
type shardFlags struct {
	shard string
	out   string
	from  []string
}

func (f *shardFlags) add(c *cobra.Command, kind, doc string) {
	c.Flags().Var(textFlag{&f.shard, "I/N"}, "shard", "run only the I-th of N parts, for merge to join; by default the part that a Slurm array ($"+slurmID+
		") or an indexed Kubernetes Job ($"+kubeIndex+" and $"+shardsVar+") names")
	c.Flags().Var(textFlag{&f.out, kind}, "out", doc)
	c.Flags().StringArrayVar(&f.from, "from", nil, "take over the results of the same sessions from this file; may be given several times")
	must(c.MarkFlagFilename("from", strings.TrimPrefix(resultsExt, ".")))
}

// known reads --from.
func (e *env) known(f *shardFlags) (map[string]study.Outcome, error) {
	if len(f.from) == 0 {
		return nil, nil
	}
	known, versions, err := study.ReadKnown(f.from)
	if err != nil {
		return nil, failed(fmt.Errorf("--from: %w", err))
	}
	for _, v := range versions {
		if v != Version() {
			e.tell(fmt.Sprintf("--from takes over results of version %s of the program; this is %s", v, Version()))
		}
	}
	return known, nil
}

// shardName is the name of a shard's results file.
func shardName(s study.Shard) string {
	return fmt.Sprintf("results-%d-of-%d%s", s.I, s.N, resultsExt)
}

// shardNames stands for the names of all shards in a shell.
func shardNames(n int) string { return fmt.Sprintf("results-*-of-%d%s", n, resultsExt) }

// resultsPath is where the results of a shard go: out itself, if that is a file's
// name, or a file in it.
func resultsPath(out string, s study.Shard) string {
	info, err := os.Stat(out)
	if err == nil && !info.IsDir() || err != nil && strings.HasSuffix(out, resultsExt) {
		return out
	}
	return filepath.Join(out, shardName(s))
}

// openResults opens a shard's results file, and makes its folder.
func openResults(path string, p study.Plan, s study.Shard) (*study.Store, error) {
	if err := os.MkdirAll(filepath.Dir(path), 0o777); err != nil {
		return nil, failed(fmt.Errorf("--out: %w", atomicfile.CannotWrite(filepath.Dir(path), err)))
	}
	st, err := study.OpenStore(path, Version(), p, s)
	if other := (*study.OtherResults)(nil); errors.As(err, &other) {
		what := "what it has"
		if other.Foreign {
			what = "the sessions that both have"
		}
		err = fmt.Errorf("%w; use another --out, with --from %s to take over %s", err, path, what)
	}
	return st, failed(err)
}

// cellCommand writes the command line that gives a job's digits by itself.
func cellCommand(again []string) func(study.Job, *targets.Problem) string {
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
	return dir + shardNames(s.N)
}
