//go:build slow

package cli

import (
	"encoding/json"
	"os"
	"os/exec"
	"path/filepath"
	"slices"
	"strings"
	"testing"

	"github.com/psgld/psgld-tui/tui/cli/console"
)

// Of the thirty faults that plant.py plants, in NumPy and without a line of this program, check names at least 28, and
// accuses none of its correct cases.
func TestPlantedFaultsAreNamed(t *testing.T) {
	script, err := filepath.Abs("../../engine/check/testdata/plant.py")
	if err != nil {
		t.Fatal(err)
	}
	by := interpreter(t, "numpy")
	t.Chdir(t.TempDir()) // where the data set of the cases is written
	if out, err := exec.Command(by, script, "all", ".").CombinedOutput(); err != nil {
		t.Fatalf("%v: %s", err, out)
	}
	list, err := exec.Command(by, script, "list").Output()
	if err != nil {
		t.Fatal(err)
	}
	planted, named := 0, 0
	for line := range strings.Lines(string(list)) {
		var of struct {
			Name, Fault  string
			Args, Accept []string
		}
		if err := json.Unmarshal([]byte(line), &of); err != nil {
			t.Fatal(err)
		}
		files := []string{of.Name + ".csv"}
		if _, err := os.Stat(files[0]); err != nil {
			if files, err = filepath.Glob(of.Name + ".?.csv"); err != nil || len(files) == 0 {
				t.Fatalf("%s has no files: %v", of.Name, err)
			}
		}
		r := runArgs(t, slices.Concat([]string{"check"}, files, of.Args, []string{"--json"})...)
		var doc struct{ Faults [][]string }
		if err := json.Unmarshal([]byte(r.out), &doc); err != nil {
			t.Fatalf("%s: status %d, %s", of.Name, r.status, r.err)
		}
		if of.Fault == "" {
			if r.status != console.ExitDone {
				t.Errorf("%s is correct: status %d, %v", of.Name, r.status, doc.Faults)
			}
			continue
		}
		planted++
		if r.status == console.ExitAccused && len(doc.Faults) > 0 &&
			slices.ContainsFunc(doc.Faults[0], func(key string) bool { return slices.Contains(of.Accept, key) }) {
			named++
		} else {
			t.Logf("%s has %s: status %d, %v", of.Name, of.Fault, r.status, doc.Faults)
		}
	}
	if planted < 30 || named < 28 {
		t.Errorf("%d of %d planted faults are named", named, planted)
	}
	t.Logf("%d of %d planted faults are named", named, planted)
}
