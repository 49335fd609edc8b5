package cli

import (
	"context"
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/quantity"
	"github.com/psgld/psgld-tui/metrics"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// TestDocument checks the JSON document's keys for a target with a truth: what
// the contract names, and nothing that the target does not have.
func TestDocument(t *testing.T) {
	var d map[string]any
	document(t, &d, "run", "--steps", "20000", "--samplers", "psgld,sgld:eps=0.1")
	if got := keysOf(d); !slices.Equal(got, []string{"config", "ended_by", "findings", "lanes", "run", "version"}) {
		t.Errorf("the document has %v", got)
	}
	lanes := d["lanes"].([]any)
	if len(lanes) != 2 {
		t.Fatalf("%d lanes, want 2", len(lanes))
	}
	want := []string{
		"act", "chains", "cov", "cov_error", "cov_error_se", "cov_noise", "digest", "diverged", "draws", "eps",
		"ess", "ess_bulk", "ess_per_second",
		"ess_tail", "gradients", "kind", "lane", "location_z", "loss", "lr",
		"max_act", "max_act_se", "mcse", "mcse_q5", "mcse_q95", "mcse_sd", "mean", "mean_error", "min_ess", "names",
		"pareto_k", "pareto_k_se",
		"q5", "q95", "rhat", "sampler", "sd", "seconds", "sliced_w2", "steps", "steps_per_second", "temperature",
		"temperature_se", "w2",
	}
	lane := lanes[0].(map[string]any)
	if got := keysOf(lane); !slices.Equal(got, want) {
		t.Errorf("a psgld lane has\n %v, want what this test lists\n %v", got, want)
	}
	if got := keysOf(lanes[1].(map[string]any)); !slices.Contains(got, "cov_bias") {
		t.Errorf("an sgld lane of a Gaussian has %v, want cov_bias too", got)
	}
	for key, v := range map[string]any{"sampler": "psgld", "steps": 20000.0, "draws": 20000.0, "diverged": nil,
		"eps": 0.3, "lr": 0.15} {
		if lane[key] != v {
			t.Errorf("%s is %v, want %v", key, lane[key], v)
		}
	}
	for _, key := range []string{"names", "mean", "sd", "mcse", "act", "ess", "cov"} {
		if n := len(lane[key].([]any)); n != 2 {
			t.Errorf("%s has %d entries, want 2", key, n)
		}
	}
}

func keysOf(m map[string]any) []string {
	var keys []string
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// TestDocumentOfData checks the scores of a target with data.
func TestDocumentOfData(t *testing.T) {
	var d map[string]any
	document(t, &d, "run", "--target", "blr:synthetic", "--steps", "2000", "--samplers", "sgld")
	lane := d["lanes"].([]any)[0].(map[string]any)
	for _, key := range []string{"test_error", "nll", "brier", "ece", "train_error"} {
		if x, ok := lane[key].(float64); !ok || !(x >= 0 && x < 1) {
			t.Errorf("%s is %v", key, lane[key])
		}
	}
	if _, has := lane["cov_error"]; has {
		t.Error("there is a covariance error without a known truth")
	}
}

// A lane whose errors leave out a bias of which nothing tells says so: not HMC's, not one with an estimate or a truth,
// but one whose estimate is withheld, since its step is too large for it (4σ² is 2 in the third coordinate, and 4 in the
// others): its sd of 3.2 there, where √½ is right, has an error of 0.03.
func TestDocumentSaysThatBiasIsUnknown(t *testing.T) {
	innerlooptest.Numbers(t, "long runs")
	const plain, bias = "density:-t1^2/2-t2^2/2-t3^2", "--bias"
	for _, c := range []struct {
		target, lane string
		more         []string
		unknown      bool
	}{
		{plain, "sgld:eps=0.3", nil, true}, {plain, "sgld:eps=0.3", []string{bias}, false},
		{plain, "sgld:eps=1.9", []string{bias}, true}, {plain, "hmc", nil, false}, {"gaussian", "psgld", nil, false},
	} {
		var d map[string]any
		document(t, &d, append([]string{"run", "--target", c.target, "--samplers", c.lane, "--steps", "40000"}, c.more...)...)
		lane := d["lanes"].([]any)[0].(map[string]any)
		if mcse := lane["mcse"].([]any)[0]; (lane["bias_unknown"] == true) != c.unknown || mcse == nil {
			t.Errorf("%v: bias_unknown is %v, with an error of %v", c, lane["bias_unknown"], mcse)
		}
	}
}

// TestTooShort checks that what cannot be trusted is null, and that notes say
// why.
func TestTooShort(t *testing.T) {
	var d map[string]any
	document(t, &d, "run", "--steps", "20", "--samplers", "sgld")
	lane := d["lanes"].([]any)[0].(map[string]any)
	for _, key := range []string{"act", "ess", "mcse"} {
		if v := lane[key].([]any)[0]; v != nil {
			t.Errorf("%s of 20 draws is %v, want null", key, v)
		}
	}
	if lane["min_ess"] != nil || lane["ess_per_second"] != nil {
		t.Errorf("min_ess %v, ess_per_second %v of 20 draws, want null", lane["min_ess"], lane["ess_per_second"])
	}
	notes, _ := json.Marshal(lane["notes"])
	if !strings.Contains(string(notes), "too short (20 draws)") {
		t.Errorf("the notes are %s", notes)
	}
	if out := ok(t, "run", "--steps", "20", "--samplers", "sgld"); !strings.Contains(out, "too short") {
		t.Errorf("the table does not say that it is too short:\n%s", out)
	}
}

// TestDiverged checks that the document is printed all the same, and the
// status is 3 only if every lane is lost. SGLD on σ² = 0.16 is unstable from
// ε = 4σ² = 0.64 on.
func TestDiverged(t *testing.T) {
	args := []string{"run", "--eps", "0.7", "--steps", "5000", "--json"}
	r := runArgs(t, append(args, "--samplers", "sgld,sgld")...)
	var d engine.Result
	if err := json.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatal(err)
	}
	if r.status != console.ExitDiverged ||
		!strings.HasPrefix(r.err, "psgld-tui: every lane diverged: A (sgld) at step ") ||
		strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	if div := d.Lanes[0].Diverged; div == nil || div.Step == 0 || !strings.Contains(div.Reason(), "4σ² = 0.64") {
		t.Errorf("the lane diverged: %+v", div)
	}
	if r := runArgs(t, append(args, "--samplers", "psgld,sgld")...); r.status != console.ExitDone || r.err != "" {
		t.Errorf("one of two lanes diverged: status %d, %q", r.status, r.err)
	}
	table := runArgs(t, "run", "--eps", "0.7", "--steps", "5000")
	if !strings.Contains(table.out, "B SGLD diverged at step ") {
		t.Errorf("the table does not say so:\n%s", table.out)
	}
}

// TestDefaultLength checks the length of a run that no limit is given for.
func TestDefaultLength(t *testing.T) {
	var d engine.Result
	document(t, &d, "run", "--samplers", "sgld")
	if got := d.Lanes[0].Steps; got != 200_000 {
		t.Errorf("%d steps, want the target's 200,000", got)
	}
	document(t, &d, "run", "--samplers", "sgld", "--target", "blr:synthetic", "--epochs", "2", "--batch", "30")
	if got, want := d.Lanes[0].Steps, uint64(math.Ceil(2*1000/30.)); got != want {
		t.Errorf("%d steps in 2 epochs, want %d", got, want)
	}
}

// TestThreads checks that no number depends on the number of threads.
func TestThreads(t *testing.T) {
	if testing.Short() {
		t.Skip("the engine has the same test")
	}
	for _, target := range []string{"gaussian", "blr:synthetic"} {
		var one, two engine.Result
		args := []string{"run", "--target", target, "--steps", "3000", "--samplers", "psgld,sgld,psgld:alpha=0.9",
			"--threads"}
		document(t, &one, append(args, "1")...)
		document(t, &two, append(args, "2")...)
		same(t, one.Lanes, two.Lanes)
	}
}

// same compares results but for their timings.
func same(t testing.TB, a, b []engine.LaneResult) {
	t.Helper()
	inFull := func(all []engine.LaneResult) string {
		all = slices.Clone(all)
		for i := range all {
			all[i].Seconds, all[i].StepsPerSecond, all[i].Values[quantity.ESSPerSecond] = 0, 0, metrics.Estimate{}
		}
		b, err := json.Marshal(all)
		if err != nil {
			t.Fatal(err)
		}
		return string(b)
	}
	if x, y := inFull(a), inFull(b); x != y {
		t.Errorf("results differ:\n%s\n%s", x, y)
	}
}

// TestInterrupted checks that a run which is stopped midway writes all that it
// has: the document, the draws and the recording.
func TestInterrupted(t *testing.T) {
	longer(t, 150*time.Millisecond, func(wait time.Duration) bool { return interrupted(t, wait) })
}

// longer gives something a time, and more of it as long as it comes to nothing on a busy
// machine.
func longer(t *testing.T, wait time.Duration, came func(time.Duration) bool) {
	t.Helper()
	for ; !came(wait); wait *= 4 {
		if wait > time.Minute {
			t.Fatalf("nothing within %v", wait)
		}
	}
}

// interrupted interrupts a run after a time, and is false if nothing was drawn yet.
func interrupted(t *testing.T, after time.Duration) bool {
	dir := t.TempDir()
	rec, out := filepath.Join(dir, "session.json"), filepath.Join(dir, "draws")
	ctx, cancel := context.WithTimeout(t.Context(), after)
	defer cancel()
	r := runContext(t, ctx, "run", "--json", "--thin", "100", "--steps", "1000000000000", "--draws", out,
		"--record", rec)
	if r.status != console.ExitInterrupted || !strings.HasPrefix(r.err, "psgld-tui: interrupted at step ") ||
		strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d, %q", r.status, r.err)
	}
	var d engine.Result
	if err := json.Unmarshal([]byte(r.out), &d); err != nil {
		t.Fatalf("%v in %s", err, r.out)
	}
	if d.Lanes[0].Draws == 0 {
		return false
	}
	for i, name := range []string{"A-psgld.csv", "B-sgld.csv"} {
		f := readDraws(t, filepath.Join(out, name))
		if uint64(len(f.rows)) != d.Lanes[i].Draws {
			t.Errorf("%s has %d draws, the document %d", name, len(f.rows), d.Lanes[i].Draws)
		}
	}
	if entries, _ := os.ReadDir(out); len(entries) != 2 {
		t.Errorf("the folder holds %v, want two files", entries)
	}
	if got := ok(t, "replay", "--verify", rec); !strings.HasPrefix(got, "verified ") {
		t.Errorf("replay says %q", got)
	}
	return true
}

