package studies

import (
	"errors"
	"fmt"
	"os"
	"path/filepath"
	"strings"

	"github.com/psgld/psgld-tui/engine/atomicfile"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/version"
	"github.com/psgld/psgld-tui/tui/grammar"
)

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
			e.Tell(fmt.Sprintf("--from takes over results of version %s of the program; this is %s", v, version.String()))
		}
	}
	return known, nil
}

// ShardName is the name of a shard's results file.
func ShardName(s study.Shard) string {
	return fmt.Sprintf("results-%d-of-%d%s", s.I, s.N, ResultsExt)
}

// shardNames stands for the names of all shards in a shell.
func ShardNames(n int) string { return fmt.Sprintf("results-*-of-%d%s", n, ResultsExt) }

// ResultsPath is where the results of a shard go: out itself, if that is a file's
// name, or a file in it.
func ResultsPath(out string, s study.Shard) string {
	info, err := os.Stat(out)
	if err == nil && !info.IsDir() || err != nil && strings.HasSuffix(out, ResultsExt) {
		return out
	}
	return filepath.Join(out, ShardName(s))
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
	if filepath.Base(path) != ShardName(s) {
		return "FILE…"
	}
	dir, _ := filepath.Split(path)
	if dir != "" {
		dir = grammar.Quote(dir)
	}
	return dir + ShardNames(s.N)
}
