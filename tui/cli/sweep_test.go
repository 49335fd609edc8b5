package cli

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"regexp"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
	"github.com/psgld/psgld-tui/tui/cli/studies"
	"github.com/psgld/psgld-tui/tui/grammar"
)

// TestSweep checks the document's form, that a cell is what run gives for the
// same values, and that threads change nothing.
func TestSweep(t *testing.T) {
	innerlooptest.Skip(t, "a sweep of many runs")
	args := []string{"sweep", "--steps", "2000", "--seed", "5", "--grid", "eps=0.1,0.3", "--grid",
		"alpha=0.9:0.99:lin:2", "--grid", "gamma=on,off", "--repeats", "2"}
	var d studies.SweepDoc
	document(t, &d, append(args, "--threads", "2")...)
	if got := d.Grid["eps"]; !slices.Equal(got, []any{0.1, 0.3}) {
		t.Errorf("the grid over eps is %v", got)
	}
	if got := d.Grid["gamma"]; !slices.Equal(got, []any{"on", "off"}) {
		t.Errorf("the grid over gamma is %v", got)
	}
	if len(d.Cells) != 16 || d.Repeats != 2 {
		t.Fatalf("%d cells and %d repeats, want 16 and 2", len(d.Cells), d.Repeats)
	}
	for i, c := range d.Cells {
		if c.Repeat != i%2 || c.Seed != 5+uint64(i%2) {
			t.Errorf("cell %d: repeat %d, seed %d", i, c.Repeat, c.Seed)
		}
		if i%5 != 0 {
			continue
		}
		var r engine.Result
		document(t, &r, "run", "--steps", "2000", "--seed", strconv.FormatUint(c.Seed, 10), "--gamma",
			c.Values["gamma"].(string),
			"--eps", inFull(c.Values["eps"]), "--alpha", inFull(c.Values["alpha"]))
		same(t, c.Lanes, r.Lanes)
	}
	var one studies.SweepDoc
	document(t, &one, append(args, "--threads", "1")...)
	for i := range d.Cells {
		same(t, d.Cells[i].Lanes, one.Cells[i].Lanes)
	}
}

func inFull(v any) string { return strconv.FormatFloat(v.(float64), 'g', -1, 64) }

// TestSweepTable checks the summary of the repeats.
func TestSweepTable(t *testing.T) {
	out := ok(t, "sweep", "--steps", "3000", "--grid", "eps=0.1,0.7", "--repeats", "3")
	for _, want := range []string{"eps  sampler", "cov. error", "0.1  A pSGLD", "0.7  B SGLD", "3 of 3\n",
		"0 of 3\n", " ± "} {
		if !strings.Contains(out, want) {
			t.Errorf("the table has no %q:\n%s", want, out)
		}
	}
	if out := ok(t, "sweep", "--steps", "10", "--grid", "eps=0.1"); !strings.Contains(out, "too short") {
		t.Errorf("the table of 10 steps does not say too short:\n%s", out)
	}
}