// TestRecordAndReplay checks a recording, and that a changed one is found out.
func TestRecordAndReplay(t *testing.T) {
	dir := t.TempDir()
	rec := filepath.Join(dir, "session.json")
	ok(t, "run", "--steps", "5000", "--record", rec)
	// Two lanes, digests at 1024, 2048, 4096 and the end each.
	if got := ok(t, "replay", rec, "--verify"); got != "verified 8 digests\n" {
		t.Errorf("replay says %q", got)
	}
	again := filepath.Join(dir, "again")
	got := ok(t, "replay", rec, "--verify", "--draws", again)
	if files, _ := os.ReadDir(again); len(files) != 2 || !strings.HasPrefix(got, "verified 8 digests\n") {
		t.Errorf("replay with draws too says %q, and writes %v", got, files)
	}
	b, err := os.ReadFile(rec)
	if err != nil {
		t.Fatal(err)
	}
	for _, change := range []struct{ from, to, want string }{
		{`"eps": 0.3`, `"eps": 0.31`, "lane A differs after 1024 steps: digest "},
		{`"seed": 1`, `"seed": 2`, "lane A differs after 1024 steps: digest "},
	} {
		bad := write(t, filepath.Join(dir, "bad.json"), strings.Replace(string(b), change.from, change.to, 1))
		r := runArgs(t, "replay", "--verify", bad)
		if want := "psgld-tui: " + bad + ": " + change.want; r.status != console.ExitFailed ||
			!strings.HasPrefix(r.err, want) || r.out != "" {
			t.Errorf("%s: status %d, %q", change.to, r.status, r.err)
		}
	}
}

