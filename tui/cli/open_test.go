package cli

import (
	"fmt"
	"math"
	"math/rand/v2"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/psgld/psgld-tui/engine"
	"github.com/psgld/psgld-tui/engine/quantity"
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

// A file of draws of the target is a session to be compared with: its mean is that of the rows.
func TestDrawsBehind(t *testing.T) {
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	var rows, others strings.Builder
	rows.WriteString("theta.1,theta.2\n")
	others.WriteString("alpha,beta\n1,2\n")
	const n = 2000
	r, sum := rand.New(rand.NewPCG(1, 2)), 0.0
	for range n {
		x := math.Round(1e6*r.NormFloat64()) / 1e6
		sum += x
		fmt.Fprintf(&rows, "%g,%g\n", x, r.NormFloat64())
	}
	dir := t.TempDir()
	for name, text := range map[string]string{"draws.csv": rows.String(), "others.csv": others.String()} {
		if err := os.WriteFile(filepath.Join(dir, name), []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	behind := func(name string) (*engine.Snapshot, error) {
		return replayed(t.Context(), filepath.Join(dir, name), p, targets.Options{}, &study.Truths{},
			new(control.Loading))
	}
	s, err := behind("draws.csv")
	if err != nil {
		t.Fatal(err)
	}
	got := s.Lanes[0].Coords[0].Values[quantity.Mean].Value
	if s.Problem.Spec != p.Spec || s.Lanes[0].Draws != n || math.Abs(got-sum/n) > 1e-12 {
		t.Errorf("%s, %d draws with the mean %g, want %d with %g", s.Problem.Spec, s.Lanes[0].Draws, got, n, sum/n)
	}
	for name, want := range map[string]string{"others.csv": "alpha", "none.csv": "no such file"} {
		if _, err := behind(name); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%s: %v, want it to tell of %s", name, err, want)
		}
	}
}
