package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/study"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/control"
)

// What was recorded is listed, the newest first, and can be opened by its file or
// by its folder.
func TestOpenSession(t *testing.T) {
	dir := t.TempDir()
	at := func(name string) string { return filepath.Join(dir, name) }
	ok(t, "run", "--steps", "300", "--record", at("old.json"))
	if err := os.Mkdir(at("saved"), 0o777); err != nil {
		t.Fatal(err)
	}
	ok(t, "run", "--target", "banana", "--samplers", "sgld", "--steps", "1200", "--record", at("saved/session.json"))
	then := time.Now().Add(-time.Hour)
	if err := os.Chtimes(at("old.json"), then, then); err != nil {
		t.Fatal(err)
	}
	write(t, at("other.json"), `{"a": 1}`)
	write(t, at("broken.json"), `{"psgld_recording": 1, "config"`)
	write(t, at("notes.txt"), "no session")
	if err := os.Mkdir(at("empty"), 0o777); err != nil {
		t.Fatal(err)
	}
	all := savedSessions(dir)
	if len(all) != 2 || all[0].Path != at("saved") || all[1].Path != at("old.json") {
		t.Fatalf("the list is %+v", all)
	}
	if all[0].About != "banana, sgld, 1,200 steps" {
		t.Errorf("the first is %q", all[0].About)
	}
	for _, path := range []string{at("saved"), at("saved/session.json")} {
		l, err := openSession(t.Context(), path, targets.Options{}, &study.Truths{}, new(control.Loading))
		if err != nil || l.Problem.Spec != "banana" || len(l.Script) != 1 || l.Script[0].At[0] != 1200 {
			t.Errorf("%s: %+v, %v", path, l.Script, err)
		}
		s, err := session.New(l.Config, l.Problem, session.Runtime{Replay: l.Script})
		if err != nil {
			t.Fatal(err)
		}
		if err := s.Run(t.Context()); err != nil {
			t.Error(err)
		}
	}
	for name, want := range map[string]string{
		"gone": "cannot read " + at("gone") + ": ", "empty": "cannot read " + at("empty/session.json"),
		"other.json":  at("other.json") + ": not a recording",
		"broken.json": at("broken.json") + ": the recording is cut off",
	} {
		if _, err := openSession(t.Context(), at(name), targets.Options{}, &study.Truths{}, new(control.Loading)); err == nil || !strings.HasPrefix(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("%s: %v, want %s", name, err, want)
		}
	}
	if got := savedSessions(at("gone")); got != nil {
		t.Errorf("in no folder there are %v", got)
	}
}