// TestVersion checks what --version prints.
func TestVersion(t *testing.T) {
	lines := strings.Split(ok(t, "--version"), "\n")
	if len(lines) != 4 || !strings.HasPrefix(lines[0], "psgld-tui ") || !strings.HasPrefix(lines[1], "go1.") ||
		!strings.HasPrefix(lines[2], "kernels: ") {
		t.Errorf("--version prints %q", lines)
	}
}

// TestHelp checks that every command has help that names its flags.
func TestHelp(t *testing.T) {
	for args, want := range map[string][]string{
		"--help":       {"--eps", "--alpha", "--plain", "sweep", "replay FILE"},
		"run --help":   {"--draws", "--record", "--json", "--lambda"},
		"help run":     {"--draws"},
		"sweep -h":     {"--grid", "--repeats"},
		"replay -h":    {"--verify"},
		"data -h":      {"list", "verify"},
		"data list -h": {"--data"},
		"man":          {"EXIT STATUS", "TARGETS", "burn"},
	} {
		out := ok(t, strings.Fields(args)...)
		for _, w := range want {
			if !strings.Contains(out, w) {
				t.Errorf("%s does not speak of %s", args, w)
			}
		}
		if strings.Contains(out, "\x1b[") {
			t.Errorf("%s has escape sequences", args)
		}
	}
}