// A sweep ends in each lane's best value, or in what is missing with the command that resolves it, in the table and in
// the document. That command ends in a value.
func TestSweepVerdict(t *testing.T) {
	innerlooptest.Later(t, "sweeps of many runs")
	grid := []string{"sweep", "--samplers", "sgld,psgld", "--grid", "alpha=0.99,0.9", "--grid", "eps=1,0.1,0.3",
		"--repeats", "3"}
	said := func(args ...string) studies.SweepDoc {
		t.Helper()
		var d studies.SweepDoc
		document(t, &d, args...)
		return d
	}
	d := said(append(grid, "--steps", "30000")...)
	if l := d.Verdict.Lanes; len(l) != 2 || l[0].Best["eps"] != 0.1 || l[1].Best["alpha"] != 0.99 ||
		l[1].By != "cov_error" ||
		d.Verdict.Missing != nil {
		t.Errorf("%+v", d.Verdict)
	}
	one := []string{"sweep", "--samplers", "sgld", "--grid", "eps=0.6,1,0.1,0.03"}
	for _, c := range []struct {
		args       []string
		text, miss string
	}{
		{[]string{"--steps", "50000", "--repeats", "3"},
			"SGLD (A): lowest covariance error at eps = 0.03, alike ≤ 0.1; diverges from eps = 1 on\n", ""},
		{[]string{"--steps", "50000"}, "one seed gives no standard error, and so no best; --repeats 3 ", "--repeats 3"},
		{[]string{"--steps", "500", "--repeats", "3"}, "the cells are too short to compare; too short at eps ",
			"--steps 2000"},
		{[]string{"--target", "blr:synthetic", "--grid", "eps=1e-4,1e-3,1e-2", "--steps", "20000", "--repeats", "2"},
			"scores cannot see the bias of the step", "--bias"},
	} {
		args := append(slices.Clone(one), c.args...)
		if slices.Contains(c.args, "--grid") {
			args = append(slices.Clone(one[:3]), c.args...)
		}
		d := said(args...)
		if out := ok(t, args...); !strings.Contains(out, c.text) {
			t.Errorf("%q is not in\n%s", c.text, out)
		}
		if v := d.Verdict; (v.Missing == nil) != (c.miss == "") || !strings.Contains(v.Command, c.miss) {
			t.Errorf("%v: %+v", args, v)
		} else if v.Missing != nil && v.Command == "" {
			t.Errorf("%v: nothing resolves %q", args, *v.Missing)
		}
	}
}

