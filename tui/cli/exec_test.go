//go:build unix

package cli

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/targets/child/childtest"
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
	if err := json.Unmarshal([]byte(r.out), &doc); err != nil || r.status != exitDone || doc.Config.Target != target || doc.Lanes[0].Steps != 300 || !(doc.Lanes[0].Rate > 0) || !(doc.Lanes[0].Share > 0) {
		t.Fatalf("status %d, %v, %s%s", r.status, err, r.out, r.err)
	}
	// A file starts no command.
	for _, args := range [][]string{{"replay", "--verify", rec}, {"replay", "--draws", filepath.Join(dir, "draws"), rec}, {"replay", "--plain", rec}} {
		if r := runArgs(t, args...); r.status != exitUsage || !strings.Contains(r.err, "starts a command, which a file must not do unless --allow-exec is given") {
			t.Errorf("%v: status %d, %s", args, r.status, r.err)
		}
	}
	if r := runArgs(t, "replay", "--verify", "--allow-exec", rec); r.status != exitDone || !strings.HasPrefix(r.out, "verified") {
		t.Errorf("allowed: status %d, %s%s", r.status, r.out, r.err)
	}
}

func TestModelThatFails(t *testing.T) {
	cache := t.TempDir()
	t.Setenv("XDG_CACHE_HOME", cache)
	w := childtest.Normal(2)
	w.Fault, w.After = "die", 50
	r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--samplers", "sgld,psgld", "--steps", "300")
	if r.status != exitDiverged || !strings.Contains(r.err, "has ended before it has answered (exit status 3): ValueError: not today") || strings.Count(r.err, "\n") != 1 {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	if log, err := os.ReadFile(filepath.Join(cache, "psgld-tui", "exec.log")); !strings.Contains(string(log), "ValueError: not today\n") {
		t.Errorf("log %q, %v", log, err)
	}
	for target, want := range map[string]string{
		"exec:":          "--target exec: must be exec:COMMAND, such as exec:python3 model.py, got no command",
		"exec:echo hi":   `first line is "hi", want a JSON object`,
		"exec:sleep 100": "has not written its first line within 200ms",
	} {
		if r := runArgs(t, "run", "--target", target, "--child-limit", "200ms"); r.status == exitDone || !strings.Contains(r.err, want) || strings.Count(r.err, "\n") != 1 {
			t.Errorf("%s: status %d: %s", target, r.status, r.err)
		}
	}
	if r := runArgs(t, "run", "--target", "exec:true", "--child-limit", "soon"); r.status != exitUsage || !strings.Contains(r.err, `must be a time from 1ms to 24h, such as 10s, got "soon"`) {
		t.Errorf("status %d: %s", r.status, r.err)
	}
	w = childtest.Normal(2)
	w.Data = 50
	if r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--batch", "10"); r.status != exitUsage || !strings.Contains(r.err, "needs a target that takes minibatches") {
		t.Errorf("a batch: status %d: %s", r.status, r.err)
	}
	if r := runArgs(t, "run", "--target", "exec:"+w.Command(), "--bias"); r.status != exitUsage || !strings.Contains(r.err, "needs a target within the program") {
		t.Errorf("a bias: status %d: %s", r.status, r.err)
	}
}
