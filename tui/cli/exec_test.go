//go:build unix

package cli

import (
	"encoding/json"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/targets/child"
	"github.com/psgld/psgld-tui/targets/child/childtest"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

func TestModelInAnotherProcess(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	target := "exec:" + childtest.Normal(2).Command()
	dir := t.TempDir()
	rec := filepath.Join(dir, "session.json")
	r := runArgs(t, "run", "--target", target, "--samplers", "sgld", "--steps", "300", "--json", "--record", rec)
	var doc struct {
		Config struct{ Target string }
		Lanes  []struct {
			Steps int
			Rate  float64 `json:"gradients_per_second"`
			Share float64 `json:"outside_share"`
		}
	}
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || r.status != console.ExitDone ||
		doc.Config.Target != target || doc.Lanes[0].Steps != 300 || !(doc.Lanes[0].Rate > 0) ||
		!(doc.Lanes[0].Share > 0) {
		t.Fatalf("status %d, %v, %s%s", r.status, err, r.out, r.err)
	}
	// A file starts no command.
	for _, args := range [][]string{{"replay", "--verify", rec},
		{"replay", "--draws", filepath.Join(dir, "draws"), rec}, {"replay", "--plain", rec}} {
		if r := runArgs(t, args...); r.status != console.ExitUsage ||
			!strings.Contains(r.err, "starts a command, which a file must not do unless --allow-exec is given") {
			t.Errorf("%v: status %d, %s", args, r.status, r.err)
		}
	}
	if r := runArgs(t, "replay", "--verify", "--allow-exec", rec); r.status != console.ExitDone ||
		!strings.HasPrefix(r.out, "verified") {
		t.Errorf("allowed: status %d, %s%s", r.status, r.out, r.err)
	}
}

// A truth is drawn of a model too, by a child for each chain. It is the exact one within its error, and is not kept,
// since the command can come to mean another model.
func TestTruthOfAModel(t *testing.T) {
	innerlooptest.Skip(t, "a truth of another process")
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	p, err := targets.Open("exec:"+childtest.Normal(2).Command(), targets.Options{Commands: &child.Commands{Any: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.F64.(targets.Outside[float64]).Close)
	find := &study.Truth{Problem: p, Cache: filepath.Join(cache, "psgld-tui", "truth"), Config: state.Config{
		Target: p.Spec,
		Seed:   1,
		Lanes:  []state.Setting{state.DefaultSetting(p, "sgld")},
		Truth:  state.Truth{Sampler: "hmc", Draws: 4000},
	}}
	ref, note, err := find.Run(t.Context())
	if err != nil || note.Unkept != nil || ref.Cached || ref.MinESS < 1000 {
		t.Fatalf("%+v, %+v, %v", ref, note, err)
	}
	for i, variance := range []float64{1, 2} {
		// The standard error of the mean is 0.03 sd where the ESS is 1,000.
		sd := math.Sqrt(variance)
		if m, s := ref.Mean[i], ref.SD[i]; math.Abs(m) > 0.13*sd || math.Abs(s-sd) > 0.13*sd {
			t.Errorf("coordinate %d: mean %.3f, sd %.3f, want 0 and %.3f", i, m, s, sd)
		}
	}
	if left, _ := filepath.Glob(filepath.Join(cache, "psgld-tui", "truth", "*")); len(left) > 0 {
		t.Errorf("%v are kept", left)
	}
	w := childtest.Normal(2)
	w.Fault, w.After = "die", 50
	r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--samplers", "sgld", "--steps", "300", "--truth", "hmc")
	if r.status != console.ExitFailed || !strings.Contains(r.err, "A (hmc) stopped at step ") ||
		!strings.Contains(r.err, "ValueError: not today") {
		t.Errorf("status %d: %s", r.status, r.err)
	}
}

// A model with data has the curve of its log posterior, and no view of predictions, which it does not make.
func TestViewsOfAModelWithData(t *testing.T) {
	t.Setenv("XDG_CACHE_HOME", t.TempDir())
	w := childtest.Normal(2)
	w.Data, w.Minibatches = 50, true
	p, err := targets.Open("exec:"+w.Command(), targets.Options{Commands: &child.Commands{Any: true}})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.F64.(targets.Outside[float64]).Close)
	// The data have mean 0.49 and variance 2499/30000. So 1 beyond the mean a datum has a mean
	// log-likelihood of -½(1 + 0.0833) in each coordinate.
	if y := p.F64.(targets.LogDensity[float64]).LogLik([]float64{1.49, 1.49}); math.Abs(y+54.165) > 1e-9 {
		t.Errorf("the log-likelihood of all data is %v, want -54.165", y)
	}
	for _, c := range []struct {
		known       bool
		shown, lack string
	}{{true, "log posterior", "step norms"}, {false, "drift", "log posterior"}} {
		w.LogDensity = c.known
		path := filepath.Join(t.TempDir(), "stage.txt")
		ok(t, "picture", path, "--target", "exec:"+w.Command(), "--keys", "steps=300", "--size", "120x36")
		b, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		got := string(b)
		for _, want := range []string{c.shown, "1-2 6 view"} {
			if !strings.Contains(got, want) {
				t.Errorf("no %q where the log density is known: %v\n%s", want, c.known, got)
			}
		}
		for _, bad := range []string{c.lack, "test error", "NLL"} {
			if strings.Contains(got, bad) {
				t.Errorf("%q where the log density is known: %v\n%s", bad, c.known, got)
			}
		}
	}
}

func TestModelThatFails(t *testing.T) {
	innerlooptest.Skip(t, "it waits for a program")
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	w := childtest.Normal(2)
	w.Fault, w.After = "die", 50
	r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--samplers", "sgld,psgld", "--steps", "300")
	if r.status != console.ExitDiverged || !strings.HasPrefix(r.err, "psgld-tui: every lane stopped: ") ||
		!strings.Contains(r.err, "has ended before it has answered (exit status 3): ValueError: not today") ||
		strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	r = runArgs(t, "sweep", "--grid", "eps=0.1,0.3", "--steps", "300", "--target", "exec:"+w.Command(),
		"--samplers", "sgld")
	if r.status != console.ExitFailed || !strings.Contains(r.err, "A (sgld) stopped at step ") ||
		strings.Contains(r.out, "diverge") {
		t.Errorf("a sweep blames its ε: status %d: %s%s", r.status, r.out, r.err)
	}
	log, err := os.ReadFile(filepath.Join(cache, "psgld-tui", "exec.log"))
	if !strings.Contains(string(log), "ValueError: not today\n") {
		t.Errorf("log %q, %v", log, err)
	}
	for target, want := range map[string]string{
		"exec:":          "--target exec: must be exec:COMMAND, such as exec:python3 model.py, got no command",
		"exec:echo hi":   `first line is "hi", want a JSON object`,
		"exec:sleep 100": "has not written its first line within 200ms",
	} {
		if r := runArgs(t, "run", "--target", target, "--child-limit", "200ms"); r.status == console.ExitDone ||
			!strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: status %d: %s", target, r.status, r.err)
		}
	}
	if r := runArgs(t, "run", "--target", "exec:true", "--child-limit", "soon"); r.status != console.ExitUsage ||
		!strings.Contains(r.err, `must be a time from 1ms to 24h, such as 10s, got "soon"`) {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	w = childtest.Normal(2)
	w.Data = 50
	if r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--batch", "10"); r.status != console.ExitUsage ||
		!strings.Contains(r.err, "needs a target that takes minibatches") {
		t.Errorf("a batch: status %d: %s", r.status, r.err)
	}
	if r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--bias"); r.status != console.ExitUsage ||
		!strings.Contains(r.err, "needs a target within the program") {
		t.Errorf("a bias: status %d: %s", r.status, r.err)
	}
}