// TestCompletion checks the scripts, and what is offered for a flag.
func TestCompletion(t *testing.T) {
	for _, shell := range shells() {
		if out := ok(t, "completion", shell); !strings.Contains(out, "__complete") {
			t.Errorf("the script for %s completes nothing", shell)
		}
	}
	for _, c := range []struct {
		args []string
		want string
	}{
		{[]string{"run", "--samplers", "psgld,sg"}, "psgld,sgld\t"},
		{[]string{"run", "--samplers", "sgld:eps=1;t"}, "sgld:eps=1;temp=\t"},
		{[]string{"run", "--samplers", "psgld:g"}, "psgld:gamma=on\t"},
		{[]string{"run", "--target", ""}, "blr:synthetic\n"},
		{[]string{"--schedule", ""}, "halve:20ep\n"},
		{[]string{"sweep", "--grid", ""}, "lambda=\n"},
		{[]string{"completion", ""}, "fish\n"},
		{[]string{"check", "a.csv", "--method", "psgld:g"}, "psgld:gamma=on\t"},
		{[]string{"check", ""}, "npy\n"},
		{[]string{"run", "--standardize", ""}, "off\n"},
	} {
		r := runArgs(t, append([]string{"__complete"}, c.args...)...)
		if r.status != console.ExitDone || !strings.Contains(r.out, c.want) {
			t.Errorf("%v: status %d, %q", c.args, r.status, r.out)
		}
	}
}

// Thinning by a whole number of shuffled epochs is told: the draws are then less spread out
// than the chain.
func TestThinningByEpochsIsTold(t *testing.T) {
	for args, want := range map[string]bool{
		"--batch 100 --thin 10 --batching shuffle": true,
		"--batch 100 --thin 20 --batching shuffle": true,
		"--batch 100 --thin 7 --batching shuffle":  false,
		"--batch 100 --thin 5 --batching shuffle":  false,
		"--batch 100 --thin 10":                    false, "--batch full --thin 10 --batching shuffle": false,
	} {
		r := runArgs(t, append([]string{"run", "--target", "blr:synthetic", "--steps", "200"},
			strings.Fields(args)...)...)
		if got := strings.Contains(r.out, "note: --thin"); got != want {
			t.Errorf("%s: told %v, want %v", args, got, want)
		}
	}
}

// --until alone is the limit, and the document says so. Where another one comes first, it says that.
func TestUntil(t *testing.T) {
	var d struct {
		EndedBy string `json:"ended_by"`
		Config  struct{ Until string }
		Lanes   []struct {
			Steps  uint64
			Digest string
			ESS    []float64
		}
	}
	document(t, &d, "run", "--until", "ess=300", "--samplers", "sgld")
	if d.EndedBy != "until" || d.Config.Until != "ess=300" || slices.Min(d.Lanes[0].ESS) < 300 ||
		d.Lanes[0].Steps > 20000 {
		t.Errorf("%+v", d)
	}
	was := d.Lanes[0]
	document(t, &d, "run", "--until", "ess=300", "--samplers", "sgld", "--steps", "1000000", "--threads", "1")
	if d.EndedBy != "until" || d.Lanes[0].Digest != was.Digest {
		t.Errorf("%+v, want the end of %+v", d, was)
	}
	if document(t, &d, "run", "--until", "ess=300", "--samplers", "sgld", "--steps", "200"); d.EndedBy != "steps" ||
		d.Lanes[0].Steps != 200 {
		t.Errorf("%+v", d)
	}
}
