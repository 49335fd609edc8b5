package cli

import (
	"context"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/engine/driver"
	"github.com/psgld/psgld-tui/engine/innerlooptest"
	"github.com/psgld/psgld-tui/engine/numerics"
	"github.com/psgld/psgld-tui/engine/session"
	"github.com/psgld/psgld-tui/engine/state"
	"github.com/psgld/psgld-tui/targets"
	"github.com/psgld/psgld-tui/tui/cli/console"
)

// A replay writes the draws that a run with --draws wrote, to the byte, or one in so many.
func TestReplayWritesDraws(t *testing.T) {
	innerlooptest.Skip(t, "long runs that are replayed")
	t.Chdir(t.TempDir())
	ok(t, "run", "--steps", "3000", "--record", "session.json", "--draws", "run", "--chains", "2")
	if got := ok(t, "replay", "session.json", "--draws", "again"); got != "wrote 12000 draws to again\n" {
		t.Errorf("it says %q", got)
	}
	if got := ok(t, "replay", "session.json", "--draws", "some", "--every", "100"); got != "wrote 120 draws to some\n" {
		t.Errorf("it says %q", got)
	}
	for _, name := range []string{"A-psgld.1.csv", "B-sgld.2.csv"} {
		want, again, some := lines(t, "run", name), lines(t, "again", name), lines(t, "some", name)
		if strings.Join(want, "\n") != strings.Join(again, "\n") {
			t.Errorf("%s differs from the run's", name)
		}
		if n := len(some); n != 31 || some[30] != want[3000] || some[1] != want[100] {
			t.Errorf("one draw in 100 of %s is %d lines", name, n)
		}
	}
}

// A recording of other numerics is played, and says that its digests cannot be compared.
func TestReplayOfOtherNumerics(t *testing.T) {
	t.Chdir(t.TempDir())
	ok(t, "run", "--steps", "300", "--record", "session.json")
	b, err := os.ReadFile("session.json")
	if err != nil {
		t.Fatal(err)
	}
	text := strings.Replace(string(b), fmt.Sprintf(`"numerics": %d`, numerics.Version), `"numerics": 99`, 1)
	if err := os.WriteFile("other.json", []byte(text), 0o644); err != nil {
		t.Fatal(err)
	}
	why := fmt.Sprintf("psgld-tui: other.json: its digests are of numerics version 99 and cannot be compared with "+
		"those of version %d\n", numerics.Version)
	if r := runArgs(t, "replay", "other.json", "--verify"); r.status != console.ExitFailed || r.err != why {
		t.Errorf("--verify ends with %d and says %q", r.status, r.err)
	}
	if r := runArgs(t, "replay", "other.json", "--draws", "again"); r.status != console.ExitDone || r.err != why ||
		r.out != "wrote 600 draws to again\n" {
		t.Errorf("--draws ends with %d and says %q, %q", r.status, r.err, r.out)
	}
}

// lines are those of a file without its comments.
func lines(t *testing.T, dir, name string) (all []string) {
	t.Helper()
	b, err := os.ReadFile(filepath.Join(dir, name))
	if err != nil {
		t.Fatal(err)
	}
	for line := range strings.Lines(string(b)) {
		if !strings.HasPrefix(line, "#") {
			all = append(all, strings.TrimSpace(line))
		}
	}
	return all
}

// What w writes says how many of how many draws it has, and the command line that it offers
// writes the rest, of the lanes as they are since a restart.
func TestWrittenSaysHowMany(t *testing.T) {
	innerlooptest.Skip(t, "long runs that are replayed")
	t.Chdir(t.TempDir())
	p, err := targets.Open("gaussian", targets.Options{})
	if err != nil {
		t.Fatal(err)
	}
	cfg := state.Config{Target: p.Spec, Seed: 3,
		Lanes: []state.Setting{state.DefaultSetting(p, "psgld"), state.DefaultSetting(p, "sgld")}}
	s, err := session.New(cfg, p, session.Runtime{Interactive: true})
	if err != nil {
		t.Fatal(err)
	}
	driver := driver.Drive(t.Context(), s)
	for _, c := range []state.Command{state.StepBy{N: 500}, state.Restart{Seed: 4}, state.StepBy{N: 9000}} {
		if _, err := driver.Send(c); err != nil {
			t.Fatal(err)
		}
	}
	got, _, err := writeSession(context.Background(), s, "there")
	if err != nil || got.Draws != 4096 || got.Of != 9000 ||
		got.Rest != "psgld-tui replay there/session.json --draws there/draws" {
		t.Fatalf("%+v, %v", got, err)
	}
	if err := driver.Stop(); err != nil {
		t.Fatal(err)
	}
	if got := ok(t, strings.Fields(got.Rest)[1:]...); got != "wrote 18000 draws to there/draws\n" {
		t.Errorf("it says %q", got)
	}
	all, newest := lines(t, "there/draws", "B-sgld.csv"), lines(t, "there", "B-sgld.csv")
	last := strings.Split(all[9000], ",")
	if len(all) != 9001 || strings.Join(last[len(last)-2:], ",") != newest[4096] {
		t.Errorf("%d lines, the last %q, of the newest draws %q", len(all), all[len(all)-1], newest[4096])
	}
}
