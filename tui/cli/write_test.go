package cli

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
)

func TestWriteSession(t *testing.T) {
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: p.Spec, Seed: 3, Steps: 500,
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	s, err := session.New(cfg, p, session.Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan error, 1)
	go func() { done <- s.Run(ctx) }()
	for s.Snapshot().Phase != state.Done {
		<-s.Changed()
	}
	dir := filepath.Join(t.TempDir(), "saved")
	got, _, err := writeSession(ctx, s, dir)
	if err != nil || got != (control.Written{Where: dir, Draws: 500, Of: 500}) {
		t.Fatalf("%+v, %v", got, err)
	}
	var rec engine.Recording
	b, err := os.ReadFile(filepath.Join(dir, "session.json"))
	if err != nil {
		t.Fatal(err)
	}
	if err := json.Unmarshal(b, &rec); err != nil {
		t.Fatal(err)
	}
	if err := session.Verify(context.Background(), rec, session.Runtime{}); err != nil {
		t.Error(err)
	}
	csv, err := os.ReadFile(filepath.Join(dir, "B-sgld.csv"))
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(strings.TrimSpace(string(csv)), "\n")
	if len(lines) != 502 || lines[1] != "theta.1,theta.2" {
		t.Errorf("%d lines, header %q", len(lines), lines[1])
	}
	if _, _, err := writeSession(ctx, s, dir); err == nil || !strings.Contains(err.Error(), "cannot write "+dir) {
		t.Errorf("over an old folder: %v", err)
	}
	if _, _, err := writeSession(ctx, s, filepath.Join(dir, "no", "where")); err == nil {
		t.Error("no error for a folder that cannot be made")
	}
	// Without a name there is one that is free, however soon after the last.
	t.Chdir(t.TempDir())
	seen := map[string]bool{}
	for range 3 {
		got, _, err := writeSession(ctx, s, "")
		if err != nil || seen[got.Where] {
			t.Errorf("%+v, %v", got, err)
		}
		seen[got.Where] = true
	}
	cancel()
	<-done
}

// A link is followed, a device is written to and stays what it is.
func TestRecordToWhatIsNoFile(t *testing.T) {
	dir := t.TempDir()
	target := filepath.Join(dir, "target.json")
	link := filepath.Join(dir, "link.json")
	write(t, target, "old")
	if err := os.Symlink(target, link); err != nil {
		t.Skip(err)
	}
	ok(t, "run", "--steps", "10", "--record", link)
	if b, err := os.ReadFile(target); err != nil || !strings.Contains(string(b), "psgld_recording") {
		t.Errorf("the link's target holds %q, %v", b, err)
	}
	if info, err := os.Lstat(link); err != nil || info.Mode()&os.ModeSymlink == 0 {
		t.Errorf("the link is %v, %v", info, err)
	}
	null := filepath.Join(dir, "null")
	if err := os.Symlink(os.DevNull, null); err != nil {
		t.Skip(err)
	}
	ok(t, "run", "--steps", "10", "--record", null)
	if info, err := os.Stat(os.DevNull); err != nil || info.Mode().IsRegular() {
		t.Fatalf("%s is %v now, %v", os.DevNull, info, err)
	}
}
