package cli

import (
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// What was taken of a table is said on standard error, once and by every command that reads it.
// The flags are the target's settings, which a recording and its command line carry.
func TestTableIsTold(t *testing.T) {
	dir := t.TempDir()
	t.Chdir(dir)
	write(t, "d.csv", ",a,b,sex,y\n0,.5,3,m,2\n1,1.5,2,f,1\n2,2.5,1,m,2\n")
	const asked, set = "--target blr:d.csv --label -1 --header on --skip-column sex",
		"blr:d.csv;label=-1;header=on;skip=sex"
	const told = "psgld-tui: label: `y` (last column), 2 features, 3 rows, standardised; left out: first column, " +
		"an index, `sex` (column 4); y = 1 is label \"2\", y = 0 is \"1\"\n"
	const run = " --samplers sgld --eps 1e-3 --batch 3 --steps 20"
	for _, command := range []string{
		"run --record session.json" + run, "run --json" + run, "sweep --grid eps=1e-3 --samplers sgld --steps 20",
		"--plain" + run,
		"samplers sgld --code numpy --eps 1e-3 --batch 3",
	} {
		r := runArgs(t, strings.Fields(command+" "+asked)...)
		if !strings.HasPrefix(r.err, told) || strings.Count(r.err+r.out, "left out: ") != 1 {
			t.Errorf("%s: status %d, standard error %q\nwant %q", command, r.status, r.err, told)
		}
		if strings.Contains(command, "json") && !strings.Contains(r.out+r.err, set) {
			t.Errorf("%s: %s, want the target %s", command, r.out, set)
		}
	}
	ok(t, strings.Fields("picture screen.txt --size 200x40 --samplers sgld --batch 3 --keys steps=2 "+asked)...)
	screen, err := os.ReadFile("screen.txt")
	if err != nil {
		t.Fatal(err)
	}
	if strings.Count(string(screen), "label: `y` (last column), 2 features, 3 rows, standardised; left out: ") != 1 {
		t.Errorf("the screen does not say it once:\n%s", screen)
	}
	if rec, err := readRecording("session.json"); err != nil || rec.Config.Target != set {
		t.Errorf("recorded target %q, error %v", rec.Config.Target, err)
	}
	if r := runArgs(t, "replay", "--verify", filepath.Join(dir, "session.json")); r.status != console.ExitDone {
		t.Errorf("replay: status %d, %s", r.status, r.err)
	}
	if r := runArgs(t, "run", "--target", "blr:synthetic", "--steps", "1000", "--burn-in", "0"); r.err != "" {
		t.Errorf("of a set that the program knows: %s", r.err)
	}
}