// TestSweepDiverged checks the status if nothing came of any cell.
func TestSweepDiverged(t *testing.T) {
	r := runArgs(t, "sweep", "--samplers", "sgld", "--steps", "5000", "--grid", "eps=0.8,0.9", "--json")
	if want := "psgld-tui: every lane of all 2 cells diverged\n"; r.status != console.ExitDiverged || r.err != want {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if r := runArgs(t, "sweep", "--samplers", "sgld", "--steps", "5000", "--grid", "eps=0.1,0.9", "--json"); r.status != console.ExitDone {
		t.Errorf("one of two cells diverged: status %d, %q", r.status, r.err)
	}
}

// TestSweepInterrupted checks that the cells which are whole are printed.
func TestSweepInterrupted(t *testing.T) {
	longer(t, 200*time.Millisecond, func(wait time.Duration) bool { return sweepInterrupted(t, wait) })
}

// sweepInterrupted interrupts a sweep after a time, and is false if no cell was whole yet.
func sweepInterrupted(t *testing.T, after time.Duration) bool {
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	r := runContext(t, ctx, "sweep", "--json", "--threads", "1", "--samplers", "sgld", "--steps", "10000", "--grid",
		"eps=0.1,0.2", "--repeats", "40000")
	var d studies.SweepDoc
	if err := json.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatal(err)
	}
	if r.status != console.ExitInterrupted || !strings.HasSuffix(r.err, " of 80000 cells\n") {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	for _, c := range d.Cells {
		if c.Lanes[0].Steps != 10_000 {
			t.Errorf("a cell has %d steps", c.Lanes[0].Steps)
		}
	}
	return len(d.Cells) > 0
}

func TestAxis(t *testing.T) {
	p := gaussian(t)
	for text, want := range map[string][]float64{
		"eps=1,2, 3":        {1, 2, 3},
		"eps=1e-2:1:log:3":  {0.01, 0.1, 1},
		"eps=1:0.01:log:3":  {1, 0.1, 0.01},
		"alpha=0:0.8:lin:5": {0, 0.2, 0.4, 0.6, 0.8},
		"gamma=on,off":      {1, 0},
		"lr=0.5,1":          {1, 2}, // ε = 2h
		"temp=1/N,0.5":      {1, 0.5},
		"thin=1:3:lin:3":    {1, 2, 3},
	} {
		a, err := grammar.ParseAxis(text, p,
			[]state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")})
		if err != nil {
			t.Errorf("%s: %v", text, err)
			continue
		}
		if !slices.EqualFunc(a.Values, want, func(x, y float64) bool { return math.Abs(x-y) <= 1e-15 }) {
			t.Errorf("%s: %v, want %v", text, a.Values, want)
		}
	}
}

func gaussian(t testing.TB) *targets.Problem {
	t.Helper()
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	return p
}

// FuzzGrid feeds --grid: an error, or a grid whose every point is valid.
func FuzzGrid(f *testing.F) {
	for _, s := range []string{"eps=1e-3:1:log:20", "alpha=0.9,0.99", "lr=1:2:lin:3", "gamma=on,off", "temp=1/N",
		"thin=1:9:lin:9", "eps=", "=", "eps=1:2:log:-1", "burn-in=1e300"} {
		f.Add(s)
	}
	p := gaussian(f)
	cfg := state.Config{Target: p.Spec, Init: "zero",
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	f.Fuzz(func(t *testing.T, s string) {
		grid, err := grammar.ParseGrid([]string{s}, p, cfg.Lanes)
		if err != nil {
			return
		}
		for i := range min(grid.Size(), 100) {
			if err := grid.On(cfg, i).Validate(p); err != nil {
				t.Errorf("%q: point %d: %v", s, i, err)
			}
		}
	})
}

// A grid over a parameter of the target has a target for each cell, with its own truth. The command that a results file
// has for a cell gives its digits, and the file can be merged.
func TestGridOverTheTarget(t *testing.T) {
	if testing.Short() {
		t.Skip("a sweep of many runs")
	}
	dir := t.TempDir()
	args := []string{"sweep", "--target", "density:-x^2/2 - b*(y-x)^2;b=1", "--samplers", "sgld", "--eps", "0.07",
		"--grid", "target.b=0.5,2", "--steps", "30000"}
	table := ok(t, args...)
	ok(t, append(args, "--out", dir)...)
	files, err := filepath.Glob(filepath.Join(dir, "*.jsonl"))
	if err != nil || len(files) != 1 {
		t.Fatalf("%v, %v", files, err)
	}
	// What takes time differs between two runs.
	stable := regexp.MustCompile(`(?m)^\S+ +A SGLD +\S+ +\S+ +\S+ +\S+`)
	want := stable.FindAllString(table, -1)
	if got := stable.FindAllString(ok(t, "merge", files[0]), -1); len(got) != 2 || !slices.Equal(got, want) {
		t.Errorf("merged %q, want %q", got, want)
	}
	b, err := os.ReadFile(files[0])
	if err != nil {
		t.Fatal(err)
	}
	for _, value := range []string{"0.5", "2"} {
		spec := "density:-x^2/2 - b*(y-x)^2;b=" + value
		command := "psgld-tui run --target '" + spec + "' --samplers sgld --eps 0.07 --steps 30000"
		cell := regexp.MustCompile(regexp.QuoteMeta(command) + `".*("digest":"\w+")`).FindStringSubmatch(string(b))
		if cell == nil {
			t.Fatalf("no command %s in\n%s", command, b)
		}
		out := ok(t, "run", "--target", spec, "--samplers", "sgld", "--eps", "0.07", "--steps", "30000", "--json")
		if !strings.Contains(out, cell[1]) {
			t.Errorf("b = %s: the cell has the %s, and a run %s", value, cell[1], out)
		}
	}
	r := runArgs(t, "sweep", "--target", "banana", "--grid", "target.q=1")
	if r.status != console.ExitUsage ||
		!strings.Contains(r.err, `--grid target.q: is no parameter of banana (did you mean "target.b"?)`) {
		t.Errorf("status %d, %s", r.status, r.err)
	}
}

// A lane that lacks a parameter of the grid has one row for all its values.
func TestSweepRowsAreNotRepeated(t *testing.T) {
	out := ok(t, "sweep", "--steps", "200", "--grid", "eps=0.1,0.3", "--grid", "alpha=0.9,0.99,0.999", "--repeats", "2")
	if a, b := strings.Count(out, "A pSGLD"), strings.Count(out, "B SGLD"); a != 6 || b != 2 {
		t.Errorf("%d rows of pSGLD and %d of SGLD, want 6 and 2:\n%s", a, b, out)
	}
}
